/** What speaks for the best tool that a search found. */
export interface Evidence {
  /** Its score, 0 to 1. */
  readonly score: number;
  /** The share of the query, by the weight of its words, that tools know, 0 to 1. */
  readonly known: number;
  /** Among how many tools it is the best. */
  readonly tools: number;
}

// Fitted on half of 178 requests that no tool of two real catalogs serves, and of the requests of ten labelled sets, of each of
// which at most 2 % may be refused; checked on the other halves.
const FLOOR = 0.03;
const LARGE_CATALOG = 2_500;

/**
 * Whether the best tool is likely to be more than the least unsuitable one. A weak score means little in a small catalog, where
 * one tool answers for a whole subject in words of its own, and much in a large one, where some tool has some words of any
 * request; the less of the request anybody knows, the more the rest has to show.
 */
export function isAnswer({ score, known, tools }: Evidence): boolean {
  return score * known >= FLOOR * Math.min(1, tools / LARGE_CATALOG);
}
