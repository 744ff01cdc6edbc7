import type { EngineResult } from './evaluate-set.js';
import { mean, type TimedMeasures } from './measures.js';

/** Measures that are means themselves and can be averaged over sets; all sets have the same weight. */
export const QUALITY = [
  'ndcg5',
  'ndcg10',
  'recall1',
  'recall3',
  'recall5',
  'recall10',
  'mrr',
  'complete5',
] as const satisfies readonly (keyof TimedMeasures)[];

/** Result of one engine over several sets. */
export type MeanResult = Readonly<Record<(typeof QUALITY)[number], number>> & {
  readonly name: string;
  /** Sums over all sets: queries that have a tool and no hits, or hits that were called weak. */
  readonly answerableRefused: number;
  readonly answerableWeak: number;
};

/** The mean of each engine over the sets; each engine has one result per set. */
export function meanResults(sets: readonly (readonly EngineResult[])[]): MeanResult[] {
  return (sets[0] ?? []).map(({ name }) => {
    const results = sets.flatMap((engines) => engines.filter((engine) => engine.name === name));
    const over = (measure: (typeof QUALITY)[number]): number => mean(results.map((result) => result[measure]));
    return {
      name,
      ndcg5: over('ndcg5'),
      ndcg10: over('ndcg10'),
      recall1: over('recall1'),
      recall3: over('recall3'),
      recall5: over('recall5'),
      recall10: over('recall10'),
      mrr: over('mrr'),
      complete5: over('complete5'),
      answerableRefused: results.reduce((sum, { answerableRefused }) => sum + answerableRefused, 0),
      answerableWeak: results.reduce((sum, { answerableWeak }) => sum + answerableWeak, 0),
    };
  });
}
