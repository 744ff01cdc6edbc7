import { type CacheEntry, ResultCache } from './result-cache.js';

/** Bounds of a {@link MemoryResultCache}. Bytes are those of the stored texts. */
export interface ResultCacheBounds {
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly maxEntriesPerTenant: number;
  readonly maxBytesPerTenant: number;
}

interface Held {
  readonly tool: string;
  readonly text: string;
  readonly bytes: number;
  readonly expires: number;
}

/** Entries of one tenant, least recently used first. */
interface Shelf {
  readonly entries: Map<string, Held>;
  bytes: number;
}

/**
 * Results in the memory of this process, bounded for each tenant and in all. A full tenant loses its least recently used
 * entry; if the whole cache is full, the tenant with the most bytes does, so that no tenant pushes out another's.
 */
export class MemoryResultCache extends ResultCache {
  readonly #shelves = new Map<string, Shelf>();
  #entries = 0;
  #bytes = 0;

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly bounds: ResultCacheBounds,
    private readonly now: () => number = () => performance.now(),
  ) {
    super();
  }

  /** Entries and bytes of all tenants, expired ones included. */
  get size(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#entries, bytes: this.#bytes };
  }

  async read(tenantId: string, key: string): Promise<string | undefined> {
    const shelf = this.#shelves.get(tenantId);
    const held = shelf?.entries.get(key);
    if (!shelf || !held) return undefined;
    if (held.expires <= this.now()) {
      this.#drop(tenantId, shelf, key);
      return undefined;
    }
    shelf.entries.delete(key);
    shelf.entries.set(key, held);
    return held.text;
  }

  async write({ key, tenantId, tool, text, ttlMs }: CacheEntry): Promise<void> {
    const { maxBytes, maxBytesPerTenant, maxEntries, maxEntriesPerTenant } = this.bounds;
    const known = this.#shelves.get(tenantId);
    if (known) this.#drop(tenantId, known, key);
    const bytes = Buffer.byteLength(text);
    if (bytes > Math.min(maxBytes, maxBytesPerTenant)) return;
    const shelf = this.#shelves.get(tenantId) ?? { entries: new Map<string, Held>(), bytes: 0 };
    this.#shelves.set(tenantId, shelf);
    shelf.entries.set(key, { tool, text, bytes, expires: this.now() + ttlMs });
    shelf.bytes += bytes;
    this.#entries += 1;
    this.#bytes += bytes;
    while (shelf.entries.size > maxEntriesPerTenant || shelf.bytes > maxBytesPerTenant) this.#dropOldest(tenantId);
    while (this.#entries > maxEntries || this.#bytes > maxBytes) this.#dropOldest(this.#largest());
  }

  async remove(tenantId: string, key: string): Promise<void> {
    const shelf = this.#shelves.get(tenantId);
    if (shelf) this.#drop(tenantId, shelf, key);
  }

  async removeTools(tenantId: string, isMeant: (tool: string) => boolean): Promise<void> {
    const shelf = this.#shelves.get(tenantId);
    for (const [key, { tool }] of shelf?.entries ?? []) if (shelf && isMeant(tool)) this.#drop(tenantId, shelf, key);
  }

  #dropOldest(tenantId: string): void {
    const shelf = this.#shelves.get(tenantId);
    const [oldest] = shelf?.entries.keys() ?? [];
    if (shelf && oldest !== undefined) this.#drop(tenantId, shelf, oldest);
  }

  #largest(): string {
    let largest: readonly [string, number] = ['', -1];
    for (const [tenantId, { bytes }] of this.#shelves) if (bytes > largest[1]) largest = [tenantId, bytes];
    return largest[0];
  }

  #drop(tenantId: string, shelf: Shelf, key: string): void {
    const held = shelf.entries.get(key);
    if (!held) return;
    shelf.entries.delete(key);
    shelf.bytes -= held.bytes;
    this.#entries -= 1;
    this.#bytes -= held.bytes;
    if (shelf.entries.size === 0) this.#shelves.delete(tenantId);
  }
}
