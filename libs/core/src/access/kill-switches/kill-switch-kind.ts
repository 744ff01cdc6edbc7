import type { AuditEntry } from '../control/audit-entry.js';
import type { StoredKind } from '../control/control-kind.js';
import { textIn } from '../control/record-fields.js';
import { type KillSwitch, killSwitchOf } from './kill-switch.js';
import { KillSwitchSet } from './kill-switch-set.js';

type Action = 'kill_switch.engaged' | 'kill_switch.released';

const changed = ({ tenantId, subject: target, reason }: AuditEntry) => ({ tenantId, target, reason });

/** Kill switches: one record for each target and tenant. How many there may be depends on those that are live. */
export const killSwitchKind: StoredKind<KillSwitch, KillSwitchSet, Action> = {
  kind: 'kill_switch',
  noun: 'kill switch',
  keyOf: (value) => textIn(value, 'id'),
  parse: killSwitchOf,
  partOf: (records) => new KillSwitchSet(records.map(killSwitchOf)),
  stampedAt: 'engagedAt',
  // The catalog may have changed.
  notCompared: ['matched'],
  events: {
    'kill_switch.engaged': changed,
    'kill_switch.released': (entry) => ({ ...changed(entry), engagedReason: textIn(entry.before, 'reason') }),
  },
};
