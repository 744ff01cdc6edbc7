import { fits } from '../../collections/records.js';
import { TenantFairLru } from '../../collections/tenant-fair-lru.js';
import {
  addedCounts,
  countsBy,
  type HourTokens,
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

  override async hours(filter: LedgerFilter, limit: number): Promise<readonly HourTokens[]> {
    const hours = new Map<string, HourTokens>();
    for (const entry of this.#matching(filter)) {
      const { hour, tokenizer } = entry;
      const key = JSON.stringify([hour, tokenizer]);
      const known = hours.get(key);
      hours.set(key, { hour, tokenizer, ...(known ? addedCounts(known, entry) : countsOf(entry)) });
    }
    return [...hours.values()].sort((left, right) => left.hour - right.hour).slice(0, limit);
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
    return this.#entries.deleteWhere(({ hour }) => hour < before, batch);
  }

  #matching({ since = 0, until = Infinity, ...whose }: LedgerFilter): readonly LedgerEntry[] {
    const entries = Array.from(this.#entries.entries(), ([, , entry]) => entry);
    return entries.filter((entry) => entry.hour >= since && entry.hour < until && fits<LedgerSession>(entry, whose));
  }
}

function placeOf({ tenantId, userId, sessionId, tokenizer }: LedgerSession): LedgerPlace {
  return [tenantId, userId, sessionId, tokenizer];
}

function countsOf(entry: LedgerEntry): LedgerCounts {
  return countsBy((name) => entry[name]);
}
