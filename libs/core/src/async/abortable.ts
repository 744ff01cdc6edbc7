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
