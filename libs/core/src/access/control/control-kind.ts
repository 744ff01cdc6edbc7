import type { JsonObject } from '../../json/json.js';
import type { ToolEvent, ToolEventOf } from '../../tool/tool-event.js';
import type { AuditEntry } from './audit-entry.js';
import type { ControlRecord } from './control-store.js';

/** The action of an operator's decision in the audit trail, which is also the type of its event. */
export type DecisionAction = Extract<ToolEvent, { readonly actor: string; readonly revision: number }>['type'];

/** What a record's parser reads. */
export type ReadRecord = Pick<ControlRecord, 'value' | 'revision'>;

/**
 * For each action, the fields of its event, read from the audit entry of the decision. The writer adds `type`, `actor`
 * and `revision`.
 */
export type DecisionEvents<Action extends DecisionAction> = {
  readonly [A in Action]: (entry: AuditEntry) => Omit<ToolEventOf<A>, 'type' | 'at' | 'actor' | 'revision'>;
};

/** A kind of records about which operators decide; each decision writes an entry of the audit trail and an event. */
export interface AuditedKind<Action extends DecisionAction = never> {
  /** The kind of its records. Its actions begin with it and a dot. */
  readonly kind: string;
  /** Its name in error messages, without an article. */
  readonly noun: string;
  /** Returns the key of the record with this value. */
  readonly keyOf: (value: JsonObject) => string;
  readonly events: DecisionEvents<Action>;
  /** The field of a value with the time of the decision, in epoch milliseconds. @default none */
  readonly stampedAt?: string;
  /** Further fields of a value that may differ when the same request is repeated. @default none */
  readonly notCompared?: readonly string[];
  /** The expiry of a decision counts from its time, so a repeated request has another one. @default it is a given time */
  readonly hasRelativeExpiry?: true;
}

/**
 * A kind of decisions that a process needs at all times: its records are part of every {@link ControlSnapshot}. A
 * feature declares it in its own folder, and the runtime hands the list of all kinds to the control plane.
 */
export interface StoredKind<
  Item = unknown,
  Part = unknown,
  Action extends DecisionAction = never,
> extends AuditedKind<Action> {
  /** Reads a record. @throws ToolSearchError for an unreadable one: to skip it would allow what it denies */
  readonly parse: (record: ReadRecord) => Item;
  /** Builds the immutable part of the snapshot from all records of the kind. */
  readonly partOf: (records: readonly ControlRecord[]) => Part;
  readonly stampedAt: string;
  /** How many records there may be at once. @default any number */
  readonly max?: number;
  /** Its decisions change which tools a context sees until further notice, so cached views are then out of date. */
  readonly changesViews?: true;
}

/**
 * A kind of records that requests write without an audit entry, and that operators then decide about. They are read one
 * by one, expire, and are part of no snapshot.
 */
export interface AskedKind<Action extends DecisionAction = never> extends AuditedKind<Action> {
  /** Whether nobody has decided about the record, so that no audit entry has written it. */
  readonly isUndecided: (record: ControlRecord) => boolean;
  /** Whether a decided record with this value may be used up, and so be gone before it expires. @default none is */
  readonly isUsedUp?: (value: JsonObject) => boolean;
}

/** All kinds of records that the control plane of an application knows. */
export interface ControlKinds {
  readonly stored: readonly StoredKind[];
  readonly asked: readonly AskedKind[];
}

/** The kind of record that an action of the audit trail changed; undefined for a mere note. */
export function kindOfAction({ stored, asked }: ControlKinds, action: string): AuditedKind | undefined {
  return [...stored, ...asked].find(({ kind }) => action.startsWith(`${kind}.`));
}
