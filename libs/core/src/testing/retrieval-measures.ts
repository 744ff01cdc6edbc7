/** The ranking of one query, and the relevant tools. */
export interface RankedQuery {
  /** Canonical names, best first; empty where the query was refused. */
  readonly found: readonly string[];
  /** Canonical names of all tools that serve it; empty where no tool does. */
  readonly relevant: ReadonlySet<string>;
  readonly saysNone: boolean;
}

/** Retrieval quality over many queries, each measure from 0 to 1; see {@link retrievalMeasures}. */
export interface RetrievalMeasures {
  readonly ndcg5: number;
  readonly ndcg10: number;
  readonly recall1: number;
  readonly recall3: number;
  readonly recall5: number;
  readonly recall10: number;
  readonly mrr: number;
  readonly complete5: number;
  readonly none: { readonly queries: number; readonly saidNone: number };
  readonly answerableRefused: number;
}

/**
 * Means over the queries that have a relevant tool, with binary relevance. recall@k: relevant tools found in the first
 * k divided by all relevant tools; MRR: within the first 10. `complete5`: share of the queries with several relevant
 * tools that have all of them in the first 5. `none` counts the queries without a relevant tool, `answerableRefused`
 * those with one that were answered "none".
 */
export function retrievalMeasures(queries: readonly RankedQuery[]): RetrievalMeasures {
  const answerable = queries.filter(({ relevant }) => relevant.size > 0);
  const hopeless = queries.filter(({ relevant }) => relevant.size === 0);
  const over = (measure: (query: RankedQuery) => number): number => mean(answerable.map(measure));
  return {
    ndcg5: over((query) => ndcg(query, 5)),
    ndcg10: over((query) => ndcg(query, 10)),
    recall1: over((query) => recall(query, 1)),
    recall3: over((query) => recall(query, 3)),
    recall5: over((query) => recall(query, 5)),
    recall10: over((query) => recall(query, 10)),
    mrr: over(reciprocalRank),
    complete5: mean(
      answerable.filter(({ relevant }) => relevant.size > 1).map((query) => (recall(query, 5) === 1 ? 1 : 0)),
    ),
    none: { queries: hopeless.length, saidNone: hopeless.filter(({ saysNone }) => saysNone).length },
    answerableRefused: answerable.filter(({ saysNone }) => saysNone).length,
  };
}

/** Arithmetic mean; 0 for an empty list. */
function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function ndcg({ found, relevant }: RankedQuery, k: number): number {
  let [gain, ideal] = [0, 0];
  for (let rank = 0; rank < k; rank++) {
    const discount = 1 / Math.log2(rank + 2);
    if (relevant.has(found[rank] ?? '')) gain += discount;
    if (rank < relevant.size) ideal += discount;
  }
  return gain / ideal;
}

function recall({ found, relevant }: RankedQuery, k: number): number {
  return found.slice(0, k).filter((name) => relevant.has(name)).length / relevant.size;
}

function reciprocalRank({ found, relevant }: RankedQuery): number {
  const rank = found.slice(0, 10).findIndex((name) => relevant.has(name));
  return rank < 0 ? 0 : 1 / (rank + 1);
}
