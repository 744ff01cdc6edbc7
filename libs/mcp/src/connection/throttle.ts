/** Runs a function at most once per `intervalMs`. Requests within the interval are merged into one later run. */
export class Throttle {
  #timer: NodeJS.Timeout | undefined;
  #again = false;

  constructor(
    private readonly run: () => void,
    private readonly intervalMs: number,
  ) {}

  request(): void {
    if (this.#timer) {
      this.#again = true;
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#again) return;
      this.#again = false;
      this.request();
    }, this.intervalMs);
    this.#timer.unref();
    this.run();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#again = false;
  }
}
