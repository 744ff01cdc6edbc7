import { hasSecret } from './secret-shapes.js';

export interface CheckedQueries {
  readonly queries: readonly string[];
  /** Some contained what looks like a credential and were dropped. */
  readonly withheld: boolean;
}

/**
 * Removes duplicates and line breaks, and drops queries with what looks like a credential: they may be copied from a
 * conversation.
 */
export function checkedQueries(declared: readonly string[] = []): CheckedQueries {
  const lines = new Set(declared.map((query) => query.replace(/\s+/g, ' ').trim()));
  const queries = [...lines].filter((query) => query !== '' && !hasSecret(query));
  return { queries, withheld: [...lines].some(hasSecret) };
}
