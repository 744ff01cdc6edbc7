import type { LabelledSet } from '../datasets/labelled-set.js';
import { type TimedQuery, timedMeasures, type TimedMeasures } from './measures.js';
import type { SearchEngine } from '../engines/search-engine.js';

const DEPTH = 10;

/** Quality and speed of one engine on a labelled set. */
export interface EngineResult extends TimedMeasures {
  readonly name: string;
  readonly config: string;
  readonly buildMs: number;
}

/** Builds the engine's index of the set's tools and runs every query once. A rejected query counts as no result. */
export async function evaluateSet(set: LabelledSet, engine: SearchEngine): Promise<EngineResult> {
  const started = performance.now();
  await engine.build(set.tools);
  const buildMs = performance.now() - started;
  const ranked = await rankedQueries(set.queries, engine);
  return { name: engine.name, config: engine.config, ...timedMeasures(ranked), buildMs };
}

/** Runs every query once on an engine that is built. */
export async function rankedQueries(queries: LabelledSet['queries'], engine: SearchEngine): Promise<TimedQuery[]> {
  const ranked: TimedQuery[] = [];
  for (const { query, relevant } of queries) {
    const asked = performance.now();
    const { names, isWeak = false, sparedMs = 0 } = await engine.search(query, DEPTH);
    ranked.push({ found: names, relevant, isWeak, ms: performance.now() - asked + sparedMs });
  }
  return ranked;
}
