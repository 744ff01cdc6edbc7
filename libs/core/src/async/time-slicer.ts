import { setImmediate } from 'node:timers/promises';

let turns: Promise<unknown> = Promise.resolve();

/** Resolves for one waiting task per turn of the event loop, so ten tasks block others no longer than one does. */
export function nextTurn(): Promise<unknown> {
  return (turns = turns.then(() => setImmediate()));
}

/** A slice that lasted longer was interrupted by other processes: no step of any work takes so long. */
const MOST_COUNTED_MS = 100;

/** Splits long work into time slices and yields to the event loop between them. */
export class TimeSlicer {
  #started: number;
  #spent = 0;

  /**
   * @param sliceMs milliseconds of work between two turns of the event loop
   * @param now a monotonic clock, in milliseconds
   */
  constructor(
    private readonly sliceMs: number,
    private readonly signal?: AbortSignal,
    private readonly now: () => number = () => performance.now(),
  ) {
    signal?.throwIfAborted();
    this.#started = now();
  }

  get due(): boolean {
    return this.now() - this.#started >= this.sliceMs;
  }

  /** Milliseconds of work so far, without the pauses. A slice counts as 100 ms at most. */
  get spent(): number {
    return this.#spent + Math.min(this.now() - this.#started, MOST_COUNTED_MS);
  }

  /**
   * Processes `count` rows in steps: `work` gets each range from `from` up to, not including, `to`. A step is never
   * interrupted, so it should take a small part of a slice.
   */
  async each(count: number, step: number, work: (from: number, to: number) => void): Promise<void> {
    for (let from = 0; from < count; from += step) {
      work(from, Math.min(count, from + step));
      if (this.due) await this.pause();
    }
  }

  /**
   * Runs a generator to its end; it may be paused at each `yield`.
   *
   * @returns the generator's return value
   * @throws errors of the generator; the signal's reason when it is aborted
   */
  async run<T>(steps: Generator<unknown, T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (this.due) await this.pause();
    }
  }

  /** Yields to the event loop. Throws the signal's reason if it has been aborted. */
  async pause(): Promise<void> {
    this.#spent = this.spent;
    await nextTurn();
    this.signal?.throwIfAborted();
    this.#started = this.now();
  }
}

/** Runs a generator to its end without a pause. */
export function atOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
