import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import type { ToolSet } from '../tool/snapshot/tool-set.js';
import { BestHits, type ScoredTool } from './best-hits.js';
import { byName } from './by-name.js';
import type { TimeSlicer } from '../async/time-slicer.js';
import { localName } from './text/tool-text.js';

const SCORES = { name: 1, alias: 1, localName: 0.9, tag: 0.5 } as const;

/**
 * Finds the tools whose canonical name, alias, local name or tag equals the text, ignoring case. Case is ignored only
 * here: reading or calling a tool requires its exact name.
 */
export async function matchExact(
  text: string,
  snapshot: CatalogSnapshot,
  scope: ToolSet,
  limit: number,
  slices: TimeSlicer,
): Promise<readonly ScoredTool[]> {
  const wanted = text.trim().toLowerCase();
  const isWanted = (candidate: string): boolean => candidate.toLowerCase() === wanted;
  const best = new BestHits(limit, byName(snapshot));
  for (const id of scope.ids()) {
    const tool = snapshot.at(id);
    if (isWanted(tool.name)) best.offer(id, SCORES.name);
    else if (tool.aliases.some(isWanted)) best.offer(id, SCORES.alias);
    else if (isWanted(localName(tool))) best.offer(id, SCORES.localName);
    else if (tool.tags.some(isWanted)) best.offer(id, SCORES.tag);
    if (slices.due) await slices.pause();
  }
  return best.sorted();
}
