/** A search whose hits have not been called yet. */
export interface OpenSearch {
  readonly searchId: string;
  readonly queries: readonly string[];
  readonly found: ReadonlySet<string>;
}

/** Maximum number of open searches per run; the oldest is dropped. */
const MAX_OPEN = 20;

/** Number of searches in a row, without a call or get in between, from which a run counts as looping. */
export const LOOP_AT = 3;

/** The open searches of one run, and the number of searches in a row. Emits no events itself. */
export class RunSearches {
  #open: OpenSearch[] = [];
  #row = 0;
  #running = 0;
  #isLoop = false;

  /** Begins a search. Concurrent searches are one step of the model and count once. Returns the number in a row. */
  begin(): number {
    if (this.#running === 0) this.#row += 1;
    this.#running += 1;
    return this.#row;
  }

  end(): void {
    this.#running -= 1;
  }

  /** Stores a search that has hits. Returns the oldest one when more than 20 are open. */
  found(search: OpenSearch): OpenSearch | undefined {
    if (search.found.size === 0) return undefined;
    this.#open.push(search);
    return this.#open.length > MAX_OPEN ? this.#open.shift() : undefined;
  }

  /** Marks the run as looping. Returns true the first time. */
  loops(): boolean {
    const isNew = !this.#isLoop;
    this.#isLoop = true;
    return isNew;
  }

  /** Records that the run read, loaded or called something, successful or not. */
  resetSearchStreak(): void {
    this.#row = 0;
    this.#isLoop = false;
  }

  /** Records a call: removes every search that had found the tool. */
  used(tool: string): void {
    this.#open = this.#open.filter(({ found }) => !found.has(tool));
  }

  /** Ends the run. Returns the searches that were never used. */
  close(): readonly OpenSearch[] {
    const unused = this.#open;
    this.#open = [];
    return unused;
  }
}
