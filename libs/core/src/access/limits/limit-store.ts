import type { CounterState, StoredCounter } from './counter.js';

/** The answer of a change, and the new counters in the order of the keys; undefined keeps a counter as it is. */
export interface CounterUpdate<T> {
  readonly answer: T;
  /** Absent: nothing is written. */
  readonly writes?: readonly (StoredCounter | undefined)[];
}

/**
 * Decides about counters. Synchronous and pure: a store may hold locks while it runs, and may call it again.
 *
 * @param states in the order of the keys; undefined where nothing counts
 * @param now epoch milliseconds by the clock of the store
 */
export type CounterChange<T> = (states: readonly (CounterState | undefined)[], now: number) => CounterUpdate<T>;

/**
 * Port for the counters of limits. Abstract class, so that it is also the injection token. Counters that have expired
 * read as missing. Keys have at most 8,192 characters.
 */
export abstract class LimitStore {
  /**
   * Locks the counters of these keys, which differ from each other, reads them and the store's clock, applies the change
   * and writes all of its counters or none. Concurrent updates of one counter take effect one after the other. A store in
   * memory may answer at once.
   *
   * @param tenantId whose call it is; a store with a bound gives each tenant a share of its new counters
   */
  abstract update<T>(keys: readonly string[], change: CounterChange<T>, tenantId?: string): T | Promise<T>;

  /** Reads counters without a lock, and the store's clock (epoch milliseconds). */
  abstract peek(
    keys: readonly string[],
  ): Promise<{ readonly states: readonly (CounterState | undefined)[]; readonly now: number }>;

  /** Removes up to `batch` expired counters. Returns the number of removed ones. */
  abstract sweep(batch: number): Promise<number>;
}
