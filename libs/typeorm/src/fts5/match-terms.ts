import type { QueryTerms } from '@tool-search/core';

// What bm25() costs grows with the rows, and a hostile query must not hold the event loop.
const MAX_ROWS = 100_000;

/** Which terms of a query are looked up. */
export interface MatchTerms {
  readonly terms: readonly string[];
  /** Words of the query that no row has which the caller may see. */
  readonly missing: readonly string[];
  /** Terms were left out to bound the cost. */
  readonly truncated: boolean;
}

/**
 * Chooses the terms of a query that are worth looking up: the rarest, until the rows they stand in reach 100,000.
 *
 * @param rowsWith in how many rows of those that may be found a term stands
 * @param isKnown whether a term that stands in none of them stands in any row that the caller may see
 */
export function matchTerms(
  query: QueryTerms,
  rowsWith: (term: string) => number,
  isKnown: (term: string) => boolean,
): MatchTerms {
  const positions = query.terms.map((_, position) => position);
  const termOf = (position: number): string => query.terms[position]?.term ?? '';
  const counted = new Map(positions.map((position) => [position, rowsWith(termOf(position))]));
  const present = [...counted].filter(([, rows]) => rows > 0).toSorted(([, a], [, b]) => a - b);
  const chosen: number[] = [];
  let total = 0;
  for (const [position, rows] of present) {
    total += rows;
    if (chosen.length > 0 && total > MAX_ROWS) break;
    chosen.push(position);
  }
  const isMissing = (position: number): boolean => counted.get(position) === 0 && !isKnown(termOf(position));
  return {
    terms: chosen.map(termOf),
    missing: query.words.filter(({ terms }) => terms.every(isMissing)).map(({ word }) => word),
    truncated: chosen.length < present.length,
  };
}

/** A MATCH expression for any of the terms. Each is quoted, so nothing in it is an operator. */
export function anyOf(terms: readonly string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ');
}
