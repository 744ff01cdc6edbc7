import type { AuditEntry } from '../../access/control/audit-entry.js';
import type { StoredKind } from '../../access/control/control-kind.js';
import { definitionKeyIn, toolOfSubject } from '../../access/quarantine/quarantine.js';
import { type QueryEdit, queryEditOf, QueryEdits } from './query-edit.js';

type Action = 'example_queries.set' | 'example_queries.discarded';

const changed = ({ subject, tenantId: owner }: AuditEntry) => ({ tool: toolOfSubject(subject), owner });

/** Example queries that operators set: one record for each definition. */
export const queryEditKind: StoredKind<QueryEdit, QueryEdits, Action> = {
  kind: 'example_queries',
  noun: 'example queries',
  keyOf: definitionKeyIn,
  parse: queryEditOf,
  partOf: (records) => new QueryEdits(records.map(queryEditOf)),
  stampedAt: 'changedAt',
  max: 5000,
  events: { 'example_queries.set': changed, 'example_queries.discarded': changed },
};
