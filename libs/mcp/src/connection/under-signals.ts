import { setMaxListeners } from 'node:events';

/**
 * Runs work under a signal that aborts as soon as one of `signals` does, for the same reason, or once `ms` milliseconds
 * are over. When the work has ended it lets go of them all. `AbortSignal.any()` would not: on Node 20 each use leaves
 * something behind on every signal, for as long as that one lives.
 *
 * @throws whatever the work throws
 */
export async function underSignals<T>(
  signals: readonly AbortSignal[],
  work: (joined: AbortSignal) => Promise<T>,
  ms?: number,
): Promise<T> {
  const joined = new AbortController();
  const follow = () => joined.abort(signals.find(({ aborted }) => aborted)?.reason);
  if (signals.some(({ aborted }) => aborted)) follow();
  // Much work at once under one signal is no leak.
  setMaxListeners(Infinity, ...signals);
  for (const signal of signals) signal.addEventListener('abort', follow, { once: true });
  const timer = ms === undefined ? undefined : setTimeout(() => joined.abort(new Error('it took too long')), ms);
  try {
    return await work(joined.signal);
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', follow);
  }
}
