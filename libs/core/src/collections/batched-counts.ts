import { FairMap } from './fair-map.js';

/** What {@link BatchedCounts} needs to know of what it counts. */
export interface CountRules<E extends { readonly tenantId: string }> {
  /** Entries of one tenant with equal keys are one. */
  readonly keyOf: (entry: E) => string;
  readonly merge: (left: E, right: E) => E;
  /** Writes all of these, or rejects and has written none. */
  readonly write: (entries: readonly E[]) => Promise<void>;
  /** Told that counts could not be written; they are kept and tried again. */
  readonly onFault?: (error: unknown) => void;
  /** Entries that may wait; the tenant that has most gives way. @default 10000 */
  readonly max?: number;
}

const BATCH = 200;

/**
 * Counts that wait to be written, merged by key, so that a store is asked every few seconds and not at every step. What is
 * counted while the store is down is written when it is back; a write of which nobody knows whether it arrived is repeated.
 */
export class BatchedCounts<E extends { readonly tenantId: string }> {
  readonly #waiting: FairMap<E>;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(private readonly rules: CountRules<E>) {
    this.#waiting = new FairMap(rules.max ?? 10_000);
  }

  add(entry: E): void {
    const key = this.rules.keyOf(entry);
    const known = this.#waiting.get(entry.tenantId, key);
    this.#waiting.set(entry.tenantId, key, known ? this.rules.merge(known, entry) : entry);
  }

  /** Writes what waits; never rejects. Those who ask while it writes wait for what was there when they asked. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#writeAll());
    return this.#flushing;
  }

  /** Writes every so many milliseconds. @param also done before each write */
  start(everyMs: number, also: () => unknown = () => undefined): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => {
      also();
      void this.flush();
    }, everyMs);
    this.#timer.unref();
  }

  /** Ends writing by itself, after all that waits has been written. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.flush();
  }

  async #writeAll(): Promise<void> {
    const all = [...this.#waiting.entries()];
    for (let from = 0; from < all.length; from += BATCH) {
      const batch = all.slice(from, from + BATCH).flatMap(([tenant, key]) => this.#take(tenant, key));
      try {
        if (batch.length > 0) await this.rules.write(batch);
      } catch (error) {
        for (const entry of batch) this.add(entry);
        this.rules.onFault?.(error);
        return;
      }
    }
  }

  // Taken in the moment of writing: what is counted meanwhile is a new entry, and nothing is written twice.
  #take(tenant: string, key: string): readonly E[] {
    const entry = this.#waiting.get(tenant, key);
    this.#waiting.delete(tenant, key);
    return entry ? [entry] : [];
  }
}
