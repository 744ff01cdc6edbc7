import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import type { ToolSet } from '../tool/snapshot/tool-set.js';
import { matchPattern } from './match-pattern.js';
import { TimeSlicer } from '../async/time-slicer.js';
import type { SearchAnswer, ToolQuery } from './tool-index.js';
import { BestHits, byName, type ScoredTool } from './best-hits.js';
import { localName, ownName } from './text/tool-text.js';

const SLICE_MS = 5;

/** A query that is answered without an index, by scanning the tools. */
export type ScanQuery = ToolQuery & { readonly type: 'regex' | 'exact' };

/** Whether a query (pattern or exact name) is answered without an index, by scanning the tools. */
export function isScan(query: ToolQuery): query is ScanQuery {
  return query.type === 'regex' || query.type === 'exact';
}

/**
 * Answers a search by pattern or exact name from the snapshot alone, in short time slices; hidden tools do not affect it. Every
 * engine may use it for these two types.
 *
 * @throws ToolSearchError `INVALID_PATTERN`, `PATTERN_UNSUPPORTED`, `PATTERN_TOO_COSTLY`
 */
export async function scanSearch(
  { text, type, limit, among, fields }: ScanQuery,
  snapshot: CatalogSnapshot,
  visible: ToolSet,
  signal?: AbortSignal,
): Promise<SearchAnswer> {
  const scope = among ? visible.filter((id) => among.has(id)) : visible;
  const slices = new TimeSlicer(SLICE_MS, signal);
  const found =
    type === 'regex'
      ? await matchPattern(text, snapshot, scope, limit, slices, fields)
      : await matchExact(text, snapshot, scope, limit, slices);
  return {
    hits: found.map(({ id, score }) => ({ id, score, match: type })),
    searchType: { requested: type, effective: type },
    unmatched: [],
    verdict: found.length > 0 ? 'found' : 'none',
  };
}

const SCORES = { name: 1, alias: 1, localName: 0.9, tag: 0.5 } as const;

/**
 * Finds tools by canonical name, alias, local name, the source's own name or tag, ignoring case: only here; a call needs
 * the exact name.
 */
export async function matchExact(
  text: string,
  snapshot: CatalogSnapshot,
  scope: ToolSet,
  limit: number,
  slices: TimeSlicer,
): Promise<readonly ScoredTool[]> {
  const wanted = text.trim().normalize().toLowerCase();
  const isWanted = (candidate: string): boolean => candidate.normalize().toLowerCase() === wanted;
  const best = new BestHits(limit, byName(snapshot));
  for (const id of scope.ids()) {
    const tool = snapshot.at(id);
    if (isWanted(tool.name)) best.offer(id, SCORES.name);
    else if (tool.aliases.some(isWanted)) best.offer(id, SCORES.alias);
    else if (isWanted(localName(tool)) || isWanted(ownName(tool) ?? tool.name)) best.offer(id, SCORES.localName);
    else if (tool.tags.some(isWanted)) best.offer(id, SCORES.tag);
    if (slices.due) await slices.pause();
  }
  return best.sorted();
}
