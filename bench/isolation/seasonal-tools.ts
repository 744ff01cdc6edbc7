/**
 * Whether the seasonal tools are in the catalog, as requests may know it: for certain, except for those that are under way
 * while it changes.
 */
export class SeasonalTools {
  readonly #open = new Set<Set<boolean>>();
  #possible: readonly boolean[] = [false];
  #present = false;

  /** What the source has to offer now. */
  get present(): boolean {
    return this.#present;
  }

  get isChanging(): boolean {
    return this.#possible.length > 1;
  }

  /** Runs a request; `states` grows when a change begins before the request has ended. */
  async during(request: (states: ReadonlySet<boolean>) => Promise<void>): Promise<void> {
    const states = new Set(this.#possible);
    this.#open.add(states);
    try {
      await request(states);
    } finally {
      this.#open.delete(states);
    }
  }

  /** Lets the tools come or go. Once `publish` has resolved, no new request may find the catalog as it was. */
  async change(publish: () => Promise<void>): Promise<void> {
    this.#present = !this.#present;
    this.#possible = [!this.#present, this.#present];
    for (const states of this.#open) states.add(this.#present);
    await publish();
    this.#possible = [this.#present];
  }
}
