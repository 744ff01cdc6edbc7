import type { Ranking } from '../engines/dense-contenders.js';
import type { LabelledSet } from '../datasets/labelled-set.js';
import { mean, type TimedQuery, timedMeasures } from './measures.js';

const SHOWN = ['ndcg5', 'even', 'odd', 'ndcg10', 'recall5', 'recall10'] as const;

/** Measures of one contender. `even` and `odd` are nDCG@5 over every other query; their difference shows the noise. */
export type DenseResult = Readonly<Record<(typeof SHOWN)[number], number>> & {
  readonly set: string;
  readonly engine: string;
  /** Median search time in milliseconds; absent in a mean over sets. */
  readonly p50Ms?: number;
};

/** Runs every query of a set, one after another. */
export async function denseResult(set: LabelledSet, engine: string, rank: Ranking): Promise<DenseResult> {
  const ranked: TimedQuery[] = [];
  for (const { query, relevant } of set.queries) {
    const started = performance.now();
    const found = await rank(query);
    ranked.push({ found, relevant, ms: performance.now() - started });
  }
  const half = (parity: number) => timedMeasures(ranked.filter((_, i) => i % 2 === parity)).ndcg5;
  return { ...timedMeasures(ranked), even: half(0), odd: half(1), set: set.name, engine };
}

/** The mean of each contender over the sets; all sets have the same weight. */
export function denseMeans(results: readonly DenseResult[]): readonly DenseResult[] {
  return [...new Set(results.map(({ engine }) => engine))].map((engine) => {
    const own = results.filter((result) => result.engine === engine);
    const over = (measure: (typeof SHOWN)[number]) => mean(own.map((result) => result[measure]));
    return {
      set: 'mean',
      engine,
      ndcg5: over('ndcg5'),
      even: over('even'),
      odd: over('odd'),
      ndcg10: over('ndcg10'),
      recall5: over('recall5'),
      recall10: over('recall10'),
    };
  });
}

/** Rows of a table, heading first. */
export function denseRows(results: readonly DenseResult[]): readonly (readonly string[])[] {
  const rows = results.map((result) => [
    result.set,
    result.engine,
    ...SHOWN.map((measure) => result[measure].toFixed(3)),
    result.p50Ms?.toFixed(2) ?? '',
  ]);
  return [['set', 'engine', 'nDCG@5', 'even', 'odd', 'nDCG@10', 'recall@5', 'recall@10', 'p50 ms'], ...rows];
}
