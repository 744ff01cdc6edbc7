/** What speaks for the best tools that a search found. */
export interface Evidence {
  /** The score of the best one, 0 to 1. */
  readonly score: number;
  /** The share of the query, by the weight of its words, that tools know, 0 to 1. */
  readonly known: number;
  /** How many of the query's words one of the best few has, itself or another word for it. */
  readonly words: number;
  /** Among how many tools they are the best. */
  readonly tools: number;
}

// The form was chosen on half of 178 requests that no tool of a large catalog serves and of the requests of eight labelled sets,
// and checked on the other halves; the floor is the highest that refuses at most 2 % of any set's answerable requests.
const FLOOR = 0.23;
const LARGE_CATALOG = 2_500;
const FURTHER_WORD = 1.65;
const MAX_WORDS = 4;

/**
 * Whether the best tool is likely to be more than the least unsuitable one. A weak score means little in a small catalog, where
 * one tool answers for a whole subject in words of its own, and much in a large one, where some tool has some words of any
 * request: there it takes several words of the request in one tool, the more of them, the less of it anybody knows.
 */
export function isAnswer({ score, known, words, tools }: Evidence): boolean {
  const evidence = score * (known + 0.05) ** 0.75 * FURTHER_WORD ** Math.min(words, MAX_WORDS);
  return score > 0 && evidence >= FLOOR * Math.min(1, tools / LARGE_CATALOG) ** 1.5;
}
