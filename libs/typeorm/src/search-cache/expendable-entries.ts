/** What is known of an entry of the search cache without its bytes. */
export interface CachedEntry {
  readonly generation: string;
  readonly kind: string;
  readonly id: string;
  readonly complete: boolean;
  /** Epoch milliseconds. */
  readonly writtenAt: number;
}

const KEPT_OF_A_KIND = 4;
const KEPT_IN_ALL = 16;
/** No writer takes as long, so an entry that is not complete by then belongs to one that died. */
const WRITING_MS = 3_600_000;

/**
 * The entries that can go: all but the newest writing of each id, of those all but the newest 4 of a kind and 16 in all, and
 * what was left unfinished an hour ago.
 *
 * @param now epoch milliseconds
 */
export function expendableEntries(entries: readonly CachedEntry[], now: number): readonly CachedEntry[] {
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
