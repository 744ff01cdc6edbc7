import type { Embedder } from '@tool-search/core';
import {
  CatalogSnapshot,
  FusedToolIndex,
  MemoryToolIndex,
  type ToolIndex,
  ToolSet,
  checkedQuery,
} from '@tool-search/core/engine';
import type { DenseOptions } from '@tool-search/core/internal';
import type { LabelledSet } from '../datasets/labelled-set.js';

const DEPTH = 100;
/** The constant of reciprocal rank fusion, as in Cormack et al. 2009. */
const RRF_K = 60;
const PATIENT = { buildWaitMs: 3_600_000, queryDeadlineMs: 60_000 };
const EVERYTHING: DenseOptions = { minSimilarity: 0 };
const WEIGHTS = [0.05, 0.1, 0.2, 0.35, 0.5];
const SHIPPED_WEIGHT = 0.2;

/** Finds tool names for a text, best first. */
export type Ranking = (text: string) => Promise<readonly string[]>;

async function rankingOf(index: ToolIndex, snapshot: CatalogSnapshot): Promise<Ranking> {
  await index.apply({ next: snapshot });
  const visible = ToolSet.of(snapshot.tools.length, () => true);
  return async (text) => {
    const query = { text: checkedQuery(text.slice(0, 4_000), 'bm25'), type: 'bm25', limit: DEPTH } as const;
    const { hits } = await index.search(query, snapshot, visible);
    return hits.map(({ id }) => snapshot.at(id).name);
  };
}

function reciprocalRankFusion(rankings: readonly (readonly string[])[]): readonly string[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [rank, name] of ranking.entries()) scores.set(name, (scores.get(name) ?? 0) + 1 / (RRF_K + rank + 1));
  }
  return [...scores].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/**
 * Ways to rank one set's tools: words only, vectors only, both mixed with several weights (`all`: vectors may also find
 * tools that words did not), and reciprocal rank fusion.
 */
export async function denseContenders(set: LabelledSet, embedder: Embedder): Promise<ReadonlyMap<string, Ranking>> {
  const snapshot = new CatalogSnapshot(1, set.tools);
  const fused = (options: DenseOptions) =>
    rankingOf(new FusedToolIndex(new MemoryToolIndex(), embedder, { ...PATIENT, ...options }), snapshot);
  const words = await rankingOf(new MemoryToolIndex(), snapshot);
  const vectors = await fused({ ...EVERYTHING, weight: 1 });
  const contenders = new Map([
    ['words', words],
    ['vectors', vectors],
  ]);
  for (const weight of WEIGHTS) contenders.set(`fused ${weight}`, await fused({ weight }));
  contenders.set(`fused ${SHIPPED_WEIGHT}, all`, await fused({ ...EVERYTHING, weight: SHIPPED_WEIGHT }));
  contenders.set('RRF', async (text) => reciprocalRankFusion([await words(text), await vectors(text)]));
  return contenders;
}
