import { setImmediate } from 'node:timers/promises';

/** Cuts long work into slices, so that other requests get their turn in between. */
export class Slices {
  #started: number;
  #spent = 0;

  /**
   * @param sliceMs milliseconds of work between two turns of the event loop
   * @param now milliseconds of a clock that never goes back
   */
  constructor(
    private readonly sliceMs: number,
    private readonly signal?: AbortSignal,
    private readonly now: () => number = () => performance.now(),
  ) {
    signal?.throwIfAborted();
    this.#started = now();
  }

  /** Whether the current slice is over. */
  get due(): boolean {
    return this.now() - this.#started >= this.sliceMs;
  }

  /** Milliseconds of work so far, without the pauses. */
  get spent(): number {
    return this.#spent + this.now() - this.#started;
  }

  /**
   * Works through `count` rows, some at a time: `work` does the rows from `from` up to, not including, `to`. A step is never
   * interrupted, so it should take a small part of a slice.
   */
  async each(count: number, step: number, work: (from: number, to: number) => void): Promise<void> {
    for (let from = 0; from < count; from += step) {
      work(from, Math.min(count, from + step));
      if (this.due) await this.pause();
    }
  }

  /** Lets others run; throws the signal's reason if the work is no longer wanted. */
  async pause(): Promise<void> {
    this.#spent += this.now() - this.#started;
    await setImmediate();
    this.signal?.throwIfAborted();
    this.#started = this.now();
  }
}
