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

  /** Deletes at most `batch` of the oldest records that retention does not keep. Returns how many were deleted. */
  abstract sweep(retention: CallRetention, batch: number): Promise<number>;

  /** Deletes at most `batch` records of a tenant, or of one of its users. Returns how many were deleted. */
  abstract erase(whose: { readonly tenantId: string; readonly userId?: string }, batch: number): Promise<number>;
}

/** Maximum number of {@link CallSum} in one answer. */
export const MAX_SUMS = 10_000;
