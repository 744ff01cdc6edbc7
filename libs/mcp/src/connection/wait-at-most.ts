import { setTimeout as delay } from 'node:timers/promises';

/** Waits until the work settles, but at most `ms` milliseconds. Never rejects. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const timeout = delay(ms, undefined, { signal: done.signal, ref: false }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), timeout]);
  done.abort();
}
