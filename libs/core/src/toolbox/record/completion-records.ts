import type { CallRecord } from './call-record.js';

const MINUTE_MS = 60_000;
/** Beyond them, those of the minute are written before it is over. */
const MAX_OPEN = 10_000;

interface OpenRecord {
  readonly record: CallRecord;
  readonly asked: number;
  readonly refused: number;
}

/** Requests for suggestions, joined to one record for each user and item within a minute: a key press is no record. */
export class CompletionRecords {
  #open = new Map<string, OpenRecord>();
  #minute = NaN;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** @param push receives each record when its minute is over */
  constructor(private readonly push: (record: CallRecord) => void) {}

  /** Adds one request. @param now epoch milliseconds */
  add(record: CallRecord, now: number): void {
    if (this.#isStopped) return this.push(finished(joined(undefined, record)));
    this.#endBefore(now);
    const key = JSON.stringify([record.tenantId, record.userId, record.tool]);
    const known = this.#open.get(key);
    if (!known && this.#open.size >= MAX_OPEN) this.end();
    this.#open.set(key, joined(known, record));
  }

  /** Begins to write those of minutes that are over. After {@link stop}, each request is written at once. */
  start(now: () => number): void {
    this.#isStopped = false;
    this.#timer ??= setInterval(() => this.#endBefore(now()), MINUTE_MS).unref();
  }

  /** Writes all: a reader of the record wants the minute that is not over too. */
  end(): void {
    const open = [...this.#open.values()];
    this.#open = new Map();
    for (const each of open) this.push(finished(each));
  }

  /** Ends the periodic work and writes all. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.end();
  }

  #endBefore(now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) this.end();
    this.#minute = minute;
  }
}

/** Keeps who and when of the first, and the decision of the last that was refused. */
function joined(known: OpenRecord | undefined, record: CallRecord): OpenRecord {
  const refused = Number(record.outcome !== 'ok');
  if (!known) return { record, asked: 1, refused };
  const { id, at, sessionId, runId, agentIds, step, ms } = known.record;
  const decided = refused === 1 || known.refused === 0 ? record : known.record;
  return {
    record: { ...decided, id, at, sessionId, runId, agentIds, step, ms: ms + record.ms },
    asked: known.asked + 1,
    refused: known.refused + refused,
  };
}

function finished({ record, asked, refused }: OpenRecord): CallRecord {
  const reason = refused === 0 ? record.reason : `${refused} of ${asked} refused: ${record.reason}`;
  return { ...record, reason, toolCount: asked };
}
