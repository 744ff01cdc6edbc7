import { setMaxListeners } from 'node:events';

/**
 * Runs work under a signal that aborts when one of `signals` aborts, with the same reason, or after `ms` milliseconds.
 * Removes all its listeners when the work has settled. `AbortSignal.any()` would leak: on Node 20 each use leaves an
 * entry on every source signal for as long as that signal lives.
 *
 * @throws the error of the work
 */
export async function withLinkedSignal<T>(
  signals: readonly AbortSignal[],
  work: (joined: AbortSignal) => Promise<T>,
  ms?: number,
): Promise<T> {
  const joined = new AbortController();
  const follow = () => joined.abort(signals.find(({ aborted }) => aborted)?.reason);
  if (signals.some(({ aborted }) => aborted)) follow();
  // Many concurrent calls under one signal are no leak, so Node's listener warning is switched off.
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
