import type { TimeSlicer } from '../../async/time-slicer.js';
import type { LearnedQuery } from './learned-query-store.js';
import { type LearnedTerms, learnedTerms } from './learned-overlay.js';

export interface AnalyzedQuery {
  /** Canonical name. */
  readonly tool: string;
  readonly learned: LearnedTerms;
}

/** One tenant's learned queries, keyed by tool and query. */
export type AnalyzedQueries = ReadonlyMap<string, AnalyzedQuery>;

/** Analyzes new queries. Returns `previous` itself if there are none: use counts and times do not change scores. */
export async function analyzedQueries(
  queries: readonly LearnedQuery[],
  previous: AnalyzedQueries,
  slices: TimeSlicer,
): Promise<AnalyzedQueries> {
  const analyzed = new Map<string, AnalyzedQuery>();
  let isNew = queries.length !== previous.size;
  for (const { tool, query } of queries) {
    const key = JSON.stringify([tool, query]);
    const known = previous.get(key);
    if (!known) isNew = true;
    analyzed.set(key, known ?? { tool, learned: learnedTerms(query) });
    if (slices.due) await slices.pause();
  }
  return isNew ? analyzed : previous;
}
