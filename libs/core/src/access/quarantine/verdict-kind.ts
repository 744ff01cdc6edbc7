import type { AuditEntry } from '../control/audit-entry.js';
import type { StoredKind } from '../control/control-kind.js';
import { textIn } from '../control/record-fields.js';
import { definitionKeyIn, type QuarantineVerdict, quarantineVerdictOf, QuarantineVerdicts } from './quarantine.js';

type Action = 'quarantine.approved' | 'quarantine.rejected';

const decided = ({ after }: AuditEntry) => ({ source: textIn(after, 'source'), tool: textIn(after, 'tool') });

/** Verdicts of the quarantine: one record for each definition. */
export const verdictKind: StoredKind<QuarantineVerdict, QuarantineVerdicts, Action> = {
  kind: 'quarantine',
  noun: 'verdict',
  keyOf: definitionKeyIn,
  parse: quarantineVerdictOf,
  partOf: (records) => new QuarantineVerdicts(records.map(quarantineVerdictOf)),
  stampedAt: 'decidedAt',
  changesViews: true,
  events: { 'quarantine.approved': decided, 'quarantine.rejected': decided },
};
