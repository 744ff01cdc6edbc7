import { setMaxListeners } from 'node:events';

const MAX_TIMER_MS = 2 ** 31 - 1;

/** For work that nothing cancels. */
export const NEVER_ABORTED: AbortSignal = new AbortController().signal;

/**
 * A signal that aborts after a number of milliseconds, or when one of several other signals aborts. Two differences to
 * `AbortSignal.timeout()`: the timer can be stopped, and it fires even if nothing references the signal. (A timeout
 * signal inside `AbortSignal.any()` may be garbage-collected before it fires.)
 */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #own = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #endsAt = 0;
  #holds = 0;
  readonly #others: readonly AbortSignal[];
  #passed = false;

  /** @param ms milliseconds from now; Infinity for no timer */
  constructor(ms: number, ...others: readonly (AbortSignal | undefined)[]) {
    this.signal = this.#own.signal;
    this.#others = others.filter((other) => other !== undefined);
    if (ms < Infinity) this.#start(Math.min(ms, MAX_TIMER_MS));
    for (const other of this.#others) {
      // Many deadlines on one signal are not a leak: each removes its listener. This avoids Node's warning.
      setMaxListeners(Infinity, other);
      // Not AbortSignal.any(): on Node 20 each call leaks memory for as long as the source signal lives.
      other.addEventListener('abort', this.#follow, { once: true });
    }
    if (this.#others.some(({ aborted }) => aborted)) this.#follow();
  }

  /** Whether the time ran out, as opposed to an abort by another signal or by the caller. */
  get passed(): boolean {
    return this.#passed;
  }

  /** Stops the clock until the returned function is called, for time that does not count. */
  hold(): () => void {
    const leftMs = this.#endsAt - performance.now();
    if (this.#holds++ === 0) clearTimeout(this.#timer);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds--;
      if (this.#timer && !this.signal.aborted && this.#holds === 0) this.#start(Math.max(leftMs, 1));
    };
  }

  #start(ms: number): void {
    this.#endsAt = performance.now() + ms;
    this.#timer = setTimeout(() => this.#pass(), ms);
  }

  /** Stops the timer and removes the listener from the other signals. Call it when the work has ended. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const other of this.#others) other.removeEventListener('abort', this.#follow);
  }

  abort(reason: unknown): void {
    this.clear();
    this.#own.abort(reason);
  }

  readonly #follow = () => {
    this.clear();
    this.#own.abort(this.#others.find(({ aborted }) => aborted)?.reason);
  };

  #pass(): void {
    this.#passed = true;
    this.clear();
    this.#own.abort(new DeadlineError('the deadline has passed'));
  }
}

/**
 * Runs work under a signal that aborts when one of `signals` aborts, with the same reason, or after `ms` milliseconds.
 *
 * @throws the error of the work
 */
export async function withLinkedSignal<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (linked: AbortSignal) => Promise<T>,
  ms = Infinity,
): Promise<T> {
  const deadline = new Deadline(ms, ...signals);
  try {
    return await work(deadline.signal);
  } finally {
    deadline.clear();
  }
}

/**
 * Runs `work` and rejects as soon as the signal aborts, even if the work ignores the signal; a late result is
 * discarded. A synchronous throw becomes a rejection. If the signal has already aborted, the work is not started.
 */
export function abortable<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('aborted', { cause: signal.reason }));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    Promise.resolve()
      .then(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/** A time limit of this library has passed, as opposed to a caller that gives up: also the reason of an aborted signal. */
export class DeadlineError extends Error {}

/**
 * Runs `work` and rejects when its time is up or the other signal aborts, even if the work ignores its signal. Late work
 * is not cancelled; its outcome is ignored.
 *
 * @throws DeadlineError when the time is up
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => T | Promise<T>,
  other?: AbortSignal,
): Promise<T> {
  const deadline = new Deadline(ms, other);
  try {
    return await abortable(() => work(deadline.signal), deadline.signal);
  } catch (error) {
    throw deadline.passed ? new DeadlineError(`no answer within ${ms} ms`, { cause: error }) : error;
  } finally {
    deadline.clear();
  }
}
