import type { JsonObject } from '../../json/json.js';
import { stableHash } from '../../json/stable-hash.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { AuditEntry } from './audit-entry.js';
import type { ControlPlane } from './control-plane.js';
import type { ControlChange } from './control-store.js';

/** A decision that stands, and whether this request made it or an earlier one with the same key. */
export interface MadeChange {
  readonly entry: AuditEntry;
  readonly isNew: boolean;
}

// A request that is sent again says the same at another time, and the catalog may have changed.
const NOT_ASKED = new Set(['askedAt', 'engagedAt', 'changedAt', 'decidedAt', 'matched']);

/**
 * Makes an operator's change. A repeated request is answered like the first one for as long as that decision stands.
 *
 * @param what the record in words, for example `the kill switch`
 * @param isAbout whether an earlier entry is about the same record; by default its subject and tenant say so
 * @throws ToolSearchError `REVISION_CONFLICT` or, when there is no such record, `NOT_FOUND`; `INVALID_REQUEST` for an
 *   idempotency key that stands for another decision, or for one that does not hold any more; `STORE_UNAVAILABLE`
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

// An approval lasts from the moment it is given; every other expiry is a time that the operator names.
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
