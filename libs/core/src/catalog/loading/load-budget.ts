const MINUTE_MS = 60_000;

/** The budget of characters that a source may load within a minute because it reported changes. */
export class LoadBudget {
  #loads: { readonly at: number; readonly chars: number }[] = [];

  /** @param now a monotonic clock, in milliseconds */
  constructor(
    private readonly charsPerMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  spend(chars: number): void {
    this.#loads.push({ at: this.now(), chars });
  }

  /** Characters loaded within the last minute. */
  get spent(): number {
    this.#loads = this.#loads.filter(({ at }) => at > this.now() - MINUTE_MS);
    return this.#loads.reduce((sum, { chars }) => sum + chars, 0);
  }

  /** Milliseconds until the source may be loaded for a change again; 0 = now. */
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
