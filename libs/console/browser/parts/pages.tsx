import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Answer, Asked } from '../api/client.js';
import { type ListRoute, readPage } from '../api/list.js';
import { useData } from '../state/use-data.js';
import { Async } from './async.js';

interface PagesProps<R extends ListRoute> {
  readonly route: R;
  readonly query?: Asked<R>['query'];
  readonly isCounted?: boolean;
  /** Shown for an empty list. */
  readonly empty: ComponentChildren;
  readonly children: (items: Answer<R>['items']) => ComponentChildren;
}

/** A list of the server, page by page. */
export function Pages<R extends ListRoute>({ route, query, isCounted = false, empty, children }: PagesProps<R>) {
  const key = `${route} ${JSON.stringify(query)}`;
  const [cursors, setCursors] = useState<readonly string[]>([]);
  useEffect(() => setCursors([]), [key]);
  const cursor = cursors.at(-1);
  const loaded = useData(`${key} ${cursor ?? ''}`, (signal) => readPage(route, { query, cursor, signal }), isCounted);
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
