import type { AuditEntry } from '../control/audit-entry.js';
import type { StoredKind } from '../control/control-kind.js';
import { textIn } from '../control/record-fields.js';
import { policyKey, type StoredPolicy, storedPolicyOf, StoredPolicySet } from './stored-policy.js';

type Action = 'policy.set' | 'policy.removed';

function changed({ tenantId, before, after }: AuditEntry) {
  const agentId = textIn(after ?? before, 'agentId');
  return { tenantId, ...(agentId !== '' && { agentId }) };
}

/** Stored policies: one record for each owner. */
export const policyKind: StoredKind<StoredPolicy, StoredPolicySet, Action> = {
  kind: 'policy',
  noun: 'policy',
  keyOf: (value) => policyKey({ tenantId: textIn(value, 'tenantId'), agentId: textIn(value, 'agentId') }),
  parse: storedPolicyOf,
  partOf: (records) => new StoredPolicySet(records.map(storedPolicyOf)),
  stampedAt: 'changedAt',
  max: 10_000,
  changesViews: true,
  events: { 'policy.set': changed, 'policy.removed': changed },
};
