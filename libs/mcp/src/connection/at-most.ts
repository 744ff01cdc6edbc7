import { setTimeout as delay } from 'node:timers/promises';

/** Waits until work has ended, however it ends, but no longer than `ms` milliseconds. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const timeout = delay(ms, undefined, { signal: done.signal, ref: false }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), timeout]);
  done.abort();
}
