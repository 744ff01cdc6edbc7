import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { CounterState, StoredCounter } from './counter.js';
import { type CounterChange, LimitStore } from './limit-store.js';

const MAX_COUNTERS = 100_000;
// A full store would otherwise look through all counters for each call.
const SWEEP_AGAIN_MS = 1000;

/**
 * Counters in the memory of one process, lost at exit; several processes count each for itself. Holds at most 100,000
 * counters: beyond that a call that needs another one is an error, because to forget one would let its calls pass.
 */
export class MemoryLimitStore extends LimitStore {
  readonly #counters = new Map<string, StoredCounter>();
  #sweptAt = -Infinity;
  #latest = -Infinity;

  /** @param clock epoch milliseconds */
  constructor(
    private readonly clock: () => number = Date.now,
    private readonly maxCounters = MAX_COUNTERS,
  ) {
    super();
  }

  /** @throws ToolSearchError `STORE_UNAVAILABLE` when there is no room for another counter */
  override update<T>(keys: readonly string[], change: CounterChange<T>): T {
    const now = this.#now();
    const { answer, writes } = change(this.#states(keys, now), now);
    if (!writes) return answer;
    this.#makeRoom(keys, now);
    for (const [index, write] of writes.entries()) if (write) this.#counters.set(keys[index] ?? '', write);
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

  #makeRoom(keys: readonly string[], now: number): void {
    if (this.#counters.size + keys.length <= this.maxCounters) return;
    if (keys.every((key) => this.#counters.has(key))) return;
    if (Math.abs(now - this.#sweptAt) >= SWEEP_AGAIN_MS) this.#sweep(Infinity, now);
    if (this.#counters.size + keys.length <= this.maxCounters) return;
    throw new ToolSearchError('STORE_UNAVAILABLE', `There are ${this.maxCounters} counters of limits already.`, {
      hint: 'Count for fewer users, sessions or tools, or keep the counters in a database.',
    });
  }

  #sweep(batch: number, now: number): number {
    this.#sweptAt = now;
    let removed = 0;
    for (const [key, { expiresAt }] of this.#counters) {
      if (removed >= batch) break;
      if (expiresAt > now) continue;
      this.#counters.delete(key);
      removed += 1;
    }
    return removed;
  }
}
