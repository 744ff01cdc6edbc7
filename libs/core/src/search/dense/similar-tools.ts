import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolSet } from '../../tool/snapshot/tool-set.js';
import { BestHits, byName, type ScoredTool } from '../best-hits.js';
import type { TimeSlicer } from '../../async/time-slicer.js';
import type { QueryVector } from './query-vectors.js';
import type { SnapshotVectors } from './tool-vectors.js';

// The clock is read once per this many tools.
const STEP = 64;

export interface SimilarTools {
  /** The most similar tools of `among`, by cosine, best first. */
  readonly best: readonly ScoredTool[];
  /** Mean and maximum of the cosines of all visible tools: 0 and 1 on the scale of a search. */
  readonly mean: number;
  readonly max: number;
}

export interface SearchedTools {
  readonly snapshot: CatalogSnapshot;
  readonly visible: ToolSet;
  /** Only these may be among the best. */
  readonly among: ToolSet | undefined;
}

export async function similarTools(
  query: QueryVector,
  { table, rowOf }: SnapshotVectors,
  { snapshot, visible, among }: SearchedTools,
  limit: number,
  slices: TimeSlicer,
): Promise<SimilarTools> {
  const best = new BestHits(limit, byName(snapshot));
  let [sum, max, compared, seen] = [0, -1, 0, 0];
  for (const id of visible.ids()) {
    if (++seen % STEP === 0 && slices.due) await slices.pause();
    const cosine = table.cosine(rowOf(id), query);
    if (Number.isNaN(cosine)) continue;
    sum += cosine;
    compared += 1;
    if (cosine > max) max = cosine;
    if (!among || among.has(id)) best.offer(id, cosine);
  }
  return { best: best.sorted(), mean: compared === 0 ? 0 : sum / compared, max };
}
