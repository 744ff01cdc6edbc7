import type { QueryTerms } from '@tool-search/core';

// SQLite walks over every row of the file that has a term, whoever may see it, and a hostile query must not hold the event
// loop.
const MAX_ROWS = 100_000;

/** Rows of the file that have a term, counted up to a bound. */
export interface CountedRows {
  readonly rows: number;
  /** The id of the last row counted. Of terms counted up to the same bound the rarest ends last. */
  readonly last: number;
}

/** Where terms stand. All of it walks over rows of the file: `atMost` bounds how many, by default nothing does. */
export interface TermRows {
  /** Counts rows of the whole file, hidden ones and unused ones as well. */
  count(term: string, atMost: number): CountedRows;
  /** Whether the term was seen in a row that may be found. */
  isInScope(term: string, atMost?: number): boolean;
  /** Whether the term was seen in a row that the caller may see; asked for terms that are not in scope. */
  isVisible(term: string, atMost?: number): boolean;
}

/** Which terms of a query are looked up. */
export interface MatchTerms {
  readonly terms: readonly string[];
  /** Words of the query that were seen in no row which the caller may see. */
  readonly missing: readonly string[];
  /** Terms were left out to bound the cost. */
  readonly truncated: boolean;
}

/**
 * Chooses the terms of a query that are worth looking up: the rarest, until the rows of the file they stand in reach 100,000.
 * Of the other terms, those that are hidden and those that stand nowhere are not told apart.
 */
export function matchTerms(query: QueryTerms, file: TermRows): MatchTerms {
  const asked = query.terms.map(({ term }) => term);
  const { chosen, left } = rarest(asked, file);
  const atMost = shareOf(left);
  const found = chosen.filter((term) => file.isInScope(term));
  const passedOver = left.filter((term) => file.isInScope(term, atMost));
  const seen = new Set([
    ...found,
    ...passedOver,
    ...chosen.filter((term) => !found.includes(term) && file.isVisible(term)),
    ...left.filter((term) => !passedOver.includes(term) && file.isVisible(term, atMost)),
  ]);
  const isMissing = (position: number): boolean => !seen.has(query.terms[position]?.term ?? '');
  return {
    // Ranks are sums of fractions: in another order they may differ in the last digit, and equal tools swap places.
    terms: asked.filter((term) => found.includes(term)),
    missing: query.words.filter(({ terms }) => terms.every(isMissing)).map(({ word }) => word),
    truncated: passedOver.length > 0,
  };
}

/** The terms of the file by what they cost. Finding that out costs a few times the bound itself at most. */
function rarest(terms: readonly string[], file: TermRows): { chosen: string[]; left: string[] } {
  const atMost = shareOf(terms);
  const present = terms
    .map((term) => ({ term, ...file.count(term, atMost) }))
    .filter(({ rows }) => rows > 0)
    .toSorted((a, b) => a.rows - b.rows || b.last - a.last);
  const chosen: string[] = [];
  let room = MAX_ROWS;
  for (const { term, rows } of present) {
    const all = rows < atMost || room <= 0 ? rows : file.count(term, room + 1).rows;
    if (chosen.length > 0 && all > room) break;
    room -= all;
    chosen.push(term);
  }
  return { chosen, left: present.slice(chosen.length).map(({ term }) => term) };
}

function shareOf(terms: readonly string[]): number {
  return Math.floor(MAX_ROWS / Math.max(1, terms.length));
}

/** A MATCH expression for any of the terms. Each is quoted, so nothing in it is an operator. */
export function anyOf(terms: readonly string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ');
}
