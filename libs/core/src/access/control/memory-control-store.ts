import { fits } from '../../collections/records.js';
import { type AuditEntry, type AuditHead, nextEntry, NO_AUDIT } from './audit-entry.js';
import {
  ASKED_KINDS,
  type AuditFilter,
  type ControlChange,
  type ControlInstance,
  type ControlKind,
  type ControlOutcome,
  type ControlRecord,
  type ControlState,
  ControlStore,
  type NewControlRecord,
  type OpenLimits,
  type Page,
} from './control-store.js';

/** Control store in the memory of one process. Its content is lost at exit, and its audit trail grows without bound. */
export class MemoryControlStore extends ControlStore {
  readonly #records = new Map<string, ControlRecord>();
  readonly #trail: AuditEntry[] = [];
  readonly #byIdempotencyKey = new Map<string, AuditEntry>();
  readonly #instances = new Map<string, { readonly appliedRevision: number; readonly at: number }>();

  constructor(private readonly clock: () => number = () => performance.now()) {
    super();
  }

  override async read(known?: number, kinds?: readonly ControlKind[]): Promise<ControlState | undefined> {
    const { revision } = this.#head;
    if (revision === known) return undefined;
    const isNeeded = (kind: ControlKind) => kinds?.includes(kind) ?? !isAsked(kind);
    return { revision, records: [...this.#records.values()].filter(({ kind }) => isNeeded(kind)) };
  }

  override async change(change: ControlChange): Promise<ControlOutcome> {
    const known = this.#byIdempotencyKey.get(change.idempotencyKey);
    if (known) return { outcome: 'replayed', entry: known };
    const { put, remove, expectedRevision } = change;
    const key = keyOf(put ?? remove);
    const current = key === undefined ? undefined : this.#records.get(key);
    const isOther = expectedRevision !== undefined && expectedRevision !== (current?.revision ?? 0);
    // A request that was used, replaced or erased must not come back by a decision about it.
    const needsCurrent = remove !== undefined || (put !== undefined && isAsked(put.kind));
    if (isOther || (needsCurrent && !current)) return { outcome: 'conflict', current };
    const entry = nextEntry(this.#head, change, current?.value ?? null, put?.value ?? null);
    this.#trail.push(entry);
    if (entry.idempotencyKey !== '') this.#byIdempotencyKey.set(entry.idempotencyKey, entry);
    if (put) this.#records.set(key ?? '', { ...put, revision: entry.revision });
    else if (key !== undefined) this.#records.delete(key);
    return { outcome: 'changed', entry };
  }

  override async find(kind: ControlKind, key: string): Promise<ControlRecord | undefined> {
    return this.#records.get(keyOf({ kind, key }) ?? '');
  }

  override async list(kind: ControlKind, page: Page<string>, tenantId?: string): Promise<readonly ControlRecord[]> {
    return [...this.#records.values()]
      .filter((record) => record.kind === kind && (tenantId === undefined || record.tenantId === tenantId))
      .filter(({ key }) => page.after === undefined || key > page.after)
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .slice(0, page.limit);
  }

  override async ask(record: NewControlRecord, now: number, limits: OpenLimits): Promise<ControlRecord | undefined> {
    for (const [key, { kind, expiresAt }] of this.#records) {
      if (isAsked(kind) && expiresAt !== 0 && expiresAt <= now) this.#records.delete(key);
    }
    const key = keyOf(record) ?? '';
    const known = this.#records.get(key);
    if (known) return known;
    const open = [...this.#records.values()].filter(
      ({ kind, tenantId, revision }) => kind === record.kind && tenantId === record.tenantId && revision === 0,
    );
    const own = open.filter(({ value }) => value['userId'] === record.value['userId']);
    if (open.length >= limits.perTenant || own.length >= limits.perUser) return undefined;
    const asked = { ...record, revision: 0 };
    this.#records.set(key, asked);
    return asked;
  }

  override async claim(kind: ControlKind, key: string, revision: number, now: number): Promise<boolean> {
    const id = keyOf({ kind, key }) ?? '';
    const known = this.#records.get(id);
    if (!known || !isAsked(kind) || known.revision !== revision) return false;
    return (known.expiresAt === 0 || known.expiresAt > now) && this.#records.delete(id);
  }

  override async audit(filter: AuditFilter, { after = 0, limit }: Page<number>): Promise<readonly AuditEntry[]> {
    return this.#trail.filter((entry) => entry.seq > after && matches(filter, entry)).slice(0, limit);
  }

  override async newestAudit(filter: AuditFilter, { after = Infinity, limit }: Page<number>) {
    return this.#trail
      .filter((entry) => entry.seq < after && matches(filter, entry))
      .toReversed()
      .slice(0, limit);
  }

  override async head(): Promise<AuditHead> {
    const { seq, revision, hash } = this.#head;
    return { seq, revision, hash };
  }

  override async beat(id: string, appliedRevision: number): Promise<number> {
    this.#instances.set(id, { appliedRevision, at: this.clock() });
    return Date.now();
  }

  override async instances(withinMs: number): Promise<readonly ControlInstance[]> {
    return [...this.#instances]
      .map(([id, { appliedRevision, at }]) => ({ id, appliedRevision, silentMs: this.clock() - at }))
      .filter(({ silentMs }) => silentMs <= withinMs);
  }

  override async leave(id: string): Promise<void> {
    this.#instances.delete(id);
  }

  get #head(): AuditHead {
    return this.#trail.at(-1) ?? NO_AUDIT;
  }
}

function keyOf(record: Pick<ControlRecord, 'kind' | 'key'> | undefined): string | undefined {
  return record && JSON.stringify([record.kind, record.key]);
}

function matches({ action, since = 0, until = Infinity, ...whose }: AuditFilter, entry: AuditEntry): boolean {
  const isAction = (named: string) => (named.endsWith('.') ? entry.action.startsWith(named) : entry.action === named);
  return fits(entry, whose) && (action === undefined || isAction(action)) && entry.at >= since && entry.at < until;
}

function isAsked(kind: ControlKind): boolean {
  return (ASKED_KINDS as readonly ControlKind[]).includes(kind);
}
