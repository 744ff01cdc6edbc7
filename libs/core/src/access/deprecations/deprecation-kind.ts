import type { AuditEntry } from '../control/audit-entry.js';
import type { StoredKind } from '../control/control-kind.js';
import { textIn } from '../control/record-fields.js';
import { DeprecationSet, type StoredDeprecation, storedDeprecationOf } from './deprecation-set.js';

type Action = 'deprecation.set' | 'deprecation.removed';

const changed = ({ subject: tool }: AuditEntry) => ({ tool });

/** Deprecations by operators: one record for each tool, of all tenants. */
export const deprecationKind: StoredKind<StoredDeprecation, DeprecationSet, Action> = {
  kind: 'deprecation',
  noun: 'deprecation',
  keyOf: (value) => textIn(value, 'tool'),
  parse: storedDeprecationOf,
  partOf: (records) => new DeprecationSet(records.map(storedDeprecationOf)),
  stampedAt: 'changedAt',
  max: 10_000,
  events: { 'deprecation.set': changed, 'deprecation.removed': changed },
};
