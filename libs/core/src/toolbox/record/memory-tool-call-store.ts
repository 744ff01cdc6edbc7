import { equalPart } from '../../collections/equal-part.js';
import { fits } from '../../collections/records.js';
import type { CallFilter, CallRecord, CallSum } from './call-record.js';
import { type CallPage, type CallRetention, MAX_SUMS, ToolCallStore } from './tool-call-store.js';

const HOUR_MS = 3_600_000;

/** Keeps records in the memory of one process: they are lost when it ends and not shared between instances. */
export class MemoryToolCallStore extends ToolCallStore {
  /** In the order of ids. */
  #records: CallRecord[] = [];
  readonly #ids = new Set<string>();

  /** @param maxRecords maximum number of records; beyond it the tenants with the most lose their oldest. @default 10,000 */
  constructor(private readonly maxRecords = 10_000) {
    super();
  }

  override async add(records: readonly CallRecord[]): Promise<void> {
    const fresh = records.filter(({ id }) => !this.#ids.has(id) && this.#ids.add(id)).sort(byId);
    const [first] = fresh;
    if (!first) return;
    // Only the newest records can have begun after the first of these: to sort all of them would cost every call.
    const newer = this.#records.splice(this.#records.findLastIndex(({ id }) => id < first.id) + 1);
    this.#records.push(...(newer.length === 0 ? fresh : [...newer, ...fresh].sort(byId)));
    // A tenth at a time, because each removal moves the whole list.
    if (this.#records.length > this.maxRecords * 1.1) this.#makeRoom();
  }

  override async list(filter: CallFilter, { limit, after, oldestFirst }: CallPage): Promise<readonly CallRecord[]> {
    const found: CallRecord[] = [];
    const [from, to] = [this.#place(filter.since), this.#place(filter.until ?? Infinity)];
    const records = this.#records.slice(from, to);
    if (!oldestFirst) records.reverse();
    for (const record of records) {
      if (found.length === limit) break;
      const isBehind = after === undefined || (oldestFirst ? record.id > after : record.id < after);
      if (isBehind && matches(record, filter)) found.push(record);
    }
    return found;
  }

  override async sums(filter: CallFilter): Promise<readonly CallSum[]> {
    const sums = new Map<string, CallSum>();
    for (const record of this.#records) {
      if (record.kind !== 'call' || !matches(record, filter)) continue;
      const { at, layer, decision, outcome } = record;
      const hour = at - (at % HOUR_MS);
      const key = JSON.stringify([hour, layer, decision, outcome]);
      sums.set(key, { hour, layer, decision, outcome, calls: (sums.get(key)?.calls ?? 0) + 1 });
    }
    return [...sums.values()].sort((left, right) => left.hour - right.hour).slice(0, MAX_SUMS);
  }

  override async sweep({ before, keep }: CallRetention, batch: number): Promise<number> {
    const old = this.#records.findIndex(({ at }) => at >= before);
    const expired = old === -1 ? this.#records.length : old;
    return this.#remove(Math.min(batch, Math.max(expired, this.#records.length - keep)));
  }

  override async erase(whose: { tenantId: string; userId?: string }, batch: number): Promise<number> {
    const before = this.#records.length;
    let left = batch;
    this.#records = this.#records.filter((record) => {
      if (left === 0 || !fits<Pick<CallRecord, 'tenantId' | 'userId'>>(record, whose)) return true;
      left -= 1;
      this.#ids.delete(record.id);
      return false;
    });
    return before - this.#records.length;
  }

  /** How many records began before this time. */
  #place(time = 0): number {
    let [low, high] = [0, this.#records.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#records[middle]?.at ?? Infinity) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Removes the oldest records of the tenants that have more than an equal part of the room. */
  #makeRoom(): void {
    const going = new Map<string, number>();
    for (const { tenantId } of this.#records) going.set(tenantId, (going.get(tenantId) ?? 0) + 1);
    const part = equalPart([...going.values()], this.maxRecords);
    for (const [tenantId, count] of going) going.set(tenantId, count - part);
    let wanted = this.#records.length - this.maxRecords;
    this.#records = this.#records.filter(({ id, tenantId }) => {
      const left = going.get(tenantId) ?? 0;
      if (left <= 0 || wanted === 0) return true;
      wanted -= 1;
      going.set(tenantId, left - 1);
      this.#ids.delete(id);
      return false;
    });
  }

  #remove(count: number): number {
    for (const { id } of this.#records.splice(0, count)) this.#ids.delete(id);
    return count;
  }
}

function matches(record: CallRecord, { since = 0, until = Infinity, ...rest }: CallFilter): boolean {
  return record.at >= since && record.at < until && fits<Omit<CallFilter, 'since' | 'until'>>(record, rest);
}

function byId(left: CallRecord, right: CallRecord): number {
  return left.id < right.id ? -1 : Number(left.id > right.id);
}
