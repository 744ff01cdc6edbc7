import { TenantShares } from '../../collections/tenant-shares.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { CounterState, StoredCounter } from './counter.js';
import { type CounterChange, LimitStore } from './limit-store.js';

/** One tenant alone takes half of them. */
const MAX_COUNTERS = 200_000;
// A full store would otherwise look through all counters for each call.
const SWEEP_AGAIN_MS = 1000;

interface Held extends StoredCounter {
  /** Whose call was the first that was counted. */
  readonly tenantId: string;
}

/**
 * Counters in the memory of one process, lost at exit; several processes count each for itself. Holds at most 200,000
 * counters, and none is forgotten before it expires, because that would let its calls pass. So each tenant has a share: it
 * may have as many counters as it leaves free, 100,000 if there is no other. Beyond that its calls that need another
 * counter are an error.
 */
export class MemoryLimitStore extends LimitStore {
  readonly #counters = new Map<string, Held>();
  readonly #shares: TenantShares;
  #sweptAt = -Infinity;
  #latest = -Infinity;

  /**
   * @param clock epoch milliseconds
   * @param maxCounters of all tenants; one tenant alone has at most half of them
   */
  constructor(
    private readonly clock: () => number = Date.now,
    maxCounters = MAX_COUNTERS,
  ) {
    super();
    this.#shares = new TenantShares(maxCounters);
  }

  /** @throws ToolSearchError `STORE_UNAVAILABLE` when the tenant has no room for another counter */
  override update<T>(keys: readonly string[], change: CounterChange<T>, tenantId = ''): T {
    const now = this.#now();
    const { answer, writes } = change(this.#states(keys, now), now);
    if (!writes) return answer;
    this.#makeRoom(keys.filter((key, index) => writes[index] && !this.#counters.has(key)).length, tenantId, now);
    for (const [index, write] of writes.entries()) if (write) this.#write(keys[index] ?? '', write, tenantId);
    return answer;
  }

  override async peek(keys: readonly string[]) {
    const now = this.#now();
    return { states: this.#states(keys, now), now };
  }

  override async sweep(batch: number): Promise<number> {
    return this.#sweep(batch, this.#now());
  }

  /** Never before the latest time: a clock that is set back must not make counters forget. */
  #now(): number {
    return (this.#latest = Math.max(this.#latest, this.clock()));
  }

  #states(keys: readonly string[], now: number): (CounterState | undefined)[] {
    return keys.map((key) => {
      const known = this.#counters.get(key);
      return known && known.expiresAt > now ? known.state : undefined;
    });
  }

  #write(key: string, { state, expiresAt }: StoredCounter, tenantId: string): void {
    const known = this.#counters.get(key);
    if (!known) this.#shares.take(tenantId);
    this.#counters.set(key, { state, expiresAt, tenantId: known?.tenantId ?? tenantId });
  }

  #makeRoom(places: number, tenantId: string, now: number): void {
    if (places === 0 || this.#shares.hasRoom(tenantId, places)) return;
    if (now - this.#sweptAt >= SWEEP_AGAIN_MS) this.#sweep(Infinity, now);
    if (this.#shares.hasRoom(tenantId, places)) return;
    const held = this.#shares.heldBy(tenantId);
    throw new ToolSearchError('STORE_UNAVAILABLE', `The tenant's share of the counters of limits is full: ${held}.`, {
      hint: 'Count for fewer users, sessions or tools, or keep the counters in a database.',
    });
  }

  #sweep(batch: number, now: number): number {
    this.#sweptAt = now;
    let removed = 0;
    for (const [key, { expiresAt, tenantId }] of this.#counters) {
      if (removed >= batch) break;
      if (expiresAt > now) continue;
      this.#counters.delete(key);
      this.#shares.giveBack(tenantId);
      removed += 1;
    }
    return removed;
  }
}
