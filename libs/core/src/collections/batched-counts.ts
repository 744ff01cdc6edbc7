import { TenantFairLru } from './tenant-fair-lru.js';

export interface CountRules<E extends { readonly tenantId: string }> {
  /** Entries of one tenant with equal keys are merged. */
  readonly keyOf: (entry: E) => string;
  readonly merge: (left: E, right: E) => E;
  /** Writes all entries, or rejects without having written any. */
  readonly write: (entries: readonly E[]) => Promise<void>;
  /** Called when a write fails. The entries are kept and written again later. */
  readonly onFault?: (error: unknown) => void;
  /** Maximum number of waiting entries. Beyond it the tenant with the most entries loses its oldest. @default 10000 */
  readonly max?: number;
}

const BATCH = 200;
const HOUR_MS = 3_600_000;

/**
 * Buffers counts, merged by key, so that the store is written every few seconds and not for each count. If a write
 * fails, its entries are kept and written again; a write whose reply was lost is therefore counted twice.
 */
export class BatchedCounts<E extends { readonly tenantId: string }> {
  readonly #waiting: TenantFairLru<E>;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(private readonly rules: CountRules<E>) {
    this.#waiting = new TenantFairLru(rules.max ?? 10_000);
  }

  add(entry: E): void {
    const key = this.rules.keyOf(entry);
    const known = this.#waiting.get(entry.tenantId, key);
    this.#waiting.set(entry.tenantId, key, known ? this.rules.merge(known, entry) : entry);
  }

  /** Writes the waiting entries; never rejects. Calls run one after the other, each with what waits at its start. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#writeAll());
    return this.#flushing;
  }

  /**
   * Starts to write every `everyMs` milliseconds.
   *
   * @param also called before each write
   * @param sweep called every hour, but not at the start: at boot there is other work, and many instances may start at
   *   once. If it fails, the next sweep tries again
   */
  start(everyMs: number, also: () => unknown = () => undefined, sweep: () => Promise<unknown> = async () => 0): void {
    if (this.#timer) return;
    let sweptAt = performance.now();
    this.#timer = setInterval(() => {
      also();
      if (performance.now() - sweptAt >= HOUR_MS) {
        sweptAt = performance.now();
        sweep().catch(() => 0);
      }
      void this.flush();
    }, everyMs);
    this.#timer.unref();
  }

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

  // Entries are removed just before the write: counts that arrive during it form new entries, so nothing is written
  // twice.
  #take(tenant: string, key: string): readonly E[] {
    const entry = this.#waiting.get(tenant, key);
    this.#waiting.delete(tenant, key);
    return entry ? [entry] : [];
  }
}
