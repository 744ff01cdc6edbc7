import type { ComponentChildren } from 'preact';
import type { ApiError } from '../api/client.js';
import type { Loaded } from '../state/use-data.js';
import { Text } from './text.js';

/** A failure: what happened, what to do, and the code for a search. */
export function Failure({ error, retry }: { readonly error: ApiError; readonly retry?: () => void }) {
  const isClosed = error.code === 'GATE_CLOSED';
  return (
    <div class={`note ${isClosed ? 'note-closed' : 'note-bad'}`} role="alert">
      <strong>{isClosed ? 'The gate is closed: every tool is refused.' : <Text value={error.message} />}</strong>
      {isClosed && (
        <p>
          <Text value={error.message} />
        </p>
      )}
      {error.hint !== undefined && (
        <p>
          <Text value={error.hint} />
        </p>
      )}
      <p class="muted">
        <Text value={error.code} max={60} />
        {retry && (
          <>
            {' '}
            <button type="button" class="link" onClick={retry}>
              Try again
            </button>
          </>
        )}
      </p>
    </div>
  );
}

interface AsyncProps<T> {
  readonly of: Loaded<T>;
  readonly isEmpty?: (data: T) => boolean;
  /** Shown for an empty list. */
  readonly empty?: ComponentChildren;
  readonly children: (data: T) => ComponentChildren;
}

/** Data of the server in each of its states: loading, failed, empty, there. */
export function Async<T>({ of: { data, error, isLoading, reload }, isEmpty, empty, children }: AsyncProps<T>) {
  return (
    <>
      {error && <Failure error={error} retry={reload} />}
      {data === undefined && isLoading && (
        <p class="loading" role="status">
          Loading…
        </p>
      )}
      {data !== undefined && (isEmpty?.(data) ? <p class="empty">{empty}</p> : children(data))}
    </>
  );
}
