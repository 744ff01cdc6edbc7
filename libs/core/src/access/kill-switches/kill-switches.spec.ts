import { fakeTool } from '../../testing/fakes/fake-tools.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { type ToolEvent, ToolEvents } from '../../tool/tool-event.js';
import { ControlPlane } from '../control/control-plane.js';
import { MemoryControlStore } from '../control/memory-control-store.js';
import type { KillSwitch } from './kill-switch.js';
import { type EngageRequest, KillSwitches } from './kill-switches.js';
import { killSwitchKind } from './kill-switch-kind.js';
import { CONTROL_KINDS } from '../../runtime/control-kinds.js';

const OLGA = { actor: 'olga', reason: 'incident 7' };
const DELETE = { ...OLGA, kind: 'tool' as const, value: 'crm.delete' };
const TOOL = fakeTool({ name: 'crm.delete' });
const DAY = 86_400_000;

async function start() {
  const happened: ToolEvent[] = [];
  const events = new ToolEvents();
  events.on('*', (event) => void happened.push(event));
  const store = new MemoryControlStore();
  const plane = new ControlPlane(store, CONTROL_KINDS, events);
  await plane.refresh();
  const clock = { now: 1_000_000 };
  const tools = [TOOL, fakeTool({ name: 'crm.read' }), fakeTool({ name: 'crm.own', owner: 'globex' })];
  const switches = new KillSwitches(
    plane,
    events,
    () => tools,
    () => clock.now,
  );
  const trail = () => store.audit({}, { limit: 100 });
  const typesOf = () => happened.map(({ type }) => type).filter((type) => type.startsWith('kill_switch'));
  const meeting = (tool: ToolDefinition, tenantId: string) =>
    plane.current().of(killSwitchKind).meeting(tool, tenantId, clock.now);
  return { switches, clock, tools, store, plane, trail, happened, typesOf, meeting };
}

describe('engaging a switch', () => {
  it('turns the tool off, for whom it says, and says who and why', async () => {
    const { switches, trail, happened, meeting } = await start();
    const { killSwitch, revision } = await switches.engage({
      ...DELETE,
      kind: 'glob',
      value: 'crm.*',
      tenantId: 'acme',
    });
    expect([killSwitch.matched, killSwitch.revision, revision, killSwitch.expiresAt]).toEqual([2, 1, 1, 0]);
    expect(meeting(TOOL, 'acme')).toEqual(killSwitch);
    expect(meeting(TOOL, 'globex')).toBeUndefined();
    expect(switches.list()).toEqual([killSwitch]);
    expect(await trail()).toMatchObject([
      { ...OLGA, action: 'kill_switch.engaged', subject: 'glob:crm.*', tenantId: 'acme', before: null, revision: 1 },
    ]);
    expect(happened).toContainEqual(
      expect.objectContaining({ type: 'kill_switch.engaged', target: 'glob:crm.*', tenantId: 'acme', actor: 'olga' }),
    );
  });

  it('that matches no tool yet is accepted: the tool may come', async () => {
    const { switches, meeting } = await start();
    expect((await switches.engage({ ...DELETE, value: 'crm.later' })).killSwitch.matched).toBe(0);
    expect(meeting(fakeTool({ name: 'crm.later' }), 'acme')).toBeDefined();
  });

  const bad: [string, object, string][] = [
    ['no actor', { actor: '' }, 'INVALID_REQUEST'],
    ['an actor of spaces', { actor: '  ' }, 'INVALID_REQUEST'],
    ['no reason', { reason: '' }, 'INVALID_REQUEST'],
    ['a reason of two lines', { reason: 'a\nb' }, 'INVALID_REQUEST'],
    ['a reason in another order', { reason: 'a\u202eb' }, 'INVALID_REQUEST'],
    ['an actor of two lines', { actor: 'olga\u2028eve' }, 'INVALID_REQUEST'],
    ['an actor who is not who they seem', { actor: 'ol\u200bga' }, 'INVALID_REQUEST'],
    ['an invisible key', { idempotencyKey: 'a\ufeff' }, 'INVALID_REQUEST'],
    ['a reason without end', { reason: 'a'.repeat(1001) }, 'INVALID_REQUEST'],
    ['an expiry in the past', { expiresAt: 999_999 }, 'INVALID_REQUEST'],
    ['an expiry of now', { expiresAt: 1_000_000 }, 'INVALID_REQUEST'],
    ['an expiry in two years', { expiresAt: 1_000_000 + 731 * DAY }, 'INVALID_REQUEST'],
    ['an expiry that is no number', { expiresAt: Number.NaN }, 'INVALID_REQUEST'],
    ['an expiry as a text', { expiresAt: '2000000' }, 'INVALID_REQUEST'],
    ['a broken glob', { kind: 'glob', value: 'crm/*' }, 'INVALID_REQUEST'],
    ['an unknown kind', { kind: 'source' }, 'INVALID_REQUEST'],
    ['a revision of -1', { expectedRevision: -1 }, 'INVALID_REQUEST'],
    ['an endless key', { idempotencyKey: 'a'.repeat(201) }, 'INVALID_REQUEST'],
    ['everything, unconfirmed', { kind: 'glob', value: '*' }, 'CONFIRMATION_REQUIRED'],
    ['everything, confirmed by true', { kind: 'glob', value: '*', confirm: true }, 'CONFIRMATION_REQUIRED'],
    ['a revision it never had', { expectedRevision: 7 }, 'NOT_FOUND'],
  ];
  it.each(bad)('with %s changes nothing', async (_, change, code) => {
    const { switches, trail } = await start();
    await expect(switches.engage({ ...DELETE, ...change } as EngageRequest)).rejects.toMatchObject({ code });
    expect([await trail(), switches.list()]).toEqual([[], []]);
  });

  it('turns everything off where that is confirmed', async () => {
    const { switches, meeting } = await start();
    await switches.engage({ ...OLGA, kind: 'glob', value: '*', confirm: 'all' });
    expect(meeting(fakeTool({ name: 'a' }), 'anybody')).toBeDefined();
  });

  it('ends by itself at its expiry, and not before', async () => {
    const { switches, clock, meeting } = await start();
    const { killSwitch } = await switches.engage({ ...DELETE, expiresAt: clock.now + DAY });
    clock.now += DAY - 1;
    expect([meeting(TOOL, 'acme'), switches.isLive(killSwitch)]).toEqual([killSwitch, true]);
    clock.now += 1;
    expect([meeting(TOOL, 'acme'), switches.isLive(killSwitch)]).toEqual([undefined, false]);
    expect(switches.list()).toEqual([killSwitch]);
    await switches.engage({ ...DELETE, expiresAt: clock.now + DAY });
    expect(meeting(TOOL, 'acme')).toBeDefined();
  });

  it('again updates the reason, but not an expiry that the operator has not seen', async () => {
    const { switches, clock, meeting } = await start();
    await switches.engage(DELETE);
    const { killSwitch } = await switches.engage({ ...DELETE, reason: 'worse' });
    expect(killSwitch).toMatchObject({ reason: 'worse', revision: 2 });
    const short = { ...DELETE, expiresAt: clock.now + 1 };
    await expect(switches.engage(short)).rejects.toMatchObject({ code: 'REVISION_CONFLICT' });
    await expect(switches.engage({ ...short, expectedRevision: 1 })).rejects.toMatchObject({
      code: 'REVISION_CONFLICT',
    });
    clock.now += 5;
    expect(meeting(TOOL, 'acme')).toEqual(killSwitch);
    await switches.engage({ ...short, expiresAt: clock.now + 1, expectedRevision: 2 });
    // A later expiry needs no revision.
    await switches.engage({ ...short, expiresAt: clock.now + 9 });
    await switches.engage(DELETE);
    expect(switches.list()).toMatchObject([{ expiresAt: 0, revision: 5 }]);
  });

  it('by two at once never leaves the shorter one, 1,000 times', async () => {
    for (let turn = 0; turn < 1000; turn++) {
      const { switches, clock } = await start();
      const requests = [DELETE, { ...DELETE, expiresAt: clock.now + 1 }];
      if (turn % 2 === 1) requests.reverse();
      await Promise.allSettled(requests.map((each) => switches.engage(each)));
      expect(switches.list()).toMatchObject([{ expiresAt: 0 }]);
    }
  });

  it('is made once for one key, and another request cannot use the key', async () => {
    const { switches, clock, tools, trail, typesOf, meeting } = await start();
    const request = { ...DELETE, tenantId: 'acme', idempotencyKey: 'k' };
    const first = await switches.engage(request);
    clock.now += 5;
    // Later, and when the switch matches one tool more, it is the same request.
    tools.push(fakeTool({ name: 'crm.remove', aliases: ['crm.delete'] }));
    expect(await switches.engage(request)).toEqual(first);
    for (const other of [
      { tenantId: 'globex' },
      { tenantId: '' },
      { value: 'crm.read' },
      { kind: 'glob' as const },
      { reason: 'again' },
      { actor: 'paul' },
      { abortRunning: true },
      { expiresAt: clock.now + DAY, expectedRevision: 1 },
    ]) {
      await expect(switches.engage({ ...request, ...other })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining('idempotency key'),
      });
    }
    expect(meeting(TOOL, 'globex')).toBeUndefined();
    expect([(await trail()).length, typesOf()]).toEqual([1, ['kill_switch.engaged']]);
  });

  it('is not answered by its key any more once the switch is off, or another one', async () => {
    const { switches, trail, meeting } = await start();
    const request = { ...DELETE, idempotencyKey: 'k' };
    const { killSwitch, revision } = await switches.engage(request);
    await switches.engage({ ...DELETE, reason: 'worse' });
    const refused = { code: 'INVALID_REQUEST', message: expect.stringContaining('does not hold any more') };
    await expect(switches.engage(request)).rejects.toMatchObject(refused);
    await switches.release(killSwitch.id, { ...OLGA, expectedRevision: revision + 1, idempotencyKey: 'r' });
    await expect(switches.engage(request)).rejects.toMatchObject(refused);
    expect([meeting(TOOL, 'acme'), (await trail()).length]).toEqual([undefined, 3]);
    await switches.engage(DELETE);
    await expect(
      switches.release(killSwitch.id, { ...OLGA, expectedRevision: 4, idempotencyKey: 'r' }),
    ).rejects.toMatchObject(refused);
    expect(meeting(TOOL, 'acme')).toBeDefined();
  });

  it('counts the tools that it can take from the tenant', async () => {
    const { switches } = await start();
    const matched = async (tenantId?: string) =>
      (await switches.engage({ ...DELETE, kind: 'glob', value: 'crm.*', ...(tenantId !== undefined && { tenantId }) }))
        .killSwitch.matched;
    expect([await matched(), await matched('globex'), await matched('glbex')]).toEqual([3, 3, 2]);
  });

  it.each(['tool', 'glob'] as const)('of a meta tool is refused: no call would ask it (%s)', async (kind) => {
    const { switches, trail } = await start();
    await expect(switches.engage({ ...DELETE, kind, value: 'tool_call' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('meta tools'),
    });
    expect(await trail()).toEqual([]);
  });

  describe('where there are many already', () => {
    /** Adds this many switches, as the store would hold them. */
    async function startWith(count: number, of: Partial<KillSwitch>) {
      const started = await start();
      const { switches, store, plane } = started;
      await switches.engage(DELETE);
      const [one] = switches.list();
      const records = Array.from({ length: count }, (_, index) => {
        const { revision, ...value } = { ...one!, value: `t${index}`, id: `${index}`, ...of };
        const { id: key, tenantId, expiresAt } = value;
        return { kind: 'kill_switch' as const, key, tenantId, expiresAt, revision, value };
      });
      const read = store.read.bind(store);
      jest.spyOn(store, 'read').mockImplementation(async () => {
        const state = (await read())!;
        return { ...state, records: [...state.records, ...records] };
      });
      await plane.refresh();
      return started;
    }
    const refused = { code: 'INVALID_REQUEST' };

    it('takes no other one, but changes what is there and turns everything off', async () => {
      const { switches } = await startWith(9_999, {});
      await expect(switches.engage({ ...DELETE, value: 'one.more' })).rejects.toMatchObject(refused);
      expect((await switches.engage(DELETE)).revision).toBe(2);
      expect((await switches.engage({ ...DELETE, kind: 'glob', value: '*', confirm: 'all' })).revision).toBe(3);
    });

    it('takes 200 globs for everybody and for each tenant', async () => {
      const { switches } = await startWith(200, { kind: 'glob', tenantId: 'acme' });
      const glob = { ...DELETE, kind: 'glob' as const, value: 'one.more*' };
      await expect(switches.engage({ ...glob, tenantId: 'acme' })).rejects.toMatchObject(refused);
      expect((await switches.engage({ ...DELETE, tenantId: 'acme' })).revision).toBe(2);
      expect((await switches.engage(glob)).revision).toBe(3);
      expect((await switches.engage({ ...glob, value: '*', tenantId: 'acme', confirm: 'all' })).revision).toBe(4);
    });

    it('does not count those that have expired, and lists them', async () => {
      const { switches } = await startWith(10_000, { kind: 'glob', expiresAt: 999_999 });
      expect((await switches.engage({ ...DELETE, kind: 'glob', value: 'one.more*' })).revision).toBe(2);
      expect(switches.list()).toHaveLength(10_002);
    });
  });
});

describe('releasing a switch', () => {
  it('turns the tool on again, needs the revision that was seen, and a reason', async () => {
    const { switches, trail, happened, meeting } = await start();
    const { killSwitch, revision } = await switches.engage({ ...DELETE, tenantId: 'acme' });
    const release = (change: object) =>
      switches.release(killSwitch.id, { ...OLGA, expectedRevision: revision, ...change });
    await expect(release({ expectedRevision: undefined })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(release({ reason: '' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(release({ expectedRevision: 0 })).rejects.toMatchObject({ code: 'REVISION_CONFLICT' });
    await expect(release({ expectedRevision: 9 })).rejects.toMatchObject({
      code: 'REVISION_CONFLICT',
      message: expect.stringContaining('revision 1'),
    });
    expect(meeting(TOOL, 'acme')).toBeDefined();
    expect((await release({ reason: 'mended', idempotencyKey: 'r' })).revision).toBe(2);
    expect(meeting(TOOL, 'acme')).toBeUndefined();
    // The response was lost, and the request is sent again.
    expect((await release({ reason: 'mended', idempotencyKey: 'r' })).revision).toBe(2);
    await expect(release({})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(
      switches.release('ks_other', { ...OLGA, expectedRevision: 1, idempotencyKey: 'r' }),
    ).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect((await trail()).map(({ action, tenantId }) => [action, tenantId])).toEqual([
      ['kill_switch.engaged', 'acme'],
      ['kill_switch.released', 'acme'],
    ]);
    expect(happened.filter(({ type }) => type.startsWith('kill_switch'))).toMatchObject([
      { type: 'kill_switch.engaged', reason: OLGA.reason },
      { type: 'kill_switch.released', reason: 'mended', engagedReason: OLGA.reason },
    ]);
  });

  it('leaves what another switch keeps off', async () => {
    const { switches, meeting } = await start();
    const { killSwitch, revision } = await switches.engage(DELETE);
    await switches.engage({ ...DELETE, kind: 'namespace', value: 'crm' });
    await switches.release(killSwitch.id, { ...OLGA, expectedRevision: revision });
    expect(meeting(TOOL, 'acme')).toMatchObject({ kind: 'namespace' });
  });

  it('by two admins at once is done by one of them, 1,000 times', async () => {
    const { switches } = await start();
    for (let turn = 0; turn < 1000; turn++) {
      const { killSwitch, revision } = await switches.engage(DELETE);
      const both = await Promise.allSettled(
        ['olga', 'paul'].map((actor) =>
          switches.release(killSwitch.id, { actor, reason: 'r', expectedRevision: revision }),
        ),
      );
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }
  });
});
