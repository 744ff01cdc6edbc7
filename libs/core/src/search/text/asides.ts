import type { QueryAside } from './query-terms.js';
import { tokenize } from './tokenize.js';

/** How much of what a request says beside its subject ("find", "off") a tool has in its name: the sum of their shares. */
export function asidesIn(name: string, asides: readonly QueryAside[]): number {
  if (asides.length === 0) return 0;
  const own = new Set(tokenize(name).flatMap(({ parts }) => parts.map(({ term }) => term)));
  return asides.reduce((sum, { term, share }) => sum + (own.has(term) ? share : 0), 0);
}
