import type { JsonObject } from '../../json/json.js';
import { stableHash } from '../../json/stable-hash.js';
import type { NewToolEvent, ToolEvents } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { AuditEntry } from './audit-entry.js';
import type { AuditedKind, DecisionAction } from './control-kind.js';
import type { ControlPlane } from './control-plane.js';
import type { ControlChange, ControlRecord } from './control-store.js';

/** One decision of an operator: a change whose action has an event. */
export interface Decision<Action extends DecisionAction> extends ControlChange {
  readonly action: Action;
}

/** Where decisions are written and told. */
export interface DecisionDesk {
  readonly plane: ControlPlane;
  readonly events: ToolEvents;
}

/** What differs between decisions. */
export interface DecisionRules {
  /** Whether an earlier entry concerns the same record. @default its subject and tenant are the same */
  readonly isAbout?: (entry: AuditEntry) => boolean;
  /** The error where the record has another revision than expected. @default it names the revision */
  readonly conflict?: (current: ControlRecord) => ToolSearchError;
}

/**
 * Writes an operator's decision and emits its event. When this resolves, this process applies it. A repeated request
 * gets the first one's entry while that decision is still valid, and emits nothing.
 *
 * @throws ToolSearchError `REVISION_CONFLICT`; `NOT_FOUND` when there is no such record; `INVALID_REQUEST` for an
 *   idempotency key of another decision, or of one that is no longer valid; `STORE_UNAVAILABLE`
 */
export async function madeDecision<Action extends DecisionAction>(
  { plane, events }: DecisionDesk,
  kind: AuditedKind<Action>,
  decision: Decision<Action>,
  { isAbout = hasSubjectOf(decision), conflict = changedMeanwhile(kind) }: DecisionRules = {},
): Promise<AuditEntry> {
  const outcome = await plane.change(decision);
  if (outcome.outcome === 'conflict') throw outcome.current ? conflict(outcome.current) : notStored(kind);
  const { entry } = outcome;
  if (outcome.outcome === 'replayed') {
    if (!isSameDecision(kind, entry, decision) || !isAbout(entry)) throw used('stands for another decision');
    if (!(await isInForce(plane, entry, decision))) throw used('stands for a decision that does not hold any more');
    return entry;
  }
  const { actor, revision } = entry;
  const fields = kind.events[decision.action](entry);
  // The kind declares the fields of each action's event; TypeScript does not see that they belong to this type.
  events.emit({ type: decision.action, ...fields, actor, revision } as unknown as NewToolEvent);
  return entry;
}

/** The error for a record that is not there. */
export function notStored({ noun }: Pick<AuditedKind, 'noun'>): ToolSearchError {
  return new ToolSearchError('NOT_FOUND', `There is no such record: the ${noun}.`, { hint: 'List them anew.' });
}

function hasSubjectOf(change: ControlChange): (entry: AuditEntry) => boolean {
  return ({ subject, tenantId }) => subject === change.subject && tenantId === change.tenantId;
}

function changedMeanwhile({ noun }: Pick<AuditedKind, 'noun'>): (current: ControlRecord) => ToolSearchError {
  return ({ revision }) =>
    new ToolSearchError('REVISION_CONFLICT', `Somebody else has changed the ${noun}: it is at revision ${revision}.`, {
      hint: 'Nothing was changed. Look at it again, and send its revision as expectedRevision.',
    });
}

function isSameDecision(kind: AuditedKind, entry: AuditEntry, change: ControlChange): boolean {
  const { action, actor, reason } = change;
  if (entry.action !== action || entry.actor !== actor || entry.reason !== reason) return false;
  return compared(kind, entry.after, entry.at) === compared(kind, change.put?.value ?? null, change.at);
}

/** A text that is equal for the values of equal requests, made at different times. */
function compared(
  { stampedAt, notCompared = [], hasRelativeExpiry }: AuditedKind,
  value: JsonObject | null,
  at: number,
): string {
  if (!value) return '';
  const kept = Object.entries(value).filter(([field]) => field !== stampedAt && !notCompared.includes(field));
  const { expiresAt } = value;
  const lasts = hasRelativeExpiry && typeof expiresAt === 'number' && { expiresAt: expiresAt - at };
  return stableHash({ ...Object.fromEntries(kept), ...lasts });
}

async function isInForce(plane: ControlPlane, { revision }: AuditEntry, { put, remove }: ControlChange) {
  const target = put ?? remove;
  if (!target) return true;
  const found = await plane.guarded(() => plane.store.find(target.kind, target.key));
  return put ? found?.revision === revision : found === undefined;
}

function used(what: string): ToolSearchError {
  return new ToolSearchError('INVALID_REQUEST', `This idempotency key has been used: it ${what}.`, {
    hint: 'Nothing was changed. Look at the current state, and use a new key for a new decision.',
  });
}
