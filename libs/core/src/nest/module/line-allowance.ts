const WINDOW_MS = 60_000;
const MAX_LINES = 20;

/**
 * How much the log takes of what one source says of its tools: 20 lines a minute. A server that changes all of its thousand tools
 * whenever it is asked would else fill a disk.
 */
export class LineAllowance {
  #since = Number.NEGATIVE_INFINITY;
  readonly #lines = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether one more line of this source is to be written, as it is, as the last one for now, or not at all. */
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
