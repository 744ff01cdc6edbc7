/** The ranking of one query, and the relevant tools. */
export interface RankedQuery {
  /** Canonical names, best first; empty where the answer was `none`. */
  readonly found: readonly string[];
  /** Canonical names of all tools that serve it; empty where no tool does. */
  readonly relevant: ReadonlySet<string>;
  /** Whether the hits were called weak. @default false */
  readonly isWeak?: boolean;
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
  readonly none: { readonly queries: number; readonly saidNone: number; readonly saidWeak: number };
  readonly answerableRefused: number;
  readonly answerableWeak: number;
  readonly answerableNone: number;
}

/**
 * Means over the queries that have a relevant tool, with binary relevance. recall@k: relevant tools found in the first
 * k divided by all relevant tools; MRR: within the first 10. `complete5`: share of the queries with several relevant
 * tools that have all of them in the first 5. `none` counts the verdicts on queries without a relevant tool;
 * `answerableWeak` and `answerableNone` count those on the others, `answerableRefused` their answers without hits.
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
    none: { queries: hopeless.length, saidNone: count(hopeless, isRefused), saidWeak: count(hopeless, isWeak) },
    answerableRefused: count(answerable, isRefused),
    answerableWeak: count(answerable, isWeak),
    answerableNone: count(answerable, isRefused),
  };
}

function isRefused({ found }: RankedQuery): boolean {
  return found.length === 0;
}

function isWeak(query: RankedQuery): boolean {
  return query.isWeak === true && !isRefused(query);
}

function count(queries: readonly RankedQuery[], isCounted: (query: RankedQuery) => boolean): number {
  return queries.filter(isCounted).length;
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
