import { type CallGroup, CallGrouping } from './call-groups.js';
import type { CallFilter, CallRecord, CallSum } from './call-record.js';

/** A page of records. */
export interface CallPage {
  readonly limit: number;
  /** Id of the last record before the page. */
  readonly after?: string;
  /** @default the newest first */
  readonly oldestFirst?: boolean;
}

/** Records that are too old, or too many. */
export interface CallRetention {
  /** Records that began before this time are removed. Epoch milliseconds; 0 = none. */
  readonly before: number;
  /** How many of the newest records are kept. */
  readonly keep: number;
}

/** Stores what happened; append-only. An abstract class, so that it is also the injection token. */
export abstract class ToolCallStore {
  /**
   * Registers work that a store which is closed with the application awaits before it closes: the last records and counts
   * come from calls that end while the application drains. The work never rejects. @default ignored
   */
  beforeClosing(_work: () => Promise<void>): void {}

  /** Appends all records or none. Ignores a record whose id is stored, so a write whose reply was lost is repeated. */
  abstract add(records: readonly CallRecord[]): Promise<void>;

  /** Matching records in the order of their ids, the newest first unless the page says otherwise. */
  abstract list(filter: CallFilter, page: CallPage): Promise<readonly CallRecord[]>;

  /** Counts of calls by hour, layer, decision and outcome, the oldest hour first; at most 10,000. */
  abstract sums(filter: CallFilter): Promise<readonly CallSum[]>;

  /**
   * Calls by span of time, tenant, first part of the tool's name, layer, decision, outcome and speed, the oldest span first;
   * at most 100,000 groups, and one more where there are more. A store that does not group them itself reads each record.
   *
   * @param spanMs length of a span in milliseconds, which divides an hour
   */
  async groups(filter: CallFilter, spanMs: number): Promise<readonly CallGroup[]> {
    const grouping = new CallGrouping(spanMs);
    const wanted = { ...filter, kind: 'call' } as const;
    for (let after: string | undefined; ;) {
      const records = await this.list(wanted, {
        limit: PAGE,
        oldestFirst: true,
        ...(after !== undefined && { after }),
      });
      for (const record of records) grouping.add(record);
      after = records.at(-1)?.id;
      if (records.length < PAGE) return grouping.groups().slice(0, MAX_GROUPS + 1);
    }
  }

  /** Deletes at most `batch` of the oldest records that retention does not keep. Returns how many were deleted. */
  abstract sweep(retention: CallRetention, batch: number): Promise<number>;

  /** Deletes at most `batch` records of a tenant, or of one of its users. Returns how many were deleted. */
  abstract erase(whose: { readonly tenantId: string; readonly userId?: string }, batch: number): Promise<number>;
}

const PAGE = 1000;

/** Maximum number of {@link CallGroup} in one answer; one more says that there are more. */
export const MAX_GROUPS = 100_000;

/** Maximum number of {@link CallSum} in one answer. */
export const MAX_SUMS = 10_000;
