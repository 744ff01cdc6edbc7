import { ToolEvents } from '../tool/tool-event.js';
import { AuditTrail } from './audit-trail.js';
import type { AuditEntry } from './control/audit-entry.js';
import { ControlPlane } from './control/control-plane.js';
import { MemoryControlStore } from './control/memory-control-store.js';
import { KillSwitches } from './kill-switches.js';

const OLGA = { actor: 'olga', reason: 'incident 7' };

async function start(count: number) {
  const store = new MemoryControlStore();
  const plane = new ControlPlane(store, new ToolEvents());
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
  /** What somebody who can write to the store has made of it. */
  const tamper = (change: (entries: AuditEntry[]) => AuditEntry[]) => {
    const audit = store.audit.bind(store);
    jest.spyOn(store, 'audit').mockImplementation(async (filter, page) => {
      const all = change([...(await audit({}, { limit: 1e9 }))]);
      return all.filter(({ seq }) => seq > (page.after ?? 0)).slice(0, page.limit);
    });
  };
  return { trail, tamper, store, plane };
}

describe('the audit trail', () => {
  it('is read whole over many batches, by filter, and newest first', async () => {
    const { trail } = await start(1201);
    expect(await trail.verify()).toEqual({ entries: 1201, revision: 1201 });
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

  it('notes who was refused, and changes nothing else', async () => {
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
    expect(await trail.verify()).toEqual({ entries: 2, revision: 1 });
    expect((await store.read())?.records).toHaveLength(1);
  });

  it('notes nothing that would forge a line of a log', async () => {
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
    expect(await trail.verify()).toEqual({ entries: 2, revision: 1 });
    tamper((all) => all.slice(0, 1));
    expect(await trail.verify()).toMatchObject({ entries: 1, broken: { seq: 2 } });
    expect((await store.read())?.revision).toBe(1);
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
    expect(verdicts).toEqual(Array(2).fill({ entries: 1001, revision: 1001 }));
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
