import { setMaxListeners } from 'node:events';

const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A signal that aborts when its time is up or when another one does. Unlike `AbortSignal.timeout()` its clock can be
 * stopped, and it runs although nobody holds the signal: a timeout within `AbortSignal.any()` may be collected unfired.
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
      // Many deadlines beside one signal are no leak: each lets go of it.
      setMaxListeners(Infinity, other);
      // Not AbortSignal.any(): on Node 20 each use leaves something behind on a signal, for as long as that one lives.
      other.addEventListener('abort', this.#follow, { once: true });
    }
  }

  /** Whether it was the time that ran out. */
  get passed(): boolean {
    return this.#passed;
  }

  /** Stops the clock and lets go of the other signal; to be called when the work has ended. */
  clear(): void {
    clearTimeout(this.#timer);
    this.other?.removeEventListener('abort', this.#follow);
  }

  /** Ends the work now, whatever time is left. */
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
