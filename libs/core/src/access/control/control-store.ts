import type { JsonObject } from '../../json/json.js';
import type { AuditEntry, AuditHead } from './audit-entry.js';

/** What operators decide while the application runs. Approvals are looked up one by one; the others decide for everybody. */
export type ControlKind = 'kill_switch' | 'policy' | 'quarantine' | 'approval';

/** One thing that an operator has decided, or a model has asked for. */
export interface ControlRecord {
  readonly kind: ControlKind;
  /** Unique within its kind. */
  readonly key: string;
  /** Whom it concerns; `''` = everybody. */
  readonly tenantId: string;
  readonly value: JsonObject;
  /** Epoch milliseconds after which it counts for nothing; 0 = never. */
  readonly expiresAt: number;
  /** The control revision that wrote it; 0 for an approval nobody has decided. */
  readonly revision: number;
}

/** A record that is to be written. */
export type NewControlRecord = Omit<ControlRecord, 'revision'>;

/** Everything that decides for everybody (all kinds but approvals), as of one revision. */
export interface ControlState {
  readonly revision: number;
  readonly records: readonly ControlRecord[];
}

/** One change of one record, or with neither `put` nor `remove` a note in the audit trail that changes nothing. */
export interface ControlChange {
  /** `noun.past_verb`, for example `kill_switch.engaged`. */
  readonly action: string;
  readonly actor: string;
  readonly reason: string;
  /** Whom it concerns; `''` = everybody. */
  readonly tenantId: string;
  /** What it is about, for people: a tool, a tenant. */
  readonly subject: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly put?: NewControlRecord;
  readonly remove?: Pick<ControlRecord, 'kind' | 'key'>;
  /** The revision of the record as the operator saw it; 0 = there is none. Left out: whatever it is. */
  readonly expectedRevision?: number;
  /** A second change with the same key is answered with the first one's entry and changes nothing. `''` = none. */
  readonly idempotencyKey: string;
}

/** What became of a change. */
export type ControlOutcome =
  | { readonly outcome: 'changed' | 'replayed'; readonly entry: AuditEntry }
  /** The record is not what the operator saw, or there is nothing to remove. */
  | { readonly outcome: 'conflict'; readonly current: ControlRecord | undefined };

/** Which entries of the audit trail. */
export interface AuditFilter {
  readonly tenantId?: string;
  readonly actor?: string;
  /** `kill_switch.engaged`, or every action of a noun: `kill_switch.`. */
  readonly action?: string;
  /** Epoch milliseconds, inclusive. */
  readonly since?: number;
  /** Epoch milliseconds, exclusive. */
  readonly until?: number;
}

/** One page of something: what comes after `after`, at most `limit`. */
export interface Page<Key> {
  readonly after?: Key;
  readonly limit: number;
}

/** How many undecided approvals there may be. */
export interface OpenLimits {
  readonly perTenant: number;
  /** Of one tenant with the same `userId` in the value. */
  readonly perUser: number;
}

/** An application process that shares this store. */
export interface ControlInstance {
  readonly id: string;
  /** The control revision by which it decides. */
  readonly appliedRevision: number;
  /** Milliseconds since it last said so, by the store's clock. */
  readonly silentMs: number;
}

/**
 * Where kill switches, stored policies, quarantine verdicts, approvals and the audit trail live. One revision counts every
 * change of them, and each change and its audit entry are written together or not at all; concurrent changes are written
 * one after the other, so the order of revisions is the order of commits. An abstract class, so that it is also the
 * injection token.
 */
export abstract class ControlStore {
  /**
   * The revision and all records that decide for everybody, as of one moment; undefined when the revision is still `known`.
   * Reads what is written last, never a replica.
   *
   * @throws ToolSearchError `GATE_CLOSED` where the store is lost, for example its file deleted: processes stop deciding at once
   */
  abstract read(known?: number): Promise<ControlState | undefined>;

  /** Makes one change and its audit entry. */
  abstract change(change: ControlChange): Promise<ControlOutcome>;

  /** One record of any kind, expired or not. */
  abstract find(kind: ControlKind, key: string): Promise<ControlRecord | undefined>;

  /** Records of one kind by key, ascending; of one tenant if it is named. */
  abstract list(kind: ControlKind, page: Page<string>, tenantId?: string): Promise<readonly ControlRecord[]>;

  /**
   * Writes an approval that is asked for, without a revision and without an audit entry, unless one with the same key has
   * not expired at `now`. Returns what is there then; undefined when so many undecided ones are there already. Removes what
   * has expired.
   */
  abstract ask(record: NewControlRecord, now: number, limits: OpenLimits): Promise<ControlRecord | undefined>;

  /** Entries that match, oldest first; `after` is a sequence number. */
  abstract audit(filter: AuditFilter, page: Page<number>): Promise<readonly AuditEntry[]>;

  /** As {@link ControlStore.audit}, newest first. */
  abstract newestAudit(filter: AuditFilter, page: Page<number>): Promise<readonly AuditEntry[]>;

  /** The end of the trail, kept apart from its entries. */
  abstract head(): Promise<AuditHead>;

  /**
   * Writes that an instance lives and by which revision it decides, and answers with the store's clock (epoch milliseconds),
   * by which expiry times count: the clocks of instances need not agree.
   */
  abstract beat(id: string, appliedRevision: number): Promise<number>;

  /** The instances that have said so within the last `withinMs` milliseconds. */
  abstract instances(withinMs: number): Promise<readonly ControlInstance[]>;

  /** Forgets an instance that has ended. */
  abstract leave(id: string): Promise<void>;

  /**
   * Calls `onHint` when something may have changed, also after every time in which a hint could have been missed. A hint
   * may be late or lost: readers poll as well. Returns what stops it.
   */
  watch?(onHint: () => void): Promise<() => Promise<void>>;

  /** Whether several processes may decide by this store. */
  get isShared(): boolean {
    return this.watch !== undefined;
  }
}
