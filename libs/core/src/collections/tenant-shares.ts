/**
 * Counts the places of a bounded room by tenant, for a room in which nothing can give way. A tenant may hold as many places
 * as it leaves free: alone it takes half of the room, and each tenant that comes later half of what is left.
 */
export class TenantShares {
  readonly #places = new Map<string, number>();
  #free: number;

  /** @param max places of all tenants */
  constructor(max: number) {
    this.#free = max;
  }

  /** Number of places that a tenant holds. */
  heldBy(tenant: string): number {
    return this.#places.get(tenant) ?? 0;
  }

  /** Whether further places are within the share of a tenant. */
  hasRoom(tenant: string, places = 1): boolean {
    return this.heldBy(tenant) + places <= this.#free - (places - 1);
  }

  /** Takes a place. */
  take(tenant: string): void {
    this.#places.set(tenant, this.heldBy(tenant) + 1);
    this.#free -= 1;
  }

  /** Gives a place back. */
  giveBack(tenant: string): void {
    const left = this.heldBy(tenant) - 1;
    if (left < 0) return;
    if (left === 0) this.#places.delete(tenant);
    else this.#places.set(tenant, left);
    this.#free += 1;
  }
}
