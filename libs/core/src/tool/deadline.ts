const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A signal that aborts when its time is up or when another one does. Unlike `AbortSignal.timeout()` its clock can be
 * stopped, and it runs although nobody holds the signal: a timeout within `AbortSignal.any()` may be collected unfired.
 */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #own = new AbortController();
  readonly #timer: NodeJS.Timeout;

  /** @param ms milliseconds from now */
  constructor(ms: number, other?: AbortSignal) {
    this.signal = other ? AbortSignal.any([this.#own.signal, other]) : this.#own.signal;
    this.#timer = setTimeout(() => this.#own.abort(new Error('the deadline has passed')), Math.min(ms, MAX_TIMER_MS));
  }

  /** Whether it was the time that ran out. */
  get passed(): boolean {
    return this.#own.signal.aborted;
  }

  /** Stops the clock; to be called when the work has ended. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
