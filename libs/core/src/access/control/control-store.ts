import type { JsonObject } from '../../json/json.js';
import type { AuditEntry, AuditHead } from './audit-entry.js';

/** Kinds of records that requests write by `ask`: read one by one, removed when they expire. */
export const ASKED_KINDS = ['approval', 'approval_arguments', 'confirmation'] as const;

/** The kind of a record: one of {@link ASKED_KINDS}, or a kind of operators' decisions, which every snapshot holds. */
export type ControlKind = string;

/** One decision of an operator, an approval that a call has requested, its arguments, or a confirmation that was used. */
export interface ControlRecord {
  readonly kind: ControlKind;
  /** Unique within its kind. */
  readonly key: string;
  /** The tenant concerned; `''` = all tenants. */
  readonly tenantId: string;
  readonly value: JsonObject;
  /** Epoch milliseconds after which it has no effect; 0 = never. */
  readonly expiresAt: number;
  /** The control revision that wrote it; 0 = an undecided approval. */
  readonly revision: number;
}

/** A record before the store has numbered it. */
export type NewControlRecord = Omit<ControlRecord, 'revision'>;

/** All records of one revision, except those of {@link ASKED_KINDS}. */
export interface ControlState {
  readonly revision: number;
  readonly records: readonly ControlRecord[];
}

/** One change of one record. Without `put` and `remove` it only adds a note to the audit trail. */
export interface ControlChange {
  /** `noun.past_verb`, for example `kill_switch.engaged`. */
  readonly action: string;
  readonly actor: string;
  readonly reason: string;
  /** The tenant concerned; `''` = all tenants. */
  readonly tenantId: string;
  /** The target in words, for example a tool or a tenant. */
  readonly subject: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly put?: NewControlRecord;
  readonly remove?: Pick<ControlRecord, 'kind' | 'key'>;
  /** The revision that the operator saw; 0 = there was no record. Absent: the revision is not checked. */
  readonly expectedRevision?: number;
  /** A second change with the same key returns the first one's entry and changes nothing. `''` = none. */
  readonly idempotencyKey: string;
}

/** The result of a change of the control store. */
export type ControlOutcome =
  | { readonly outcome: 'changed' | 'replayed'; readonly entry: AuditEntry }
  /** The record has another revision than expected, or there is nothing to remove. */
  | { readonly outcome: 'conflict'; readonly current: ControlRecord | undefined };

/** Selects entries of the audit trail; all given fields must match. */
export interface AuditFilter {
  readonly tenantId?: string;
  readonly actor?: string;
  /** A whole action (`kill_switch.engaged`), or a noun with its dot for all of its actions (`kill_switch.`). */
  readonly action?: string;
  /** Epoch milliseconds, inclusive. */
  readonly since?: number;
  /** Epoch milliseconds, exclusive. */
  readonly until?: number;
}

/** One page: at most `limit` items after `after`. */
export interface Page<Key> {
  readonly after?: Key;
  readonly limit: number;
}

/** Maximum numbers of asked records of one kind that are undecided. */
export interface OpenLimits {
  readonly perTenant: number;
  /** Per `userId` of the value, within one tenant. */
  readonly perUser: number;
}

/** An application process that shares this store. */
export interface ControlInstance {
  readonly id: string;
  /** The control revision that it has applied. */
  readonly appliedRevision: number;
  /** Milliseconds since its last heartbeat, by the store's clock. */
  readonly silentMs: number;
}

/**
 * Port for kill switches, stored policies, limits, profiles, deprecations, quarantine verdicts, edited example queries, approvals and
 * the audit trail. Abstract class, so that it is also the injection token.
 *
 * One revision counts all changes. A change and its audit entry are written atomically, and concurrent changes are
 * serialized, so the order of revisions is the order of commits.
 */
export abstract class ControlStore {
  /**
   * The revision and all records, except those of {@link ASKED_KINDS}, from one consistent read; undefined when the
   * revision is still `known`. Must read the primary, never a replica.
   *
   * @param kinds the kinds that the caller needs; records of others may be left out. @default all but the asked ones
   * @throws ToolSearchError `GATE_CLOSED` when the store is lost, for example its file was deleted: processes stop
   *   deciding at once
   */
  abstract read(known?: number, kinds?: readonly ControlKind[]): Promise<ControlState | undefined>;

  /** Applies one change and writes its audit entry. */
  abstract change(change: ControlChange): Promise<ControlOutcome>;

  /** One record of any kind, expired or not. */
  abstract find(kind: ControlKind, key: string): Promise<ControlRecord | undefined>;

  /** Records of one kind by ascending key; with `tenantId`, only that tenant's. */
  abstract list(kind: ControlKind, page: Page<string>, tenantId?: string): Promise<readonly ControlRecord[]>;

  /**
   * Writes a record of {@link ASKED_KINDS}, without a revision and without an audit entry, unless a record with the
   * same key is still valid at `now`. Returns the record that is then stored; undefined when a limit is reached. Removes
   * expired records of these kinds.
   */
  abstract ask(record: NewControlRecord, now: number, limits: OpenLimits): Promise<ControlRecord | undefined>;

  /**
   * Removes a record of {@link ASKED_KINDS} if it still has this revision and has not expired at `now`, without an audit
   * entry. Returns whether it did: of any number of claims of one record, also by several instances, exactly one. A
   * record of another kind is never removed.
   */
  abstract claim(kind: ControlKind, key: string, revision: number, now: number): Promise<boolean>;

  /** Matching entries, oldest first; `after` is a sequence number. */
  abstract audit(filter: AuditFilter, page: Page<number>): Promise<readonly AuditEntry[]>;

  /** As {@link ControlStore.audit}, newest first. */
  abstract newestAudit(filter: AuditFilter, page: Page<number>): Promise<readonly AuditEntry[]>;

  /** The end of the trail, stored separately from its entries. */
  abstract head(): Promise<AuditHead>;

  /**
   * Writes the heartbeat of an instance with the revision it has applied. Returns the store's clock (epoch
   * milliseconds), which decides about expiry, so the clocks of instances need not agree.
   */
  abstract beat(id: string, appliedRevision: number): Promise<number>;

  /** The instances with a heartbeat within the last `withinMs` milliseconds. */
  abstract instances(withinMs: number): Promise<readonly ControlInstance[]>;

  /** Removes an instance that has stopped. */
  abstract leave(id: string): Promise<void>;

  /**
   * Calls `onHint` after a possible change, and after every gap in which a notification could have been lost.
   * Notifications may be late or lost: readers also poll. Returns the function that stops watching.
   */
  watch?(onHint: () => void): Promise<() => Promise<void>>;

  /** Whether several processes may share this store. */
  get isShared(): boolean {
    return this.watch !== undefined;
  }
}
