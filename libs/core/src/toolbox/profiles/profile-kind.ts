import type { AuditEntry } from '../../access/control/audit-entry.js';
import type { StoredKind } from '../../access/control/control-kind.js';
import { textIn } from '../../access/control/record-fields.js';
import { type StoredProfile, storedProfileOf } from './profile.js';

type Action = 'profile.set' | 'profile.removed';

const changed = ({ subject: profile }: AuditEntry) => ({ profile });

/** Profiles that operators set: one record for each name. The part of the snapshot is a map by name. */
export const profileKind: StoredKind<StoredProfile, ReadonlyMap<string, StoredProfile>, Action> = {
  kind: 'profile',
  noun: 'profile',
  // The record calls the name its id.
  keyOf: (value) => textIn(value, 'id'),
  parse: storedProfileOf,
  partOf: (records) => new Map(records.map(storedProfileOf).map((each) => [each.name, each])),
  stampedAt: 'changedAt',
  max: 1000,
  events: { 'profile.set': changed, 'profile.removed': changed },
};
