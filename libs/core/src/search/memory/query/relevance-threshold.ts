export interface Evidence {
  /** The score of the best tool, 0 to 1. */
  readonly score: number;
  /** The share of the query that tools contain, by the weight of its words, 0 to 1. */
  readonly known: number;
  /** The largest number of query words that one of the best few tools has, directly or as another word. */
  readonly words: number;
  /** The number of tools that were searched. */
  readonly tools: number;
}

// The formula was chosen on half of 178 requests that no tool of a large catalog can serve and half of the requests of
// eight labelled sets, and checked on the other halves. The floor is the highest that rejects at most 2 % of the
// answerable requests of any set.
const FLOOR = 0.23;
const LARGE_CATALOG = 2_500;
const FURTHER_WORD = 1.65;
const MAX_WORDS = 4;

/**
 * Whether the best tool is likely to answer the request, and not just the least unsuitable one. In a small catalog a
 * weak score means little, because one tool may cover a whole subject in its own words. In a large one some tool shares
 * some words with any request; there one tool must have several words of it, and the more of them, the smaller the
 * share of the request that tools contain.
 */
export function passesRelevanceThreshold({ score, known, words, tools }: Evidence): boolean {
  const evidence = score * (known + 0.05) ** 0.75 * FURTHER_WORD ** Math.min(words, MAX_WORDS);
  return score > 0 && evidence >= FLOOR * Math.min(1, tools / LARGE_CATALOG) ** 1.5;
}
