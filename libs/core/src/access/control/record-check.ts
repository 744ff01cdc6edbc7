import type { JsonObject } from '../../json/json.js';
import { stableHash } from '../../json/stable-hash.js';
import type { AuditEntry } from './audit-entry.js';
import type { ControlKind, ControlRecord } from './control-store.js';
import { definitionKey } from '../quarantine/quarantine.js';
import { policyKey } from '../policies/stored-policy.js';

/** A live record that differs from the audit trail. */
export interface RecordFault {
  readonly kind: ControlKind;
  /** The record's key, for example the id of a kill switch. */
  readonly key: string;
  /** The control revision that wrote it, according to the trail; according to the record if the trail has no entry. */
  readonly revision: number;
  readonly reason: string;
}

const MAX_FAULTS = 100;
const KINDS: readonly ControlKind[] = [
  'kill_switch',
  'policy',
  'quarantine',
  'example_queries',
  'limit',
  'profile',
  'deprecation',
  'canary',
  'approval',
];

export class RecordCheck {
  readonly #live: ReadonlyMap<string, ControlRecord>;
  /** Records expected after the entries read so far. */
  readonly #expected = new Map<
    string,
    Pick<RecordFault, 'kind' | 'key' | 'revision'> & { readonly value: JsonObject }
  >();
  readonly #proven = new Set<string>();

  /**
   * @param records read before the trail, so that the trail contains the entry of each one
   * @param revision all changes up to this revision are in the records
   * @param now epoch milliseconds: expired approvals are removed without an entry
   */
  constructor(
    records: readonly ControlRecord[],
    private readonly revision: number,
    private readonly now: number,
  ) {
    this.#live = new Map(records.map((record) => [idOf(record), record]));
  }

  add({ action, before, after, revision }: AuditEntry): void {
    const kind = controlKindOf(action);
    const value = after ?? before;
    if (!kind || !value) return;
    const key = controlKeyOf(kind, value);
    const id = idOf({ kind, key });
    if (after) this.#expected.set(id, { kind, key, revision, value: after });
    else this.#expected.delete(id);
    const record = this.#live.get(id);
    if (after && record?.revision === revision && isOf(record, after)) this.#proven.add(id);
  }

  /** Records that are missing, changed or not in the trail, at most 100. Call it after the last entry. */
  faults(): readonly RecordFault[] {
    const faults: RecordFault[] = [];
    for (const [id, { kind, key, revision, value }] of this.#expected) {
      if (revision > this.revision || this.#live.has(id)) continue;
      if (kind === 'approval' && Number(value['expiresAt']) <= this.now) continue;
      faults.push({ kind, key, revision, reason: 'the record is missing' });
    }
    for (const [id, { kind, key, revision, value }] of this.#live) {
      // An approval request writes no audit entry.
      if (this.#proven.has(id) || (kind === 'approval' && revision === 0 && value['status'] === 'pending')) continue;
      const reason = this.#expected.has(id) ? 'the record was changed' : 'no entry wrote the record';
      faults.push({ kind, key, revision: this.#expected.get(id)?.revision ?? revision, reason });
    }
    return faults.slice(0, MAX_FAULTS);
  }
}

function idOf({ kind, key }: Pick<ControlRecord, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

/** The kind of record that an action of the audit trail changed; undefined for a mere note. */
export function controlKindOf(action: string): ControlKind | undefined {
  return KINDS.find((each) => action.startsWith(`${each}.`));
}

/** The key of a record with this value. */
export function controlKeyOf(kind: ControlKind, value: JsonObject): string {
  const text = (field: string) => (typeof value[field] === 'string' ? value[field] : '');
  if (kind === 'policy') return policyKey({ tenantId: text('tenantId'), agentId: text('agentId') });
  if (kind === 'deprecation' || kind === 'canary') return text('tool');
  if (kind !== 'quarantine' && kind !== 'example_queries') return text('id');
  // Both are keyed by exactly one definition.
  return definitionKey({ owner: text('owner'), source: text('source'), name: text('tool'), hash: text('hash') });
}

function isOf({ value, expiresAt }: ControlRecord, said: JsonObject): boolean {
  return stableHash(value) === stableHash(said) && expiresAt === (said['expiresAt'] ?? 0);
}
