import { type CacheEntry, ResultCache } from './result-cache.js';

/** Bounds of a {@link MemoryResultCache}. Bytes are those of the stored texts. */
export interface ResultCacheBounds {
  readonly maxEntries: number;
  readonly maxBytes: number;
  readonly maxEntriesPerTenant: number;
  readonly maxBytesPerTenant: number;
}

interface StoredEntry {
  readonly tool: string;
  readonly text: string;
  readonly bytes: number;
  readonly expires: number;
}

/** Entries of one tenant, least recently used first. */
interface TenantEntries {
  readonly entries: Map<string, StoredEntry>;
  bytes: number;
}

/**
 * Results in the memory of this process, bounded for each tenant and in all. A full tenant loses its least recently used
 * entry; if the whole cache is full, the tenant with the most bytes does, so that no tenant pushes out another's.
 */
export class MemoryResultCache extends ResultCache {
  readonly #tenants = new Map<string, TenantEntries>();
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
    const ofTenant = this.#tenants.get(tenantId);
    const entry = ofTenant?.entries.get(key);
    if (!ofTenant || !entry) return undefined;
    if (entry.expires <= this.now()) {
      this.#drop(tenantId, ofTenant, key);
      return undefined;
    }
    ofTenant.entries.delete(key);
    ofTenant.entries.set(key, entry);
    return entry.text;
  }

  async write({ key, tenantId, tool, text, ttlMs }: CacheEntry): Promise<void> {
    const { maxBytes, maxBytesPerTenant, maxEntries, maxEntriesPerTenant } = this.bounds;
    const known = this.#tenants.get(tenantId);
    if (known) this.#drop(tenantId, known, key);
    const bytes = Buffer.byteLength(text);
    if (bytes > Math.min(maxBytes, maxBytesPerTenant)) return;
    const ofTenant = this.#tenants.get(tenantId) ?? { entries: new Map<string, StoredEntry>(), bytes: 0 };
    this.#tenants.set(tenantId, ofTenant);
    ofTenant.entries.set(key, { tool, text, bytes, expires: this.now() + ttlMs });
    ofTenant.bytes += bytes;
    this.#entries += 1;
    this.#bytes += bytes;
    while (ofTenant.entries.size > maxEntriesPerTenant || ofTenant.bytes > maxBytesPerTenant)
      this.#dropOldest(tenantId);
    while (this.#entries > maxEntries || this.#bytes > maxBytes) this.#dropOldest(this.#largest());
  }

  async remove(tenantId: string, key: string): Promise<void> {
    const ofTenant = this.#tenants.get(tenantId);
    if (ofTenant) this.#drop(tenantId, ofTenant, key);
  }

  async removeTools(tenantId: string, matches: (tool: string) => boolean): Promise<void> {
    const ofTenant = this.#tenants.get(tenantId);
    for (const [key, { tool }] of ofTenant?.entries ?? [])
      if (ofTenant && matches(tool)) this.#drop(tenantId, ofTenant, key);
  }

  #dropOldest(tenantId: string): void {
    const ofTenant = this.#tenants.get(tenantId);
    const [oldest] = ofTenant?.entries.keys() ?? [];
    if (ofTenant && oldest !== undefined) this.#drop(tenantId, ofTenant, oldest);
  }

  #largest(): string {
    let largest: readonly [string, number] = ['', -1];
    for (const [tenantId, { bytes }] of this.#tenants) if (bytes > largest[1]) largest = [tenantId, bytes];
    return largest[0];
  }

  #drop(tenantId: string, ofTenant: TenantEntries, key: string): void {
    const entry = ofTenant.entries.get(key);
    if (!entry) return;
    ofTenant.entries.delete(key);
    ofTenant.bytes -= entry.bytes;
    this.#entries -= 1;
    this.#bytes -= entry.bytes;
    if (ofTenant.entries.size === 0) this.#tenants.delete(tenantId);
  }
}
