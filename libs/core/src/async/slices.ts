import { setImmediate } from 'node:timers/promises';

let turns: Promise<unknown> = Promise.resolve();

/** Resolves for one waiting piece of work in each turn of the event loop: ten of them hold others no longer than one does. */
function nextTurn(): Promise<unknown> {
  return (turns = turns.then(() => setImmediate()));
}

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

  /**
   * Does work that may be left for a while at each of its `yield`s.
   *
   * @returns what the work returns
   * @throws whatever the work throws; the signal's reason when it is aborted
   */
  async run<T>(steps: Generator<unknown, T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (this.due) await this.pause();
    }
  }

  /** Lets others run; throws the signal's reason if the work is no longer wanted. */
  async pause(): Promise<void> {
    this.#spent += this.now() - this.#started;
    await nextTurn();
    this.signal?.throwIfAborted();
    this.#started = this.now();
  }
}

/** Does the same work without a pause. */
export function atOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
