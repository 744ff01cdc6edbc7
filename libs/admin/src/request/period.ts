import { ToolSearchError } from '@tool-search/core';

const DAY_MS = 86_400_000;
const MAX_DAYS = 31;

export interface Period {
  /** Epoch milliseconds, inclusive. */
  readonly since: number;
  /** Epoch milliseconds, exclusive. */
  readonly until: number;
}

/** The period of a summary, by default the last day. @throws ToolSearchError `INVALID_REQUEST` for more than 31 days */
export function periodOf(query: { readonly since?: number; readonly until?: number }): Period {
  const until = query.until ?? Date.now() + 1;
  const since = query.since ?? Math.max(0, until - DAY_MS);
  if (until - since <= MAX_DAYS * DAY_MS) return { since, until };
  throw new ToolSearchError('INVALID_REQUEST', `The request is not valid: it asks for more than ${MAX_DAYS} days.`, {
    hint: 'Send since and until that are closer together.',
  });
}
