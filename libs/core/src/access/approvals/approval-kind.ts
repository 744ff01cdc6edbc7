import type { AuditEntry } from '../control/audit-entry.js';
import type { AskedKind } from '../control/control-kind.js';
import { textIn } from '../control/record-fields.js';

type Action = 'approval.approved' | 'approval.refused';

function decided({ tenantId, after }: AuditEntry) {
  return { tenantId, id: textIn(after, 'id'), tool: textIn(after, 'tool') };
}

/** Approvals: a call asks for one, and an operator decides. */
export const approvalKind: AskedKind<Action> = {
  kind: 'approval',
  noun: 'approval',
  keyOf: (value) => textIn(value, 'id'),
  notCompared: ['askedAt'],
  hasRelativeExpiry: true,
  // Of the tenant that asked: a record that was moved to another tenant was not asked for there.
  isUndecided: ({ revision, tenantId, value }) =>
    revision === 0 && value['status'] === 'pending' && value['tenantId'] === tenantId,
  // The claim of a call removes what was approved for it.
  isUsedUp: (value) => value['covers'] === 'call' && value['status'] === 'approved',
  events: { 'approval.approved': decided, 'approval.refused': decided },
};
