import type { JsonObject } from '../../json/json.js';
import { stableHash } from '../../json/stable-hash.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { AuditEntry } from './audit-entry.js';
import type { ControlPlane } from './control-plane.js';
import type { ControlChange } from './control-store.js';

/** A valid decision; `isNew` is false when an earlier request with the same key made it. */
export interface MadeChange {
  readonly entry: AuditEntry;
  readonly isNew: boolean;
}

// Not compared when a request is repeated: its time differs, and the catalog may have changed.
const NOT_ASKED = new Set(['askedAt', 'engagedAt', 'changedAt', 'decidedAt', 'matched']);

/**
 * Applies an operator's change. A repeated request gets the first one's result while that decision is still valid.
 *
 * @param what name of the record in error messages, for example `the kill switch`
 * @param isAbout whether an earlier entry concerns the same record; by default, subject and tenant are compared
 * @throws ToolSearchError `REVISION_CONFLICT`; `NOT_FOUND` when there is no such record; `INVALID_REQUEST` for an
 *   idempotency key of another decision, or of one that is no longer valid; `STORE_UNAVAILABLE`
 */
export async function madeChange(
  plane: ControlPlane,
  change: ControlChange,
  what: string,
  isAbout = ({ subject, tenantId }: AuditEntry) => subject === change.subject && tenantId === change.tenantId,
): Promise<MadeChange> {
  const outcome = await plane.change(change);
  if (outcome.outcome === 'conflict') {
    const { current } = outcome;
    if (!current)
      throw new ToolSearchError('NOT_FOUND', `There is no such record: ${what}.`, { hint: 'List them anew.' });
    throw new ToolSearchError(
      'REVISION_CONFLICT',
      `Somebody else has changed ${what}: it is at revision ${current.revision}.`,
      { hint: 'Nothing was changed. Look at it again, and send its revision as expectedRevision.' },
    );
  }
  const { entry } = outcome;
  if (outcome.outcome === 'changed') return { entry, isNew: true };
  if (!isSameDecision(entry, change) || !isAbout(entry)) throw used('stands for another decision');
  if (!(await isStanding(plane, entry, change))) throw used('stands for a decision that does not hold any more');
  return { entry, isNew: false };
}

function isSameDecision(entry: AuditEntry, change: ControlChange): boolean {
  const { action, actor, reason } = change;
  if (entry.action !== action || entry.actor !== actor || entry.reason !== reason) return false;
  return asked(entry.after, entry.at, change) === asked(change.put?.value ?? null, change.at, change);
}

// The expiry of an approval is relative to its decision; every other expiry is an absolute time that the operator
// gives.
function asked(value: JsonObject | null, at: number, { put }: ControlChange): string {
  if (!value) return '';
  const said = Object.entries(value).filter(([field]) => !NOT_ASKED.has(field));
  const isLasting = put?.kind === 'approval' && typeof value['expiresAt'] === 'number';
  return stableHash({ ...Object.fromEntries(said), ...(isLasting && { expiresAt: Number(value['expiresAt']) - at }) });
}

async function isStanding(plane: ControlPlane, { revision }: AuditEntry, { put, remove }: ControlChange) {
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
