const MINUTE_MS = 60_000;

/** How much a source may bring within a minute by its changes, and when it may bring more. */
export class LoadBudget {
  #loads: { readonly at: number; readonly chars: number }[] = [];

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly charsPerMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  spend(chars: number): void {
    this.#loads.push({ at: this.now(), chars });
  }

  /** Characters that were brought within the last minute. */
  get spent(): number {
    this.#loads = this.#loads.filter(({ at }) => at > this.now() - MINUTE_MS);
    return this.#loads.reduce((sum, { chars }) => sum + chars, 0);
  }

  /** Milliseconds until the source may be loaded again because it changed; 0 for now. */
  get waitMs(): number {
    let over = this.spent - this.charsPerMinute;
    for (const { at, chars } of this.#loads) {
      if (over <= 0) break;
      over -= chars;
      if (over <= 0) return at + MINUTE_MS - this.now();
    }
    return 0;
  }
}
