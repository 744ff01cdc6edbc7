import type { JsonObject } from '../../json/json.js';
import { stableHash } from '../../json/stable-hash.js';
import type { AuditEntry } from './audit-entry.js';
import { type ControlKinds, kindOfAction } from './control-kind.js';
import type { ControlKind, ControlRecord } from './control-store.js';

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
   * @param now epoch milliseconds: expired and used records of asked kinds are removed without an entry
   */
  constructor(
    private readonly kinds: ControlKinds,
    records: readonly ControlRecord[],
    private readonly revision: number,
    private readonly now: number,
  ) {
    this.#live = new Map(records.map((record) => [idOf(record), record]));
  }

  add({ action, before, after, revision, tenantId }: AuditEntry): void {
    const changed = kindOfAction(this.kinds, action);
    const value = after ?? before;
    if (!changed || !value) return;
    const { kind } = changed;
    const key = changed.keyOf(value);
    const id = idOf({ kind, key });
    if (after) this.#expected.set(id, { kind, key, revision, value: after });
    else this.#expected.delete(id);
    const record = this.#live.get(id);
    if (after && record?.revision === revision && record.tenantId === tenantId && isOf(record, after)) {
      this.#proven.add(id);
    }
  }

  /** Records that are missing, changed or not in the trail, at most 100. Call it after the last entry. */
  faults(): readonly RecordFault[] {
    const faults: RecordFault[] = [];
    for (const [id, { kind, key, revision, value }] of this.#expected) {
      if (revision > this.revision || this.#live.has(id)) continue;
      const asked = this.#asked(kind);
      if (asked && (Number(value['expiresAt']) <= this.now || asked.isUsedUp?.(value))) continue;
      faults.push({ kind, key, revision, reason: 'the record is missing' });
    }
    for (const [id, record] of this.#live) {
      const { kind, key, revision } = record;
      if (this.#proven.has(id) || this.#asked(kind)?.isUndecided(record)) continue;
      const reason = this.#expected.has(id) ? 'the record was changed' : 'no entry wrote the record';
      faults.push({ kind, key, revision: this.#expected.get(id)?.revision ?? revision, reason });
    }
    return faults.slice(0, MAX_FAULTS);
  }

  #asked(kind: ControlKind) {
    return this.kinds.asked.find((each) => each.kind === kind);
  }
}

function idOf({ kind, key }: Pick<ControlRecord, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

function isOf({ value, expiresAt }: ControlRecord, expected: JsonObject): boolean {
  return stableHash(value) === stableHash(expected) && expiresAt === (expected['expiresAt'] ?? 0);
}
