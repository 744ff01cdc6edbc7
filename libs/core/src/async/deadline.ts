import { setMaxListeners } from 'node:events';

const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A signal that aborts after a number of milliseconds, or when another signal aborts. Two differences to
 * `AbortSignal.timeout()`: the timer can be stopped, and it fires even if nothing references the signal. (A timeout
 * signal inside `AbortSignal.any()` may be garbage-collected before it fires.)
 */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #own = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #passed = false;

  /** @param ms milliseconds from now */
  constructor(
    ms: number,
    private readonly other?: AbortSignal,
  ) {
    this.signal = this.#own.signal;
    this.#timer = setTimeout(() => this.#pass(), Math.min(ms, MAX_TIMER_MS));
    if (other?.aborted) this.#follow();
    else if (other) {
      // Many deadlines on one signal are not a leak: each removes its listener. This avoids Node's warning.
      setMaxListeners(Infinity, other);
      // Not AbortSignal.any(): on Node 20 each call leaks memory for as long as the source signal lives.
      other.addEventListener('abort', this.#follow, { once: true });
    }
  }

  /** Whether the time ran out, as opposed to an abort by the other signal or by the caller. */
  get passed(): boolean {
    return this.#passed;
  }

  /** Stops the timer and removes the listener from the other signal. Call it when the work has ended. */
  clear(): void {
    clearTimeout(this.#timer);
    this.other?.removeEventListener('abort', this.#follow);
  }

  /** Aborts now, before the time is up. */
  abort(reason: unknown): void {
    this.clear();
    this.#own.abort(reason);
  }

  readonly #follow = () => {
    this.clear();
    this.#own.abort(this.other?.reason);
  };

  #pass(): void {
    this.#passed = true;
    this.clear();
    this.#own.abort(new Error('the deadline has passed'));
  }
}
