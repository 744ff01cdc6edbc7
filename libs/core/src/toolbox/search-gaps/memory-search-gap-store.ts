import { TenantFairLru } from '../../collections/tenant-fair-lru.js';
import {
  addedGaps,
  byUses,
  type GapEntry,
  type GapFilter,
  type GapKind,
  type GapQuery,
  type GapQueryEntry,
  SearchGapStore,
  type TenantGaps,
} from './search-gap-store.js';

/** Keeps search gaps in the memory of one process: they are lost when it ends and not shared between instances. */
export class MemorySearchGapStore extends SearchGapStore {
  readonly #entries: TenantFairLru<GapEntry>;
  readonly #queries: TenantFairLru<GapQueryEntry>;

  /** @param max maximum number of hours, and of queries, for all tenants together; default 50,000 */
  constructor(max = 50_000) {
    super();
    this.#entries = new TenantFairLru(max);
    this.#queries = new TenantFairLru(max);
  }

  override async add(entries: readonly GapEntry[]): Promise<void> {
    for (const entry of entries) {
      const key = `${entry.hour}`;
      const known = this.#entries.get(entry.tenantId, key);
      this.#entries.set(entry.tenantId, key, known ? { ...entry, ...addedGaps(known, entry) } : entry);
    }
  }

  override async sums(
    { tenantId, since = 0 }: GapFilter,
    { limit, after }: { limit: number; after?: string },
  ): Promise<readonly TenantGaps[]> {
    const sums = new Map<string, TenantGaps>();
    for (const [tenant, , entry] of this.#entries.entries()) {
      if (entry.hour < since || (tenantId !== undefined && tenant !== tenantId)) continue;
      const { searches, zeroHits, unused, loops } = entry;
      const counts = { searches, zeroHits, unused, loops };
      const known = sums.get(tenant);
      sums.set(tenant, { tenantId: tenant, ...(known ? addedGaps(known, counts) : counts) });
    }
    return [...sums.values()]
      .filter((sum) => after === undefined || sum.tenantId > after)
      .sort((left, right) => (left.tenantId < right.tenantId ? -1 : 1))
      .slice(0, limit);
  }

  override async addQueries(entries: readonly GapQueryEntry[], maxPerTenant: number): Promise<void> {
    for (const entry of entries) {
      const { tenantId, uses, lastUsedAt } = entry;
      const key = JSON.stringify([entry.kind, entry.query]);
      const known = this.#queries.get(tenantId, key);
      const merged = known
        ? { ...entry, uses: known.uses + uses, lastUsedAt: Math.max(known.lastUsedAt, lastUsedAt) }
        : entry;
      this.#queries.set(tenantId, key, merged);
    }
    for (const tenantId of new Set(entries.map((entry) => entry.tenantId))) this.#trim(tenantId, maxPerTenant);
  }

  override async queries(tenantId: string, kind?: GapKind): Promise<readonly GapQuery[]> {
    return [...this.#queries.ofTenant(tenantId)]
      .filter((entry) => kind === undefined || entry.kind === kind)
      .map(({ query, uses, lastUsedAt, ...each }) => ({ kind: each.kind, query, uses, lastUsedAt }))
      .sort(byUses);
  }

  override async reset(tenantId?: string): Promise<number> {
    const isGoing = (_: unknown, tenant: string) => tenantId === undefined || tenant === tenantId;
    return this.#entries.deleteWhere(isGoing) + this.#queries.deleteWhere(isGoing);
  }

  override async sweep(before: number, batch: number): Promise<number> {
    const counts = this.#entries.deleteWhere(({ hour }) => hour < before, batch);
    return counts + this.#queries.deleteWhere(({ lastUsedAt }) => lastUsedAt < before, batch);
  }

  #trim(tenantId: string, max: number): void {
    const all = [...this.#queries.ofTenant(tenantId)].sort((left, right) => right.lastUsedAt - left.lastUsedAt);
    for (const { kind, query } of all.slice(max)) this.#queries.delete(tenantId, JSON.stringify([kind, query]));
  }
}
