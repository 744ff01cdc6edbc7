/** A stored result. */
export interface CacheEntry {
  /** SHA-256 (hex) of everything that the result depends on. */
  readonly key: string;
  /** The tenant whose entries it counts among; `''` for a result that all tenants share. */
  readonly tenantId: string;
  /** Canonical name of the tool. */
  readonly tool: string;
  /** The result as JSON text. */
  readonly text: string;
  /** How long it may be used, in milliseconds from now. */
  readonly ttlMs: number;
}

/**
 * Stores results of read tools (port). It may lose entries at any time, and never returns one that has expired. The
 * caller decides who may use an entry: `key` contains it.
 */
export abstract class ResultCache {
  /** The text of an entry that has not expired, or undefined. */
  abstract read(tenantId: string, key: string): Promise<string | undefined>;
  /** Stores an entry, or replaces the one with the same tenant and key. */
  abstract write(entry: CacheEntry): Promise<void>;
  /** Removes one entry. */
  abstract remove(tenantId: string, key: string): Promise<void>;
  /** Removes the entries of one tenant whose tool matches. */
  abstract removeTools(tenantId: string, matches: (tool: string) => boolean): Promise<void>;
}
