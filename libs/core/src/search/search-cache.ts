/**
 * Keeps what is costly to work out again, an index or vectors, over restarts. Opaque bytes; a cache may lose anything at any
 * time, and whoever reads checks what it gets. Implementations keep the newest few entries of a kind, so that instances
 * with different catalogs can share one.
 */
export abstract class SearchCache {
  /**
   * The entry with this id, else the newest of its kind; undefined when there is none or it is damaged. The bytes belong to
   * the reader.
   */
  abstract read(kind: string, id: string): Promise<Uint8Array | undefined>;
  /** Keeps an entry; replaces one with the same kind and id. Nobody sees a part of it; the bytes must not change meanwhile. */
  abstract write(kind: string, id: string, bytes: Uint8Array): Promise<void>;
}
