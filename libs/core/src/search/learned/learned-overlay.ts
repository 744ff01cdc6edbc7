import { addTo } from '../../collections/records.js';
import type { TimeSlicer } from '../../async/time-slicer.js';
import { SATURATION } from '../text/field-weights.js';
import { tokenize } from '../text/tokenize.js';

/** How strongly the learned queries of one tool match a term. */
export interface LearnedPosting {
  /** Dense id. */
  readonly tool: number;
  /** 0 to 1, before multiplication by the term's rarity. */
  readonly impact: number;
}

// Measured on labelled requests: .15 to .3 never lowers quality; above .5 it does if a query belongs to several tools.
const WEIGHT = 0.3;
const LENGTH_NORMALIZATION = 0.75;
const USUAL_LENGTH = 40;

/**
 * A small index of one tenant's learned queries beside the catalog's index. It is scored separately and adds nothing to
 * the catalog's statistics, so the queries of one tenant do not change the results of another.
 */
export class LearnedOverlay {
  readonly #postings = new Map<string, LearnedPosting[]>();

  /**
   * @param queries pairs of a tool's dense id and a query that led to it
   * @param isShown whether answers may contain learned words: never for a tenant that did not teach them
   */
  constructor(
    queries: Iterable<{ readonly tool: number; readonly query: string }> = [],
    readonly isShown = true,
  ) {
    const analyzed = Array.from(queries, ({ tool, query }) => ({ tool, learned: learnedTerms(query) }));
    for (const [tool, learned] of byTool(analyzed)) this.#add(tool, learned);
  }

  /** Builds an overlay from queries that are already analyzed, in time slices. */
  static async of(
    queries: Iterable<{ readonly tool: number; readonly learned: LearnedTerms }>,
    slices: TimeSlicer,
    isShown = true,
  ): Promise<LearnedOverlay> {
    const overlay = new LearnedOverlay([], isShown);
    for (const [tool, learned] of byTool(queries)) {
      overlay.#add(tool, learned);
      if (slices.due) await slices.pause();
    }
    return overlay;
  }

  /** The tools whose learned queries contain the term, spelled as by the query analysis. */
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
      addTo(this.#postings, term, { tool, impact });
    }
  }
}

function byTool(
  queries: Iterable<{ readonly tool: number; readonly learned: LearnedTerms }>,
): ReadonlyMap<number, readonly LearnedTerms[]> {
  const groups = new Map<number, LearnedTerms[]>();
  for (const { tool, learned } of queries) addTo(groups, tool, learned);
  return groups;
}

export interface LearnedTerms {
  /** Terms as spelled by the query analysis, repeated as in the query, without function words. */
  readonly terms: readonly string[];
  /** Number of words; a term that joins several words does not count. */
  readonly length: number;
}

export function learnedTerms(query: string): LearnedTerms {
  const terms: string[] = [];
  let length = 0;
  for (const { content, whole } of tokenize(query)) {
    for (const { term } of content) terms.push(term);
    if (whole !== undefined) terms.push(whole);
    length += content.length;
  }
  return { terms, length };
}
