import type { AuditEntry } from '../control/audit-entry.js';
import type { StoredKind } from '../control/control-kind.js';
import { textIn } from '../control/record-fields.js';
import { type StoredLimit, storedLimitOf } from './limit.js';
import { LimitSet } from './limit-set.js';

type Action = 'limit.set' | 'limit.removed';

const changed = ({ tenantId, subject: limit }: AuditEntry) => ({ tenantId, limit });

/** Limits that operators set: one record for each id. */
export const limitKind: StoredKind<StoredLimit, LimitSet, Action> = {
  kind: 'limit',
  noun: 'limit',
  keyOf: (value) => textIn(value, 'id'),
  parse: storedLimitOf,
  partOf: (records) => {
    const limits = records.map((record) => storedLimitOf(record).limit);
    return new LimitSet(limits, 'stored');
  },
  stampedAt: 'changedAt',
  max: 10_000,
  events: { 'limit.set': changed, 'limit.removed': changed },
};
