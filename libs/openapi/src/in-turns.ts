import { setImmediate } from 'node:timers/promises';

const TURN_MS = 10;

/**
 * Long work in turns of about 10 ms, so that it does not hold up the requests that are being served meanwhile.
 *
 * @param steps the work; it may be left for a while at each `yield`
 * @returns what the work returns
 * @throws whatever the work throws; the signal's reason when aborted
 */
export async function inTurns<T>(signal: AbortSignal, steps: Generator<unknown, T>): Promise<T> {
  for (;;) {
    await setImmediate();
    const until = performance.now() + TURN_MS;
    do {
      signal.throwIfAborted();
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
  }
}

/** The same work at once. */
export function atOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
