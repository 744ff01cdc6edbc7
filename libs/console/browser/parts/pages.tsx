import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/client.js';
import type { Page } from '../api/types.js';
import { useData } from '../state/use-data.js';
import { Async } from './async.js';

interface PagesProps<T> {
  /** Path of the route that lists. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly isCounted?: boolean;
  /** What is said where there is nothing. */
  readonly empty: ComponentChildren;
  readonly children: (items: readonly T[]) => ComponentChildren;
}

/** A list of the server, page by page. */
export function Pages<T>({ path, query = {}, isCounted = false, empty, children }: PagesProps<T>) {
  const key = `${path} ${JSON.stringify(query)}`;
  const [cursors, setCursors] = useState<readonly string[]>([]);
  useEffect(() => setCursors([]), [key]);
  const cursor = cursors.at(-1);
  const loaded = useData(
    `${key} ${cursor ?? ''}`,
    (signal) => api<Page<T>>(path, { query: { ...query, limit: '50', cursor }, signal }),
    isCounted,
  );
  return (
    <Async of={loaded} isEmpty={({ items }) => items.length === 0 && cursors.length === 0} empty={empty}>
      {({ items, next }) => (
        <>
          {children(items)}
          {(cursors.length > 0 || next !== undefined) && (
            <nav class="pages" aria-label="Pages of the list">
              <button type="button" disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
                Previous
              </button>
              <span>Page {cursors.length + 1}</span>
              <button
                type="button"
                disabled={next === undefined}
                onClick={() => next !== undefined && setCursors([...cursors, next])}
              >
                Next
              </button>
            </nav>
          )}
        </>
      )}
    </Async>
  );
}
