import type { SearchCacheEntryEntity } from './search-cache-entry.entity.js';

/** The columns of an entry that the eviction reads. */
export type CachedEntry = Pick<SearchCacheEntryEntity, 'generation' | 'kind' | 'id' | 'complete' | 'writtenAt'>;

const KEPT_OF_A_KIND = 4;
const KEPT_IN_ALL = 16;
/** No write takes this long, so an incomplete entry of this age belongs to a process that died. */
const WRITING_MS = 3_600_000;

/**
 * Returns the entries to delete: all but the newest write of each id; of the rest, all but the newest 4 per kind and 16
 * in total; and writes that are incomplete after an hour.
 */
export function expendableEntries<T extends CachedEntry>(entries: readonly T[], now: number): readonly T[] {
  const ids = new Set<string>();
  const ofKind = new Map<string, number>();
  let kept = 0;
  const isNeeded = ({ kind, id, complete, writtenAt }: CachedEntry): boolean => {
    if (!complete) return now - writtenAt < WRITING_MS;
    const key = JSON.stringify([kind, id]);
    const siblings = ofKind.get(kind) ?? 0;
    if (ids.has(key) || siblings >= KEPT_OF_A_KIND || kept >= KEPT_IN_ALL) return false;
    ids.add(key);
    ofKind.set(kind, siblings + 1);
    kept += 1;
    return true;
  };
  return entries
    .toSorted((a, b) => b.writtenAt - a.writtenAt || (a.generation < b.generation ? -1 : 1))
    .filter((entry) => !isNeeded(entry));
}
