import type { Slices } from '../../async/slices.js';
import { SATURATION } from '../text/field-weights.js';
import { type LearnedTerms, learnedTerms } from './learned-terms.js';

/** How strongly one tool's learned queries speak of a term. */
export interface LearnedPosting {
  /** Dense id. */
  readonly tool: number;
  /** 0 to 1, before it is multiplied by the term's rarity. */
  readonly impact: number;
}

// Measured on labelled requests: from .15 to .3 it never hurts; above .5 it does where a query belongs to several tools.
const WEIGHT = 0.3;
const LENGTH_NORMALIZATION = 0.75;
const USUAL_LENGTH = 40;

/**
 * One tenant's learned queries as a small index beside the catalog's. It is scored apart and adds to no statistic of the
 * catalog, so what one tenant has learned changes nothing for another.
 */
export class LearnedOverlay {
  readonly #postings = new Map<string, LearnedPosting[]>();

  /**
   * @param queries pairs of a tool's dense id and a query that led to it
   * @param isShown whether searches may say which words were learned: never to a tenant that did not teach them
   */
  constructor(
    queries: Iterable<{ readonly tool: number; readonly query: string }> = [],
    readonly isShown = true,
  ) {
    const analyzed = Array.from(queries, ({ tool, query }) => ({ tool, learned: learnedTerms(query) }));
    for (const [tool, learned] of byTool(analyzed)) this.#add(tool, learned);
  }

  /** The same from queries that have been analyzed before, one tool after the other, so that others have their turn. */
  static async of(
    queries: Iterable<{ readonly tool: number; readonly learned: LearnedTerms }>,
    slices: Slices,
    isShown = true,
  ): Promise<LearnedOverlay> {
    const overlay = new LearnedOverlay([], isShown);
    for (const [tool, learned] of byTool(queries)) {
      overlay.#add(tool, learned);
      if (slices.due) await slices.pause();
    }
    return overlay;
  }

  /** The tools whose learned queries have the term, as the query analysis spells it. */
  postings(term: string): readonly LearnedPosting[] {
    return this.#postings.get(term) ?? [];
  }

  #add(tool: number, queries: readonly LearnedTerms[]): void {
    const counts = new Map<string, number>();
    let length = 0;
    for (const learned of queries) {
      for (const term of learned.terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      length += learned.length;
    }
    const share = WEIGHT / (1 - LENGTH_NORMALIZATION + (LENGTH_NORMALIZATION * length) / USUAL_LENGTH);
    for (const [term, count] of counts) {
      const impact = (count * share) / (SATURATION + count * share);
      const postings = this.#postings.get(term);
      if (postings) postings.push({ tool, impact });
      else this.#postings.set(term, [{ tool, impact }]);
    }
  }
}

function byTool(
  queries: Iterable<{ readonly tool: number; readonly learned: LearnedTerms }>,
): ReadonlyMap<number, readonly LearnedTerms[]> {
  const groups = new Map<number, LearnedTerms[]>();
  for (const { tool, learned } of queries) {
    const group = groups.get(tool);
    if (group) group.push(learned);
    else groups.set(tool, [learned]);
  }
  return groups;
}
