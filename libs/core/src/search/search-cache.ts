/**
 * Keeps expensive results (indexes and vectors) across restarts, as opaque bytes. A cache may lose entries at any time,
 * and readers must validate the bytes they get. Implementations keep the newest few entries of each kind, so that
 * instances with different catalogs can share one cache.
 */
export abstract class SearchCache {
  /** The entry with this id, else the newest of its kind, if any is undamaged. The caller owns the bytes. */
  abstract read(kind: string, id: string): Promise<Uint8Array | undefined>;
  /** Stores or replaces an entry; readers never see a part of it. The bytes must not change until it settles. */
  abstract write(kind: string, id: string, bytes: Uint8Array): Promise<void>;
  /** Removes all entries that are complete, and returns their number. One that is being written may appear later. */
  abstract clear(): Promise<number>;
}
