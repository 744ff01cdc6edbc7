import type { SearchVerdict } from '../tool/tool-event.js';

/** One of the best tools of a search. */
export interface Witness {
  /** How much of the query it matches, 0 to 1. */
  readonly score: number;
  /** The number of query words that it has, directly or as another word. */
  readonly words: number;
}

/** Number of tools from which the evidence of one tool must be half of the most that is ever needed. */
const HALF_NEEDED = 2_000;

/** Share of the most that is ever needed, for a catalog of a few tools: most requests that none of them serves share a word with one. */
const LEAST_NEEDED = 0.025;

/** Number of best tools that an engine should pass to {@link verdictOn}. */
export const WITNESSES = 3;

/**
 * Judges a search by its best tools: `found` if the score of one of them, times the number of query words it has, is
 * large enough. The more tools there are, the more words of any request one of them has by chance, so the more is
 * needed.
 *
 * @param tools number of tools that were searched
 * @param needed the product that is needed in a catalog of any size
 */
export function verdictOn(best: readonly Witness[], tools: number, needed: number): SearchVerdict {
  if (best.length === 0) return 'none';
  const least = needed * Math.min(1, LEAST_NEEDED + tools / (tools + HALF_NEEDED));
  return best.some(({ score, words }) => score * words >= least) ? 'found' : 'weak';
}
