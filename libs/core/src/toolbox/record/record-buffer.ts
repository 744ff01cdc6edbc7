import type { CallRecord } from './call-record.js';
import type { PendingContent } from './recorded-content.js';
import type { ToolCallStore } from './tool-call-store.js';

export interface BufferRules {
  readonly store: Pick<ToolCallStore, 'add'>;
  /** Called at the first of several failed writes. */
  readonly onFault: (error: unknown) => void;
  /** Called with the number of records that were lost because the store did not take any for too long. */
  readonly onLost: (records: number) => void;
  /** Called with the number of records that were written. */
  readonly onWritten: (records: number) => void;
  /** Maximum number of waiting records; beyond it the tenant with the most loses its newest. @default 10000 */
  readonly max?: number;
}

interface Waiting {
  readonly record: CallRecord;
  readonly content: PendingContent | undefined;
}

// A statement of this size takes a few milliseconds, and a SQLite statement blocks the event loop.
const BATCH = 100;

/** Keeps records in memory until they are written: in batches, in their order. A failed write is repeated. */
export class RecordBuffer {
  readonly #max: number;
  #waiting: Waiting[] = [];
  /** Numbers of waiting records, by tenant. */
  readonly #counts = new Map<string, number>();
  #lost = 0;
  #isFailing = false;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #flushing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(private readonly rules: BufferRules) {
    this.#max = rules.max ?? 10_000;
  }

  push(record: CallRecord, content?: PendingContent): void {
    const { tenantId } = record;
    if (this.#waiting.length >= this.#max) {
      this.#lost += 1;
      const largest = this.#largest(tenantId);
      if (largest === tenantId) return;
      this.#waiting.splice(
        this.#waiting.findLastIndex((one) => one.record.tenantId === largest),
        1,
      );
      this.#count(largest, -1);
    }
    this.#waiting.push({ record, content });
    this.#count(tenantId, 1);
    // A full buffer does not wait for the timer. After the stop there is none, and the store is still open.
    if (this.#isStopped || (this.#waiting.length === this.#max >> 1 && !this.#isFailing)) void this.flush();
  }

  /** Writes what waits; never rejects. Callers that arrive during a write share the next one. */
  flush(): Promise<void> {
    this.#next ??= this.#flushing.then(() => {
      this.#next = undefined;
      this.#flushing = this.#writeAll();
      return this.#flushing;
    });
    return this.#next;
  }

  start(everyMs: number): void {
    this.#isStopped = false;
    this.#timer ??= setInterval(() => void (this.#waiting.length > 0 && this.flush()), everyMs);
    this.#timer.unref();
  }

  /** Ends the periodic work and writes what waits. Later records are written at once. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#isStopped = true;
    await this.flush();
    if (this.#waiting.length === 0) return;
    // A second and last try, because the store is closed next.
    await this.flush();
    this.#lost += this.#waiting.length;
    this.#remove(() => true);
    this.#reportLost();
  }

  /** Forgets waiting records, such as those of a user who is erased. A write that runs already may still end. */
  discard(isDiscarded: (record: CallRecord) => boolean): void {
    this.#remove(({ record }) => isDiscarded(record));
  }

  #remove(isGoing: (one: Waiting) => boolean): void {
    this.#waiting = this.#waiting.filter((one) => {
      if (!isGoing(one)) return true;
      this.#count(one.record.tenantId, -1);
      return false;
    });
  }

  #count(tenantId: string, change: 1 | -1): void {
    const count = (this.#counts.get(tenantId) ?? 0) + change;
    if (count > 0) this.#counts.set(tenantId, count);
    else this.#counts.delete(tenantId);
  }

  /** The tenant with the most records, if this one has a further one. */
  #largest(tenantId: string): string {
    let [largest, most] = [tenantId, (this.#counts.get(tenantId) ?? 0) + 1];
    for (const [other, count] of this.#counts) if (count > most) [largest, most] = [other, count];
    return largest;
  }

  async #writeAll(): Promise<void> {
    // Only what waits now: under load, records may come as fast as they are written.
    for (let left = this.#waiting.length; left > 0; left -= BATCH) {
      const batch = new Set(this.#waiting.slice(0, Math.min(BATCH, left)));
      if (batch.size === 0) break;
      try {
        const records = await Promise.all(Array.from(batch, completed));
        await this.rules.store.add(records);
      } catch (error) {
        if (!this.#isFailing) this.rules.onFault(error);
        this.#isFailing = true;
        return;
      }
      this.#isFailing = false;
      this.#remove((one) => batch.has(one));
      this.rules.onWritten(batch.size);
    }
    this.#reportLost();
  }

  #reportLost(): void {
    if (this.#lost === 0) return;
    this.rules.onLost(this.#lost);
    this.#lost = 0;
  }
}

async function completed({ record, content }: Waiting): Promise<CallRecord> {
  return storable(content ? { ...record, ...(await content()) } : record);
}

const MAX_CALL_ID = 256;

/** One record that a database refuses would keep all later ones from being written. PostgreSQL refuses NUL in texts. */
function storable(record: CallRecord): CallRecord {
  const texts = Object.entries({ ...record, callId: String(record.callId).slice(0, MAX_CALL_ID) })
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .map(([name, text]) => [name, text.replaceAll('\0', '\ufffd')]);
  return { ...record, ...Object.fromEntries(texts) } as CallRecord;
}
