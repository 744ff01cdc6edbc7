import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { type ToolEvent, ToolEvents } from '../../tool/tool-event.js';
import { deprecationKind } from '../deprecations/deprecation-kind.js';
import { ControlPlane } from './control-plane.js';
import { MemoryControlStore } from './memory-control-store.js';
import { StoredRecords } from './stored-records.js';

const OLGA = { actor: 'olga', reason: 'incident 7' };

/** Records of a kind of which there may be two. */
async function world() {
  const kind = { ...deprecationKind, max: 2 };
  const events = new ToolEvents();
  const happened: ToolEvent[] = [];
  events.on('*', (event) => void happened.push(event));
  const store = new MemoryControlStore();
  const plane = new ControlPlane(store, { stored: [kind], asked: [] }, events);
  await plane.refresh();
  const records = new StoredRecords(kind, plane, events, () => 7);
  const set = (tool: string, request: object = {}) =>
    records.put(
      { action: 'deprecation.set', subject: tool, value: { tool, deprecation: { since: '2026-01-01' } } },
      { ...OLGA, ...request },
    );
  return { kind, records, set, happened, plane };
}

describe('the records of a kind', () => {
  it('get who, why and when, and are found, listed and part of the snapshot at once', async () => {
    const { records, set, plane, kind } = await world();
    const written = await set('crm.get');
    expect(written).toEqual({ tool: 'crm.get', since: '2026-01-01', ...OLGA, changedAt: 7, revision: 1 });
    expect(await records.find('crm.get')).toEqual(written);
    expect(await records.list({ limit: 9 })).toEqual([written]);
    expect(records.last()?.of(fakeTool({ name: 'crm.get' }))).toEqual(written);
    expect(plane.current().revisionsOf(kind)).toEqual(new Map([['crm.get', 1]]));
  });

  it('are at most as many as the kind allows: one more is refused and changes nothing, one of them may change', async () => {
    const { records, set, plane, happened } = await world();
    await set('crm.get');
    await set('crm.list');
    await expect(set('crm.delete')).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'The deprecation is not valid: there are 2 already; remove some.',
    });
    expect([plane.current().revision, happened.length]).toEqual([2, 2]);
    expect(await set('crm.list')).toMatchObject({ revision: 3 });
    await records.remove({ action: 'deprecation.removed', subject: 'crm.get', key: 'crm.get' }, OLGA);
    expect(await set('crm.delete')).toMatchObject({ revision: 5 });
  });

  it('are written by no invalid request and not on a revision that nobody saw; what is not there is not removed', async () => {
    const { records, set, happened } = await world();
    await expect(set('crm.get', { reason: '' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await set('crm.get');
    await expect(set('crm.get', { expectedRevision: 4 })).rejects.toMatchObject({ code: 'REVISION_CONFLICT' });
    const removal = { action: 'deprecation.removed', subject: 'crm.list', key: 'crm.list' } as const;
    await expect(records.remove(removal, OLGA)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(happened.map(({ type }) => type)).toEqual(['deprecation.set']);
  });
});
