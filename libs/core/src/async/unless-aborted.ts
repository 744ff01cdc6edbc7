/**
 * What the work answers, or a rejection as soon as the signal aborts, whether the work heeds the signal or not; what it
 * answers later is discarded. Work that throws at once rejects as well. It is not begun under a signal that has aborted.
 */
export function unlessAborted<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
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
