/**
 * A bounded map for many tenants, with entries keyed by tenant and key. When it is full, the tenant with the most
 * entries loses its least recently set entry, so that one tenant cannot push out the entries of others: among n tenants,
 * one that has at most the n-th part of the room loses nothing.
 */
export class TenantFairLru<V> {
  readonly #tenants = new Map<string, Map<string, V>>();
  #size = 0;

  /** @param max entries of all tenants */
  constructor(private readonly max: number) {}

  /** Number of entries of all tenants. */
  get size(): number {
    return this.#size;
  }

  /** The value, without counting as a use. */
  get(tenant: string, key: string): V | undefined {
    return this.#tenants.get(tenant)?.get(key);
  }

  /**
   * Sets an entry and makes it its tenant's most recent one. A tenant may have at most `maxOfTenant` entries.
   *
   * @returns the entry that gave way, for what has to be ended
   */
  set(tenant: string, key: string, value: V, maxOfTenant = this.max): V | undefined {
    this.delete(tenant, key);
    const entries = this.#tenants.get(tenant) ?? new Map<string, V>();
    this.#tenants.set(tenant, entries.set(key, value));
    this.#size += 1;
    if (entries.size > maxOfTenant) return this.#dropOldest(tenant, entries);
    return this.#size > this.max ? this.#evict() : undefined;
  }

  /** Whether there was such an entry. */
  delete(tenant: string, key: string): boolean {
    const entries = this.#tenants.get(tenant);
    if (!entries?.delete(key)) return false;
    if (entries.size === 0) this.#tenants.delete(tenant);
    this.#size -= 1;
    return true;
  }

  /** Forgets all entries. */
  clear(): void {
    this.#tenants.clear();
    this.#size = 0;
  }

  /** The values of one tenant, least recently set first. */
  ofTenant(tenant: string): IterableIterator<V> {
    return (this.#tenants.get(tenant) ?? new Map<string, V>()).values();
  }

  /** All entries; within a tenant, least recently set first. */
  *entries(): IterableIterator<readonly [tenant: string, key: string, value: V]> {
    for (const [tenant, entries] of this.#tenants) {
      for (const [key, value] of entries) yield [tenant, key, value];
    }
  }

  /** Deletes entries that match, at most `limit`. Returns their number. */
  deleteWhere(isGoing: (value: V, tenant: string) => boolean, limit = Infinity): number {
    const going = [...this.entries()].filter(([tenant, , value]) => isGoing(value, tenant)).slice(0, limit);
    for (const [tenant, key] of going) this.delete(tenant, key);
    return going.length;
  }

  #evict(): V | undefined {
    let largest: readonly [string, Map<string, V>] | undefined;
    for (const each of this.#tenants) if (each[1].size > (largest?.[1].size ?? 0)) largest = each;
    return largest && this.#dropOldest(...largest);
  }

  #dropOldest(tenant: string, entries: Map<string, V>): V | undefined {
    for (const [key, value] of entries) {
      this.delete(tenant, key);
      return value;
    }
    return undefined;
  }
}
