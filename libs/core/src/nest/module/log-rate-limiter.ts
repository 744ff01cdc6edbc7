const WINDOW_MS = 60_000;
const MAX_LINES = 20;

/**
 * Rate limiter for log lines: 20 lines a minute per source. Otherwise a server that changes all of its thousand tools
 * at every load could fill the disk.
 */
export class LogRateLimiter {
  #since = Number.NEGATIVE_INFINITY;
  readonly #lines = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether to write the next line of a source as it is, to write a final notice instead, or to write nothing. */
  next(source: string): 'whole' | 'last' | 'none' {
    if (this.now() - this.#since >= WINDOW_MS) {
      this.#since = this.now();
      this.#lines.clear();
    }
    const lines = (this.#lines.get(source) ?? 0) + 1;
    this.#lines.set(source, lines);
    if (lines <= MAX_LINES) return 'whole';
    return lines === MAX_LINES + 1 ? 'last' : 'none';
  }
}
