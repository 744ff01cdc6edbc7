/** A search whose hits may still be called. */
export interface OpenSearch {
  readonly searchId: string;
  readonly queries: readonly string[];
  /** Canonical names. */
  readonly found: ReadonlySet<string>;
}

/** How many searches of a run may wait for a call; the oldest gives way. */
const MAX_OPEN = 20;

/** From which search in a row on, without a call or get in between, a run goes round in circles. */
export const LOOP_AT = 3;

/** What one run has searched for and not used yet, and how many times in a row. Rules only: who is told is not decided here. */
export class RunSearches {
  #open: OpenSearch[] = [];
  #row = 0;
  #running = 0;
  #isLoop = false;

  /** A search begins; those that run at once are one step of the model, and count as one. Returns how many in a row. */
  begin(): number {
    if (this.#running === 0) this.#row += 1;
    this.#running += 1;
    return this.#row;
  }

  end(): void {
    this.#running -= 1;
  }

  /** Remembers what a search found. Returns a search that nobody used in the time of twenty others. */
  found(search: OpenSearch): OpenSearch | undefined {
    if (search.found.size === 0) return undefined;
    this.#open.push(search);
    return this.#open.length > MAX_OPEN ? this.#open.shift() : undefined;
  }

  /** The run goes round in circles; true the first time. */
  loops(): boolean {
    const isNew = !this.#isLoop;
    this.#isLoop = true;
    return isNew;
  }

  /** The run read, loaded or called something, whatever came of it: it does not only search. */
  didElse(): void {
    this.#row = 0;
    this.#isLoop = false;
  }

  /** A tool was called: every search that had found it was of use. */
  used(tool: string): void {
    this.#open = this.#open.filter(({ found }) => !found.has(tool));
  }

  /** Ends the run: what was never used. */
  close(): readonly OpenSearch[] {
    const unused = this.#open;
    this.#open = [];
    return unused;
  }
}
