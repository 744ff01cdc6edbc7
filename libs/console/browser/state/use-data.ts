import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.js';
import { changes, ticks } from './live.js';
import { session } from './session.js';

/** Data of the server: the last good answer stays while a newer one is read or fails. */
export interface Loaded<T> {
  readonly data?: T | undefined;
  readonly error?: ApiError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * Reads data, and again whenever operators have changed something.
 *
 * @param key what is read; another key forgets the data
 * @param load undefined: there is nothing to read
 * @param isCounted also reads every few seconds, for data that is no decision
 */
export function useData<T>(
  key: string,
  load: ((signal: AbortSignal) => Promise<T>) | undefined,
  isCounted = false,
): Loaded<T> {
  const [state, setState] = useState<{ key: string; data?: T; error?: ApiError; isLoading: boolean }>({
    key,
    isLoading: load !== undefined,
  });
  const [again, setAgain] = useState(0);
  const newest = useRef(load);
  newest.current = load;
  const hasLoad = load !== undefined;
  const isIn = session.value === 'in';
  const change = changes.value;
  const tick = isCounted ? ticks.value : 0;
  useEffect(() => {
    const read = newest.current;
    if (!read || !isIn) return;
    const aborter = new AbortController();
    setState((old) => (old.key === key ? { ...old, isLoading: true } : { key, isLoading: true }));
    read(aborter.signal).then(
      (data) => aborter.signal.aborted || setState({ key, data, isLoading: false }),
      (error: unknown) => {
        if (aborter.signal.aborted) return;
        setState((old) => ({
          ...(old.key === key && old.data !== undefined && { data: old.data }),
          key,
          error: asApiError(error),
          isLoading: false,
        }));
      },
    );
    return () => aborter.abort();
  }, [key, change, tick, again, isIn, hasLoad]);
  const known = state.key === key ? state : { isLoading: hasLoad, data: undefined, error: undefined };
  return { data: known.data, error: known.error, isLoading: known.isLoading, reload: () => setAgain(again + 1) };
}

/** Turns anything that was thrown into an error that can be shown. */
export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, 'FAILED', 'The console failed to read the answer.');
}
