import type { QueryTerms } from '@tool-search/core/internal';

// SQLite visits every row of the file that has a term, visible or hidden. This bound keeps a hostile query from
// blocking the event loop.
const MAX_ROWS = 100_000;

/** Rows of the file that have a term, counted up to a limit. */
export interface CountedRows {
  readonly rows: number;
  /** Id of the last counted row. Of terms that reach the same limit, the rarest has the highest id. */
  readonly last: number;
}

/** Looks up the rows of a term. Each method visits rows of the file: `atMost` limits how many (default: no limit). */
export interface TermRows {
  /** Counts rows of the whole file, including hidden and unused ones. */
  count(term: string, atMost: number): CountedRows;
  /** Whether the term is in a row that the search may use. */
  isInScope(term: string, atMost?: number): boolean;
  /** Whether the term is in a row that the caller may see. Called only for terms that are not in scope. */
  isVisible(term: string, atMost?: number): boolean;
}

/**
 * Chooses the terms of a query to look up: the rarest first, until they cover 100,000 rows of the file. The result does
 * not reveal whether a rejected term is hidden or does not exist. `missing` are the words in no visible row, `truncated`
 * says whether terms were left out to limit the cost.
 */
export function matchTerms(query: QueryTerms, file: TermRows) {
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
    // Ranks are floating-point sums: another order may change the last digit and swap equal tools.
    terms: asked.filter((term) => found.includes(term)),
    missing: query.words.filter(({ terms }) => terms.every(isMissing)).map(({ word }) => word),
    truncated: passedOver.length > 0,
  };
}

/** Sorts terms by cost. Computing the order itself costs at most a few times the limit. */
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

/** Builds a MATCH expression for any of the terms. Each term is quoted, so that it cannot act as an operator. */
export function anyOf(terms: readonly string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ');
}
