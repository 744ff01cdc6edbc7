import type { AuditEntry } from '../../access/control/audit-entry.js';
import type { AuditTrail } from '../../access/control/audit-trail.js';
import { controlKindOf, controlKeyOf } from '../../access/control/record-check.js';
import { type ControlSnapshot, controlSnapshot } from '../../access/control/control-snapshot.js';
import type { ControlRecord } from '../../access/control/control-store.js';

/** Reading more entries for one question would take too long. */
const MAX_ENTRIES = 20_000;

/**
 * The decisions of operators at a moment of the past, built from the audit trail; undefined if the trail is longer than
 * 20,000 entries.
 *
 * @throws ToolSearchError `STORE_UNAVAILABLE`, or for an unreadable entry
 */
export async function controlAt(trail: Pick<AuditTrail, 'entries'>, at: number): Promise<ControlSnapshot | undefined> {
  const records = new Map<string, ControlRecord>();
  let revision = 0;
  let read = 0;
  for await (const entry of trail.entries({ until: at + 1 })) {
    if ((read += 1) > MAX_ENTRIES) return undefined;
    revision = entry.revision;
    apply(records, entry);
  }
  return controlSnapshot({ revision, records: [...records.values()] });
}

function apply(records: Map<string, ControlRecord>, { action, before, after, revision }: AuditEntry): void {
  const kind = controlKindOf(action);
  const value = after ?? before;
  if (!kind || kind === 'approval' || !value) return;
  const key = controlKeyOf(kind, value);
  const id = `${kind} ${key}`;
  if (!after) {
    records.delete(id);
    return;
  }
  const { tenantId, expiresAt } = after;
  records.set(id, {
    kind,
    key,
    tenantId: typeof tenantId === 'string' ? tenantId : '',
    value: after,
    expiresAt: typeof expiresAt === 'number' ? expiresAt : 0,
    revision,
  });
}
