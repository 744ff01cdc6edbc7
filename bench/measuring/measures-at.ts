import type { RankedQuery } from '@tool-search/core/testing';
import { mean } from './measures.js';

/** Means over the first `k` hits, as papers on tool retrieval define them. */
export interface MeasuresAt {
  readonly recall: number;
  /** With binary relevance. */
  readonly ndcg: number;
  /** COMP@k: share of all requests, those for one tool included, that have every relevant tool in the first `k`. */
  readonly complete: number;
}

/** Measures at any depth, over the requests that have a relevant tool. */
export function measuresAt(queries: readonly RankedQuery[], k: number): MeasuresAt {
  const answerable = queries.filter(({ relevant }) => relevant.size > 0);
  const recalls = answerable.map((query) => ranksOf(query, k).length / query.relevant.size);
  return {
    recall: mean(recalls),
    ndcg: mean(
      answerable.map((query) => gain(ranksOf(query, k)) / gain([...Array(Math.min(k, query.relevant.size)).keys()])),
    ),
    complete: mean(recalls.map((recall) => (recall === 1 ? 1 : 0))),
  };
}

/** Ranks of the relevant tools among the first `k` hits, from 0. */
function ranksOf({ found, relevant }: RankedQuery, k: number): number[] {
  return found.slice(0, k).flatMap((name, rank) => (relevant.has(name) ? [rank] : []));
}

function gain(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 2), 0);
}
