import { hasSecret } from './secret-shapes.js';

/** Example queries that may be searched, and what had to be done for it. */
export interface CheckedQueries {
  readonly queries: readonly string[];
  /** Some held what looks like a credential and are left out. */
  readonly withheld: boolean;
}

/** Each query once, on one line; what was copied from a conversation may hold a credential, and then it stays out. */
export function checkedQueries(declared: readonly string[] = []): CheckedQueries {
  const lines = new Set(declared.map((query) => query.replace(/\s+/g, ' ').trim()));
  const queries = [...lines].filter((query) => query !== '' && !hasSecret(query));
  return { queries, withheld: [...lines].some(hasSecret) };
}
