/**
 * Keeps expensive results (indexes and vectors) across restarts, as opaque bytes. A cache may lose entries at any time,
 * and readers must validate the bytes they get. Implementations keep the newest few entries of each kind, so that
 * instances with different catalogs can share one cache.
 */
export abstract class SearchCache {
  /**
   * Returns the entry with this id, else the newest of its kind, or undefined if there is none or it is damaged. The
   * caller owns the bytes.
   */
  abstract read(kind: string, id: string): Promise<Uint8Array | undefined>;
  /**
   * Stores an entry, replacing one with the same kind and id. Readers never see a partial entry. The bytes must not
   * change until the promise settles.
   */
  abstract write(kind: string, id: string, bytes: Uint8Array): Promise<void>;
}
