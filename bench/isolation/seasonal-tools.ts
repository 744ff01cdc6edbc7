/**
 * Tracks whether the seasonal tools are in the catalog. A request that runs while the catalog changes may see either
 * state.
 */
export class SeasonalTools {
  readonly #open = new Set<Set<boolean>>();
  #possible: readonly boolean[] = [false];
  #present = false;

  /** Whether the source offers the seasonal tools now. */
  get present(): boolean {
    return this.#present;
  }

  get isChanging(): boolean {
    return this.#possible.length > 1;
  }

  /** Runs a request. `states` grows if a change begins before the request ends. */
  async during(request: (states: ReadonlySet<boolean>) => Promise<void>): Promise<void> {
    const states = new Set(this.#possible);
    this.#open.add(states);
    try {
      await request(states);
    } finally {
      this.#open.delete(states);
    }
  }

  /** Adds or removes the tools. Once `publish` has resolved, new requests must see only the new state. */
  async change(publish: () => Promise<void>): Promise<void> {
    this.#present = !this.#present;
    this.#possible = [!this.#present, this.#present];
    for (const states of this.#open) states.add(this.#present);
    await publish();
    this.#possible = [this.#present];
  }
}
