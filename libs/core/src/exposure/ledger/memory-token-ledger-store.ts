import { TenantFairLru } from '../../collections/tenant-fair-lru.js';
import {
  addedCounts,
  countsBy,
  type LedgerCounts,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerPlace,
  type LedgerSession,
  type SessionTokens,
  TokenLedgerStore,
} from './token-ledger-store.js';

/** Keeps token counts in the memory of one process: they are lost when it ends and not shared between instances. */
export class MemoryTokenLedgerStore extends TokenLedgerStore {
  readonly #entries: TenantFairLru<LedgerEntry>;

  /** @param maxEntries maximum number of entries for all tenants together; default 50,000 */
  constructor(maxEntries = 50_000) {
    super();
    this.#entries = new TenantFairLru(maxEntries);
  }

  override async add(entries: readonly LedgerEntry[]): Promise<void> {
    for (const entry of entries) {
      const key = JSON.stringify([...placeOf(entry), entry.hour]);
      const known = this.#entries.get(entry.tenantId, key);
      this.#entries.set(entry.tenantId, key, known ? { ...entry, ...addedCounts(known, entry) } : entry);
    }
  }

  override async sums(filter: LedgerFilter): Promise<readonly (LedgerCounts & Pick<LedgerEntry, 'tokenizer'>)[]> {
    const sums = new Map<string, LedgerCounts & Pick<LedgerEntry, 'tokenizer'>>();
    for (const entry of this.#matching(filter)) {
      const { tokenizer } = entry;
      const known = sums.get(tokenizer);
      sums.set(tokenizer, { tokenizer, ...(known ? addedCounts(known, entry) : countsOf(entry)) });
    }
    return [...sums.values()];
  }

  override async sessions(
    filter: LedgerFilter,
    { limit, after }: { limit: number; after?: LedgerPlace },
  ): Promise<readonly SessionTokens[]> {
    const sessions = new Map<string, SessionTokens>();
    for (const entry of this.#matching(filter)) {
      const { tenantId, userId, sessionId, tokenizer, hour } = entry;
      const key = JSON.stringify(placeOf(entry));
      const known = sessions.get(key);
      const counts = known ? addedCounts(known, entry) : countsOf(entry);
      const lastHour = Math.max(hour, known?.lastHour ?? 0);
      sessions.set(key, { tenantId, userId, sessionId, tokenizer, ...counts, lastHour });
    }
    const start = after && JSON.stringify(after);
    return [...sessions]
      .filter(([key]) => start === undefined || key > start)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .slice(0, limit)
      .map(([, session]) => session);
  }

  override async sweep(before: number, batch: number): Promise<number> {
    const old = [...this.#entries.entries()].filter(([, , { hour }]) => hour < before).slice(0, batch);
    for (const [tenant, key] of old) this.#entries.delete(tenant, key);
    return old.length;
  }

  *#matching({ tenantId, userId, sessionId, since = 0 }: LedgerFilter): Iterable<LedgerEntry> {
    for (const [, , entry] of this.#entries.entries()) {
      const isAsked =
        (tenantId === undefined || entry.tenantId === tenantId) &&
        (userId === undefined || entry.userId === userId) &&
        (sessionId === undefined || entry.sessionId === sessionId) &&
        entry.hour >= since;
      if (isAsked) yield entry;
    }
  }
}

function placeOf({ tenantId, userId, sessionId, tokenizer }: LedgerSession): LedgerPlace {
  return [tenantId, userId, sessionId, tokenizer];
}

function countsOf(entry: LedgerEntry): LedgerCounts {
  return countsBy((name) => entry[name]);
}
