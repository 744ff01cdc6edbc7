import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox } from '../../testing/open-toolbox.js';
import { controlSettings } from '../../testing/settings.js';
import { type ToolEvent, ToolEvents } from '../../tool/tool-event.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import { killSwitchId, type KillSwitchTarget } from '../kill-switches/kill-switch.js';
import { ToolGate } from '../tool-gate.js';
import { ToolPolicies } from '../policies/tool-policies.js';
import { ControlPlane } from './control-plane.js';
import type { ControlChange, ControlState } from './control-store.js';
import { MemoryControlStore } from './memory-control-store.js';
import { killSwitchKind } from '../kill-switches/kill-switch-kind.js';
import { policyKind } from '../policies/policy-kind.js';
import { verdictKind } from '../quarantine/verdict-kind.js';
import { CONTROL_KINDS } from '../../runtime/control-kinds.js';

const OFF: KillSwitchTarget = { kind: 'tool', value: 'crm.delete', tenantId: '' };
const switchOff = (target = OFF): ControlChange => {
  const [id, tenantId] = [killSwitchId(target), target.tenantId];
  const said = { reason: 'incident', actor: 'olga', engagedAt: 1, expiresAt: 0, abortRunning: false, matched: 0 };
  return {
    action: 'kill_switch.engaged',
    actor: 'olga',
    reason: 'incident',
    subject: 'x',
    tenantId,
    at: 1,
    idempotencyKey: '',
    put: { kind: 'kill_switch', key: id, tenantId, expiresAt: 0, value: { ...target, id, ...said } },
  };
};
const policyChange = (policy: object): ControlChange => ({
  ...switchOff(),
  action: 'policy.set',
  put: {
    kind: 'policy',
    key: 'p',
    tenantId: 'acme',
    expiresAt: 0,
    value: { tenantId: 'acme', agentId: '', policy: { ...policy }, reason: 'r', actor: 'a', changedAt: 1 },
  },
});

/** A store whose reads a test can replace. */
class UnreliableStore extends MemoryControlStore {
  /** Replaces the next reads; undefined = the real state. */
  instead: (() => Promise<ControlState | undefined>) | undefined;
  reads = 0;

  override async read(known?: number): Promise<ControlState | undefined> {
    this.reads += 1;
    return this.instead ? this.instead() : super.read(known);
  }
}

const hang = () => new Promise<never>(() => undefined);
const fail = () => Promise.reject(new Error('secret of the database'));

// The deadline uses real timers. Reads that hang get 10 ms; all others get more than a busy machine needs.
const SOON_MS = 10;

function planeOf(store = new UnreliableStore(), readDeadlineMs = 60_000) {
  const happened: ToolEvent[] = [];
  const events = new ToolEvents();
  events.on('*', (event) => void happened.push(event));
  const clock = { ms: 1_000_000 };
  const settings = controlSettings({ readDeadlineMs, pollMs: 60_000 });
  const plane = new ControlPlane(store, CONTROL_KINDS, events, settings, () => clock.ms);
  const isOpen = () => {
    try {
      plane.current();
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'GATE_CLOSED' });
      return false;
    }
  };
  return { store, plane, clock, happened, isOpen };
}

describe('the freshness of what operators decided', () => {
  it('is ready, then stale after 5 s, then closed after 30 s, and one look that succeeds opens again', async () => {
    const { store, plane, clock, isOpen } = planeOf();
    await plane.refresh();
    const at = (ms: number) => {
      clock.ms = 1_000_000 + ms;
      return [plane.health().state, isOpen()];
    };
    expect([0, 5000, 5001, 30_000, 30_001, 1e9].map(at)).toEqual([
      ['ready', true],
      ['ready', true],
      ['stale', true],
      ['stale', true],
      ['closed', false],
      ['closed', false],
    ]);
    store.instead = fail;
    await expect(plane.refresh()).rejects.toThrow('secret');
    expect(isOpen()).toBe(false);
    store.instead = undefined;
    await plane.refresh();
    expect([plane.health(), isOpen()]).toEqual([{ state: 'ready', revision: 0, ageMs: 0, writable: true }, true]);
  });

  it('counts from the start of a read, so the time of a slow answer is not trusted', async () => {
    const { store, plane, clock } = planeOf();
    await plane.refresh();
    store.instead = async () => {
      clock.ms += 4000;
      return undefined;
    };
    await plane.refresh();
    expect(plane.health().ageMs).toBe(4000);
  });

  it('is closed before the first look has succeeded, however often looks fail', async () => {
    const { store, plane, isOpen } = planeOf(undefined, SOON_MS);
    expect([isOpen(), plane.health()]).toEqual([
      false,
      { state: 'closed', revision: -1, ageMs: Infinity, writable: true },
    ]);
    for (const broken of [fail, hang]) {
      store.instead = broken;
      await expect(plane.refresh()).rejects.toBeDefined();
      expect(isOpen()).toBe(false);
    }
  });

  it('does not follow the wall clock', async () => {
    const { plane, isOpen } = planeOf();
    await plane.refresh();
    jest.useFakeTimers({ now: Date.now() + 1e9, doNotFake: ['performance', 'setTimeout', 'setImmediate', 'nextTick'] });
    expect([isOpen(), plane.health().state]).toEqual([true, 'ready']);
    jest.setSystemTime(1);
    expect([isOpen(), plane.health().state]).toEqual([true, 'ready']);
    jest.useRealTimers();
  });

  it('refuses the first call after the event loop stood still for 40 s, though no timer could say so', async () => {
    const { plane, clock, isOpen, happened } = planeOf();
    await plane.start();
    clock.ms += 40_000;
    expect(isOpen()).toBe(false);
    expect(happened.at(-1)).toMatchObject({ type: 'control.health_changed', state: 'closed' });
    await plane.refresh();
    expect(isOpen()).toBe(true);
    await plane.stop();
  });

  it('reports every change of health once', async () => {
    const { store, plane, clock, happened } = planeOf();
    const poll = async () => {
      await plane.stop();
      await plane.start();
    };
    await poll();
    store.instead = fail;
    for (const ms of [6000, 0, 0, 30_000, 0]) {
      clock.ms += ms;
      await poll();
    }
    store.instead = undefined;
    await poll();
    await plane.stop();
    const states = happened.flatMap((event) => (event.type === 'control.health_changed' ? [event.state] : []));
    expect(states).toEqual(['stale', 'closed', 'ready']);
  });
});

describe('a store that is lost', () => {
  const lose = () => Promise.reject(new ToolSearchError('GATE_CLOSED', 'the file was deleted'));

  it('closes the gate at once, says why, and opens it when it is back', async () => {
    const { store, plane, isOpen, happened } = planeOf();
    await plane.refresh();
    store.instead = lose;
    await expect(plane.refresh()).rejects.toMatchObject({ code: 'GATE_CLOSED' });
    expect([isOpen(), plane.health()]).toMatchObject([false, { state: 'closed', reason: 'the file was deleted' }]);
    const told = () => happened.filter(({ type }) => type === 'control.health_changed');
    expect(told()).toMatchObject([{ state: 'closed', reason: 'the file was deleted' }]);
    store.instead = undefined;
    await plane.refresh();
    expect([isOpen(), plane.health().reason]).toEqual([true, undefined]);
  });
});

describe('a store that takes no writes', () => {
  it('is reported by its health after a failed write, until a write succeeds', async () => {
    const { store, plane, happened } = planeOf();
    await plane.refresh();
    const full = jest.spyOn(store, 'change').mockRejectedValue(new Error('database or disk is full'));
    await expect(plane.change(switchOff())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(plane.health()).toMatchObject({ state: 'ready', writable: false });
    full.mockRestore();
    await plane.change(switchOff());
    expect(plane.health()).toMatchObject({ state: 'ready', writable: true });
    expect(happened.some(({ type }) => type === 'control.health_changed')).toBe(false);
  });

  it('is found by the next read even without a write, and reported once', async () => {
    const { store, plane, happened } = planeOf();
    const full = jest.spyOn(store, 'beat').mockRejectedValue(new Error('database or disk is full'));
    for (let looks = 0; looks < 3; looks++) await plane.start().then(() => plane.stop());
    expect(plane.health().writable).toBe(false);
    full.mockRestore();
    await plane.start();
    await plane.stop();
    const told = happened.flatMap((event) => (event.type === 'control.health_changed' ? [event.writable] : []));
    expect(told).toEqual([false, true]);
  });
});

describe('the clock by which switches expire', () => {
  it("is the store's, also where this process's own is an hour off or is set", async () => {
    const { store, plane, clock } = planeOf();
    const soon = Date.now() + 3_600_000;
    jest.spyOn(store, 'beat').mockResolvedValue(soon);
    expect(plane.now()).toBeLessThan(soon);
    await plane.start();
    clock.ms += 250;
    expect(plane.now()).toBe(soon + 250);
    const killSwitch = switchOff();
    const { put } = killSwitch;
    if (!put) throw new Error('unreachable');
    await plane.change({ ...killSwitch, put: { ...put, value: { ...put.value, expiresAt: soon + 1000 } } });
    const gate = new ToolGate({ policies: new ToolPolicies(), visibility: () => [], control: plane });
    expect(gate.switches().expired).toBe(0);
    clock.ms += 1000;
    expect(gate.switches().expired).toBe(1);
    await plane.stop();
  });
});

describe('a look at the store', () => {
  it('is shared by those who asked before it began, and made again for those who asked later', async () => {
    const { store, plane } = planeOf();
    let answer = () => {};
    store.instead = () => new Promise((resolve) => (answer = () => resolve(undefined)));
    const first = plane.refresh();
    await new Promise(setImmediate);
    const later = [plane.refresh(), plane.refresh(), plane.refresh()];
    expect(store.reads).toBe(1);
    store.instead = undefined;
    answer();
    await Promise.all([first, ...later]);
    expect(store.reads).toBe(2);
  });

  it('that is late is ignored, also when it has something new to say', async () => {
    const { store, plane, clock } = planeOf(undefined, SOON_MS);
    await plane.refresh();
    await store.change(switchOff());
    let answer = () => {};
    store.instead = () =>
      new Promise((resolve) => {
        answer = () => resolve({ revision: 1, records: [] });
      });
    clock.ms += 1000;
    await expect(plane.refresh()).rejects.toThrow(`no answer within ${SOON_MS} ms`);
    answer();
    await new Promise(setImmediate);
    expect(plane.health()).toMatchObject({ revision: 0, ageMs: 1000 });
  });

  it.each<[string, () => Promise<ControlState | undefined>]>([
    ['the read fails', fail],
    ['the read hangs', hang],
    [
      'a switch cannot be read',
      async () => ({ revision: 9, records: [{ ...switchOff().put!, revision: 9, value: {} }] }),
    ],
    [
      'a policy cannot be read',
      async () => ({ revision: 9, records: [{ ...policyChange({ denied: ['*'] }).put!, revision: 9 }] }),
    ],
    [
      'the last of many records cannot be read',
      async () => ({
        revision: 9,
        records: [
          { ...switchOff({ ...OFF, value: 'crm.other' }).put!, revision: 8 },
          { ...policyChange({ deny: 'all' }).put!, revision: 9 },
        ],
      }),
    ],
  ])('leaves the whole old decision where %s, and closes in time', async (_, broken) => {
    const { store, plane, clock, isOpen } = planeOf(undefined, broken === hang ? SOON_MS : undefined);
    await store.change(switchOff());
    await store.change(policyChange({ deny: ['crm.*'] }));
    await plane.refresh();
    const before = plane.current();
    store.instead = broken;
    await expect(plane.refresh()).rejects.toBeDefined();
    expect(plane.current()).toBe(before);
    expect(before.of(killSwitchKind).all.map(({ value }) => value)).toEqual(['crm.delete']);
    clock.ms += 30_001;
    await expect(plane.refresh()).rejects.toBeDefined();
    expect(isOpen()).toBe(false);
  });

  it('never applies a revision that went back: what was off stays off, and the gate closes in time', async () => {
    const { store, plane, clock, isOpen, happened } = planeOf();
    await store.change(policyChange({ deny: ['crm.*'] }));
    await store.change(switchOff());
    await plane.refresh();
    store.instead = async () => ({ revision: 1, records: [] });
    await expect(plane.refresh()).rejects.toThrow('went back');
    expect(plane.current().of(killSwitchKind).all).toHaveLength(1);
    expect(happened.at(-1)).toMatchObject({ type: 'control.rolled_back', held: 2, found: 1 });
    clock.ms += 30_001;
    await expect(plane.refresh()).rejects.toBeDefined();
    expect(isOpen()).toBe(false);
    // The other history may have reached and passed our revision by now: only a new process accepts it.
    for (const later of [undefined, { revision: 3, records: [] }]) {
      store.instead = async () => later;
      await expect(plane.refresh()).rejects.toBeDefined();
      expect(isOpen()).toBe(false);
    }
  });

  it('gives policies and verdicts the same objects while only switches change', async () => {
    const { store, plane } = planeOf();
    await store.change(policyChange({ deny: ['crm.*'] }));
    await plane.refresh();
    const [before, rules] = [plane.current(), plane.rulesRevision];
    await store.change(switchOff());
    await plane.refresh();
    expect(plane.current().of(policyKind)).toBe(before.of(policyKind));
    expect(plane.current().of(verdictKind)).toBe(before.of(verdictKind));
    expect(plane.rulesRevision).toBe(rules);
    await store.change(policyChange({ deny: ['billing.*'] }));
    await plane.refresh();
    expect(plane.current().of(policyKind)).not.toBe(before.of(policyKind));
    expect(plane.rulesRevision).toBe(rules + 1);
  });

  it('gives switches the same object while only something else changes', async () => {
    const { store, plane } = planeOf();
    await store.change(switchOff());
    await plane.refresh();
    const before = plane.current();
    await store.change(policyChange({ deny: ['crm.*'] }));
    await plane.refresh();
    expect(plane.current().of(killSwitchKind)).toBe(before.of(killSwitchKind));
    await store.change(switchOff());
    await plane.refresh();
    expect(plane.current().of(killSwitchKind)).not.toBe(before.of(killSwitchKind));
  });
});

describe('a change', () => {
  it('is decided by as soon as it resolves', async () => {
    const { plane } = planeOf();
    await plane.refresh();
    await plane.change(switchOff());
    expect(plane.current().of(killSwitchKind).all).toHaveLength(1);
  });

  it.each<[string, (store: UnreliableStore) => void]>([
    ['fails', (store) => void (store.instead = fail)],
    ['hangs', (store) => void (store.instead = hang)],
    // Like a replica that lags behind, or a store restored from a backup.
    ['finds nothing new', (store) => void (store.instead = async () => undefined)],
  ])('that was written does not resolve when reading it back %s', async (_, breakReads) => {
    const { store, plane } = planeOf(undefined, SOON_MS);
    for (let revision = 1; revision <= 5; revision++) await store.change(policyChange({ deny: [`v${revision}.*`] }));
    await plane.refresh();
    breakReads(store);
    const error = await plane.change(switchOff()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining('was written') });
    store.instead = undefined;
    await plane.refresh();
    expect(plane.current().of(killSwitchKind).all).toHaveLength(1);
  });

  it('does not resolve on a store that was set back, whose new revisions are behind what this process holds', async () => {
    const { plane, store } = planeOf();
    for (const deny of ['a.*', 'b.*', 'c.*']) await store.change(policyChange({ deny: [deny] }));
    await plane.refresh();
    const backup = new MemoryControlStore();
    jest.spyOn(store, 'change').mockImplementation((change) => backup.change(change));
    store.instead = () => backup.read();
    // Not even when the new history has reached the revision held here.
    for (let i = 0; i < 4; i++) {
      await expect(plane.change(switchOff({ ...OFF, value: `crm.tool_${i}` }))).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
      });
    }
  });

  it('that is repeated by its key is decided by before it resolves, though its first answer was lost', async () => {
    const { store, plane } = planeOf();
    await plane.refresh();
    const change = { ...switchOff(), idempotencyKey: 'k1' };
    store.instead = fail;
    await expect(plane.change(change)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    store.instead = undefined;
    expect((await plane.change(change)).outcome).toBe('replayed');
    expect(plane.current().of(killSwitchKind).all).toHaveLength(1);
  });

  it('that the store rejects fails with a fixed text, and changes no snapshot', async () => {
    const { store, plane } = planeOf();
    await plane.refresh();
    jest.spyOn(store, 'change').mockImplementation(fail);
    const error = await plane.change(switchOff()).catch((reason: unknown) => reason);
    expect(isToolSearchError(error) && error.code).toBe('STORE_UNAVAILABLE');
    expect(String((error as Error).message)).not.toContain('secret');
    expect(plane.current().of(killSwitchKind).all).toEqual([]);
  });
});

describe('a store that hangs', () => {
  // All operations on the store, as all of them pass the same wrapper; the audit trail is read in pages.
  it.each<[string, keyof MemoryControlStore, (app: OpenToolbox) => Promise<unknown>]>([
    ['a change', 'change', ({ killSwitches }) => killSwitches.engage({ ...OFF, actor: 'olga', reason: 'incident' })],
    ['a list', 'list', ({ approvals }) => approvals.list({ limit: 1 })],
    ['a page of the audit trail', 'audit', ({ audit }) => audit.verify()],
    ['a call that needs an approval', 'ask', ({ toolbox }) => toolbox.call('crm.delete', {})],
  ])('keeps %s waiting for ten seconds, and its answer says what may have happened', async (_, door, ask) => {
    const store = new MemoryControlStore();
    const crm = new FakeSource('crm', ['delete']);
    const app = await openToolbox({ sources: [crm], controlStore: store, policy: { approval: ['crm.delete'] } });
    const hanging = jest.spyOn(store, door as 'change').mockImplementation(hang);
    jest.useFakeTimers({ doNotFake: ['performance', 'nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
    try {
      let answer: unknown;
      void ask(app).then(
        (result) => (answer = result),
        (error: unknown) => (answer = error),
      );
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(hanging).toHaveBeenCalled();
      await jest.advanceTimersByTimeAsync(9999);
      expect(answer).toBeUndefined();
      await jest.advanceTimersByTimeAsync(1);
      expect(answer).toMatchObject({
        code: 'STORE_UNAVAILABLE',
        hint: expect.stringContaining('may have been made'),
      });
    } finally {
      jest.useRealTimers();
    }
    await app.close();
  });
});

describe('a store that others share', () => {
  class SharedStore extends UnreliableStore {
    hint = () => {};
    beats: number[] = [];
    onBeat: () => Promise<void> = async () => undefined;

    override async beat(id: string, revision: number): Promise<number> {
      this.beats.push(revision);
      await this.onBeat();
      return super.beat(id, revision);
    }

    override async watch(onHint: () => void): Promise<() => Promise<void>> {
      this.hint = onHint;
      return async () => void (this.hint = () => {});
    }
  }

  it('is read after every hint, and learns which revision this process applies', async () => {
    const store = new SharedStore();
    const { plane } = planeOf(store);
    await plane.start();
    await store.change(switchOff());
    const applied = new Promise<void>((resolve) => plane.onChange(() => resolve()));
    store.hint();
    await applied;
    await new Promise(setImmediate);
    expect(plane.current().revision).toBe(1);
    expect(await plane.propagation(1, 1000)).toMatchObject({ pending: [] });
    await plane.stop();
    expect(await store.instances(1000)).toEqual([]);
  });

  it('is polled on, though saying so hangs', async () => {
    const store = new SharedStore();
    store.onBeat = hang;
    const clock = { ms: 0 };
    const options = { readDeadlineMs: SOON_MS, pollMs: 10 };
    const plane = new ControlPlane(store, CONTROL_KINDS, new ToolEvents(), controlSettings(options), () => clock.ms);
    await plane.start();
    await store.change(switchOff());
    await new Promise<void>((resolve) => plane.onChange(() => resolve()));
    expect(plane.current().of(killSwitchKind).all).toHaveLength(1);
    await plane.stop();
  });

  it('waits for late instances, at most for the given time', async () => {
    const store = new SharedStore();
    const { plane, clock } = planeOf(store);
    await plane.start();
    await store.beat('slow', 0);
    await plane.change(switchOff());
    await new Promise(setImmediate);
    setTimeout(() => void (clock.ms += 100), 5);
    expect(await plane.propagation(1, 100)).toMatchObject({ pending: ['slow'] });
    setTimeout(() => void store.beat('slow', 1), 5);
    expect(await plane.propagation(1, 1000)).toMatchObject({ pending: [] });
    await plane.stop();
  });
});

describe('a toolbox without a store', () => {
  it('refuses every name and every way of asking with the same bytes', async () => {
    const store = new UnreliableStore();
    store.instead = fail;
    const crm = new FakeSource('crm', ['read', 'delete', { name: 'ping', loading: 'always' }]);
    const { toolbox, close } = await openToolbox({ sources: [crm], controlStore: store });
    const names = ['crm.read', 'crm.delete', 'crm.ping', 'no.such', '__proto__', 'crm.READ'];
    const answerTo = async (work: () => Promise<unknown>) => {
      const { code, message, hint } = (await work().then(
        (value) => value,
        (error: unknown) => error,
      )) as Record<'code' | 'message' | 'hint', string>;
      return JSON.stringify([code, message, hint]);
    };
    const answers = await Promise.all(
      names.flatMap((name) => [
        answerTo(() => toolbox.call(name, {})),
        answerTo(() => toolbox.call('tool_get', { names: [name] })),
        answerTo(() => toolbox.call('tool_search', { query: name })),
        answerTo(() => toolbox.admit(name)),
        answerTo(() => toolbox.get([name])),
        answerTo(() => toolbox.activate([name])),
        answerTo(() => toolbox.search({ query: name })),
        answerTo(() => toolbox.list()),
        answerTo(() => toolbox.surface({ text: name })),
        answerTo(() => toolbox.narrow({}).call(name, {})),
      ]),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('GATE_CLOSED');
    expect(crm.calls).toEqual([]);
    await close();
  });
});
