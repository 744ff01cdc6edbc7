import { ToolEvents } from '../../tool/tool-event.js';
import { AuditTrail } from './audit-trail.js';
import { type AuditEntry, type AuditHead, nextEntry, NO_AUDIT } from './audit-entry.js';
import { ControlPlane } from './control-plane.js';
import { MemoryControlStore } from './memory-control-store.js';
import type { ControlRecord } from './control-store.js';
import { KillSwitches } from '../kill-switches/kill-switches.js';
import { definitionKey } from '../quarantine/quarantine.js';
import { StoredPolicies } from '../policies/stored-policies.js';
import { CONTROL_KINDS } from '../../runtime/control-kinds.js';

const OLGA = { actor: 'olga', reason: 'incident 7' };

async function start(count: number) {
  const store = new MemoryControlStore();
  const plane = new ControlPlane(store, CONTROL_KINDS, new ToolEvents());
  await plane.refresh();
  const switches = new KillSwitches(
    plane,
    new ToolEvents(),
    () => [],
    () => 1_000_000,
  );
  const trail = new AuditTrail(plane, () => 1_000_001);
  for (let index = 0; index < count; index++)
    await switches.engage({ ...OLGA, kind: 'tool', value: `t${index % 2}`, tenantId: index % 2 === 0 ? '' : 'acme' });
  /** Changes the stored trail, as an attacker with write access to the store could. */
  const tamper = (change: (entries: AuditEntry[]) => AuditEntry[]) => {
    const audit = store.audit.bind(store);
    jest.spyOn(store, 'audit').mockImplementation(async (filter, page) => {
      const all = change([...(await audit({}, { limit: 1e9 }))]);
      return all.filter(({ seq }) => seq > (page.after ?? 0)).slice(0, page.limit);
    });
  };
  return { trail, tamper, store, plane, switches };
}

/** A consistent trail after one entry was changed: all later hashes are computed again. */
function writtenAnew(entries: readonly AuditEntry[], seq: number): AuditEntry[] {
  let last: AuditHead = NO_AUDIT;
  return entries.map((entry) => {
    if (entry.seq < seq) return (last = entry);
    const change = { ...entry, ...(entry.seq === seq && { actor: 'eve' }) };
    const writes = entry.revision > last.revision && { remove: { kind: 'kill_switch' as const, key: 'x' } };
    return (last = nextEntry(last, { ...change, ...writes }, entry.before, entry.after) as AuditEntry);
  });
}

describe('the audit trail', () => {
  it('is read whole over many batches, by filter, and newest first', async () => {
    const { trail } = await start(1201);
    expect(await trail.verify()).toEqual({ valid: true, entries: 1201, revision: 1201 });
    const seen: number[] = [];
    for await (const { seq } of trail.entries({ tenantId: 'acme' })) seen.push(seq);
    expect([seen.length, seen[0], seen.at(-1)]).toEqual([600, 2, 1200]);
    expect((await trail.list({ action: 'kill_switch.' }, { limit: 2 })).map(({ seq }) => seq)).toEqual([1201, 1200]);
    expect((await trail.list({}, { limit: 2, after: 1200 })).map(({ seq }) => seq)).toEqual([1199, 1198]);
    expect(await trail.list({ actor: 'eve' }, { limit: 2 })).toEqual([]);
  });

  it.each<[string, (entries: AuditEntry[]) => AuditEntry[], object]>([
    ['changed', (all) => all.with(600, { ...all[600]!, actor: 'eve' }), { entries: 600, broken: { seq: 601 } }],
    ['taken out', (all) => all.toSpliced(3, 1), { entries: 3, broken: { seq: 4, reason: 'the entry is missing' } }],
    ['cut off at the end', (all) => all.slice(0, -1), { entries: 699, broken: { seq: 700 } }],
    ['emptied', () => [], { entries: 0, broken: { seq: 1 } }],
  ])('that was %s says where', async (_, change, verdict) => {
    const { trail, tamper } = await start(700);
    tamper(change);
    expect(await trail.verify()).toMatchObject(verdict);
  });

  it('records who was refused, and changes no record', async () => {
    const { trail, store } = await start(1);
    await trail.note({
      action: 'admin.refused',
      actor: 'eve',
      subject: 'kill switches',
      reason: 'not an admin',
      tenantId: '',
    });
    expect(await trail.list({ action: 'admin.refused' }, { limit: 5 })).toMatchObject([
      { actor: 'eve', subject: 'kill switches', revision: 1, before: null, after: null, at: 1_000_001 },
    ]);
    expect(await trail.verify()).toEqual({ valid: true, entries: 2, revision: 1 });
    expect((await store.read())?.records).toHaveLength(1);
  });

  it('contains no text that could forge a line of a log', async () => {
    const { trail } = await start(0);
    const what = { action: 'admin.refused', reason: 'a\u2028b', tenantId: '' };
    await trail.note({ ...what, actor: 'eve\nolga', subject: 'x\u202ey' });
    expect(await trail.list({}, { limit: 5 })).toMatchObject([
      { actor: 'eve\ufffdolga', subject: 'x\ufffdy', reason: 'a\ufffdb' },
    ]);
  });

  it('that has lost a note at its end says so', async () => {
    const { trail, tamper } = await start(1);
    const what = { action: 'admin.refused', actor: 'eve', subject: 'x', reason: 'r', tenantId: '' };
    await trail.note(what);
    tamper((all) => all.slice(0, 1));
    expect(await trail.verify()).toMatchObject({ entries: 1, broken: { seq: 2 } });
  });

  it('that once was longer says so', async () => {
    const { store, plane, trail, tamper } = await start(1);
    const what = { action: 'admin.refused', actor: 'eve', subject: 'x', reason: 'r', tenantId: '' };
    await new AuditTrail(plane).note(what);
    expect(await trail.verify()).toEqual({ valid: true, entries: 2, revision: 1 });
    tamper((all) => all.slice(0, 1));
    expect(await trail.verify()).toMatchObject({ entries: 1, broken: { seq: 2 } });
    expect((await store.read())?.revision).toBe(1);
  });

  it('whose tail was written anew says where it differs from what this process has seen', async () => {
    const { trail, tamper, store } = await start(5);
    tamper((all) => writtenAnew(all, 3));
    jest.spyOn(store, 'head').mockImplementation(async () => (await store.audit({}, { limit: 9 })).at(-1)!);
    expect(await trail.verify()).toMatchObject({ valid: false, entries: 2, broken: { seq: 3 } });
  });

  it('whose tail was written anew says where it differs from its head, also in a new process', async () => {
    const { tamper, store } = await start(5);
    tamper((all) => writtenAnew(all, 3));
    const plane = new ControlPlane(store, CONTROL_KINDS, new ToolEvents());
    expect(await new AuditTrail(plane).verify()).toMatchObject({ valid: false, broken: { seq: 5 } });
  });

  it('is compared with an entry that an auditor has kept', async () => {
    const { trail, store } = await start(3);
    const [, second] = await store.audit({}, { limit: 3 });
    expect(await trail.verify(second)).toMatchObject({ valid: true });
    const other = { seq: 2, hash: '0'.repeat(64) };
    expect(await trail.verify(other)).toMatchObject({ valid: false, entries: 3, broken: { seq: 2 } });
    const empty = new AuditTrail(new ControlPlane(new MemoryControlStore(), CONTROL_KINDS, new ToolEvents()));
    expect(await empty.verify()).toEqual({ valid: true, entries: 0, revision: 0 });
    expect(await empty.verify(second)).toMatchObject({
      valid: false,
      broken: { seq: 2, reason: 'the trail does not reach the entry that was given' },
    });
  });

  it('lets other work go on while it is read, and is read once for all who ask at once', async () => {
    const { trail, store } = await start(1001);
    const read = jest.spyOn(store, 'audit');
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const verdicts = await Promise.all([trail.verify(), trail.verify()]);
    isDone = true;
    expect(verdicts).toEqual(Array(2).fill({ valid: true, entries: 1001, revision: 1001 }));
    expect([read.mock.calls.length, turns >= 5]).toEqual([6, true]);
    await trail.verify();
    expect(read).toHaveBeenCalledTimes(12);
  });

  it('says that its store is down in words of ours', async () => {
    const { trail, store } = await start(1);
    jest.spyOn(store, 'newestAudit').mockRejectedValue(new Error('secret'));
    await expect(trail.list({}, { limit: 1 })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});

describe('records that are not as the trail says', () => {
  const APPROVAL = { kind: 'approval' as const, tenantId: 'acme', expiresAt: 5e12 };
  const approved = { id: 'a1', status: 'approved', expiresAt: 5e12 };

  /** Writes kill switches, a policy, a verdict and approvals, some of them twice. Then tampers with the records. */
  async function startWith(tamper: (record: ControlRecord) => ControlRecord | undefined, added: ControlRecord[] = []) {
    const { trail, store, plane, switches } = await start(3);
    const policies = new StoredPolicies(plane, new ToolEvents());
    for (const deny of ['a.*', 'b.*']) await policies.set({ tenantId: 'acme' }, { deny: [deny] }, OLGA);
    const verdict = { owner: '', source: 's', tool: 't', hash: 'h', verdict: 'approved', ...OLGA, decidedAt: 1 };
    const said = { ...OLGA, subject: 'x', tenantId: '', at: 1, idempotencyKey: '' };
    const key = definitionKey({ ...verdict, name: 't' });
    const put = { kind: 'quarantine' as const, key, tenantId: '', expiresAt: 0, value: verdict };
    await store.change({ ...said, action: 'quarantine.approved', put });
    const pending = (id: string) => ({ ...APPROVAL, key: id, value: { id, status: 'pending', tenantId: 'acme' } });
    await store.ask(pending('a1'), 0, { perTenant: 9, perUser: 9 });
    const ofAcme = { ...said, tenantId: 'acme', action: 'approval.approved' };
    await store.change({ ...ofAcme, put: { ...APPROVAL, key: 'a1', value: approved } });
    const gone = { ...APPROVAL, key: 'gone', expiresAt: 1, value: { id: 'gone', expiresAt: 1 } };
    await store.ask({ ...pending('gone'), expiresAt: 1 }, 0, { perTenant: 9, perUser: 9 });
    await store.change({ ...ofAcme, put: gone });
    const asked = pending('a2');
    await store.ask(asked, 10, { perTenant: 9, perUser: 9 });
    const { id, revision } = (await switches.engage({ ...OLGA, kind: 'tag', value: 'x' })).killSwitch;
    await switches.release(id, { ...OLGA, expectedRevision: revision });
    const [read, list] = [store.read.bind(store), store.list.bind(store)];
    const tampered = (records: readonly ControlRecord[]) => [
      ...records.flatMap((record) => tamper(record) ?? []),
      ...added.filter(({ kind }) => (kind === 'approval') === records.some((each) => each.kind === 'approval')),
    ];
    jest.spyOn(store, 'read').mockImplementation(async () => {
      const state = await read();
      return state && { ...state, records: tampered(state.records) };
    });
    jest.spyOn(store, 'list').mockImplementation(async (kind, page) => tampered(await list(kind, page)));
    return trail.verify();
  }

  it('reports no record that was only changed by decisions, requests or expiry', async () => {
    expect(await startWith((record) => record)).toEqual({ valid: true, entries: 10, revision: 10 });
  });

  it.each(['kill_switch', 'policy', 'quarantine', 'approval'])('are named when a %s is deleted', async (kind) => {
    const verdict = await startWith((record) => (record.kind === kind && record.key !== 'a2' ? undefined : record));
    expect(verdict).toMatchObject({ valid: false, entries: 10 });
    expect(verdict.broken).toBeUndefined();
    expect(new Set(verdict.records?.map(({ reason }) => reason))).toEqual(new Set(['the record is missing']));
    expect(verdict.records?.every((fault) => fault.kind === kind)).toBe(true);
  });

  it.each([
    ['kill_switch', 'the record was changed'],
    ['policy', 'the record was changed'],
    ['quarantine', 'the record was changed'],
    ['a1', 'the record was changed'],
    ['a2', 'no entry wrote the record'],
  ])('are named when they were moved to another tenant: %s', async (which, reason) => {
    const isMoved = ({ kind, key }: ControlRecord) => (kind === 'approval' ? key : kind) === which;
    const verdict = await startWith((record) => (isMoved(record) ? { ...record, tenantId: 'globex' } : record));
    expect(verdict.valid).toBe(false);
    expect(new Set(verdict.records?.map((fault) => fault.reason))).toEqual(new Set([reason]));
  });

  it('reports records that were changed without a decision, or never decided', async () => {
    const later = (record: ControlRecord) =>
      record.key === 'a1' ? { ...record, expiresAt: record.expiresAt + 1 } : record;
    expect(await startWith(later)).toMatchObject({
      valid: false,
      records: [{ kind: 'approval', key: 'a1', reason: 'the record was changed' }],
    });
    const forged = { ...APPROVAL, key: 'a9', revision: 0, value: { id: 'a9', status: 'approved' } };
    expect(await startWith((record) => record, [forged])).toMatchObject({
      records: [{ key: 'a9', reason: 'no entry wrote the record' }],
    });
  });
});
