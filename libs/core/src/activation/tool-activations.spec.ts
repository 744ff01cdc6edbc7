import { type ToolEvent, ToolEvents } from '../tool/tool-event.js';
import type { ToolContext } from '../tool/tool-context.js';
import { MemoryActivationStore } from './memory-activation-store.js';
import type { NewActivation } from './activation-store.js';
import { withDefaults } from '../options/options.js';
import { type ActivationOptions, activationSchema, type ActivationTuning } from './activation-options.js';
import { ToolActivations } from './tool-activations.js';

const HOUR = 3_600_000;
const ACME: ToolContext = { tenantId: 'acme', userId: 'ada', runId: 'r1', sessionId: 's1' };
const tool = (name: string, tokens = 10): NewActivation => ({ tool: name, reason: 'first_use', tokens });

function activationsOf(options: ActivationOptions & ActivationTuning = {}, store = new MemoryActivationStore()) {
  const clock = { now: 1_800_000_000_000 };
  const happened: ToolEvent[] = [];
  const events = new ToolEvents(() => clock.now);
  events.on('*', (event) => void happened.push(event));
  const activations = new ToolActivations(
    store,
    new MemoryActivationStore(),
    events,
    withDefaults(activationSchema, options),
    () => clock.now,
  );
  const give = (context: ToolContext, ...tools: NewActivation[]) =>
    activations.activate(
      activations.scopeOf(context, () => 'request'),
      tools,
      context,
    );
  const held = async (context: ToolContext) =>
    (await activations.list(activations.scopeOf(context, () => 'request'))).map((activation) => activation.tool);
  return { activations, store, happened, clock, give, held };
}

describe('whose activations a context has', () => {
  const { activations } = activationsOf();
  const { sessionId: _s, ...withoutSession } = ACME;
  const { runId: _r, ...withoutRun } = withoutSession;

  it('the session’s where there is one, else the run’s, else this one request’s', () => {
    expect(activations.scopeOf(ACME, () => 'request')).toMatchObject({
      scope: 'session',
      scopeId: 's1',
      ephemeral: false,
    });
    expect(activations.scopeOf(withoutSession, () => 'request')).toMatchObject({
      scope: 'run',
      scopeId: 'r1',
      ephemeral: false,
    });
    expect(activations.scopeOf(withoutRun, () => 'request')).toMatchObject({
      scope: 'run',
      scopeId: 'request',
      ephemeral: true,
    });
  });

  it('the run’s where the option says so, also within a session', () => {
    const { activations: ofRuns } = activationsOf({ scope: 'run' });
    expect(ofRuns.scopeOf(ACME, () => 'request')).toMatchObject({ scope: 'run', scopeId: 'r1' });
  });

  it('without an id of this one request where it has one of its own', () => {
    const unneeded = () => {
      throw new Error('made for nothing');
    };
    expect(activations.scopeOf(ACME, unneeded).scopeId).toBe('s1');
    expect(activations.scopeOf(withoutSession, unneeded).scopeId).toBe('r1');
  });

  it('none if a session is required and there is none: nothing is shared', () => {
    const { activations: ofSessions } = activationsOf({ scope: 'session' });
    expect(() => ofSessions.scopeOf(withoutSession, () => 'request')).toThrow(
      expect.objectContaining({ code: 'SESSION_REQUIRED', hint: expect.stringContaining('session') }),
    );
  });

  it('never those of another tenant or user with the same ids', async () => {
    const { give, held } = activationsOf();
    await give(ACME, tool('a.b'));
    expect(await held(ACME)).toEqual(['a.b']);
    const { userId: _u, ...nobody } = ACME;
    for (const other of [{ ...ACME, tenantId: 'globex' }, { ...ACME, userId: 'bob' }, nobody]) {
      expect(await held(other)).toEqual([]);
    }
    expect(await held({ ...ACME, runId: 'r2' })).toEqual(['a.b']);
  });

  it('in memory only for a run without id', async () => {
    const { activations: some, store } = activationsOf();
    const scope = some.scopeOf(withoutRun, () => 'request');
    await some.activate(scope, [tool('a.b')], withoutRun);
    expect(await some.list(scope)).toHaveLength(1);
    expect(await store.list(scope, 0)).toEqual([]);
  });
});

describe('activating', () => {
  it('is reported once for each tool, with its reason', async () => {
    const { activations, happened, give } = activationsOf();
    await give(ACME, tool('a.b'));
    const scope = activations.scopeOf(ACME, () => 'request');
    await activations.activate(scope, [tool('a.b'), { tool: 'c.d', reason: 'load', tokens: 1 }], ACME);
    expect(happened).toMatchObject([
      {
        type: 'tool.activated',
        tenantId: 'acme',
        sessionId: 's1',
        runId: 'r1',
        tool: 'a.b',
        scope: 'session',
        reason: 'first_use',
      },
      { type: 'tool.activated', tool: 'c.d', reason: 'load' },
    ]);
  });

  it('stops at 100 tools', async () => {
    const { give, held } = activationsOf();
    const tools = Array.from({ length: 101 }, (_, id) => tool(`t.${String(id).padStart(3, '0')}`));
    const outcome = await give(ACME, ...tools);
    expect([outcome.activated.length, outcome.overLimit]).toEqual([100, ['t.100']]);
    expect(await give(ACME, tool('t.000'), tool('t.100'))).toEqual({
      activated: [],
      alreadyActive: ['t.000'],
      overLimit: ['t.100'],
    });
    expect(await held(ACME)).toHaveLength(100);
  });

  it('stops at the limits of the options, and 0 is none', async () => {
    const { give, happened } = activationsOf({ maxTools: 2, maxTokens: 25 });
    expect(await give(ACME, tool('a'), tool('b', 20), tool('c'), tool('d'))).toMatchObject({
      activated: ['a', 'c'],
      overLimit: ['b', 'd'],
    });
    expect(happened.filter(({ type }) => type === 'activation.refused')).toEqual([
      expect.objectContaining({ tenantId: 'acme', tool: 'b', scope: 'session' }),
      expect.objectContaining({ tenantId: 'acme', tool: 'd', scope: 'session' }),
    ]);
    const { give: giveAny } = activationsOf({ maxTools: 0 });
    const many = await giveAny(ACME, ...Array.from({ length: 500 }, (_, id) => tool(`t.${id}`)));
    expect(many.activated).toHaveLength(500);
  });

  it('lasts 24 hours after the last use by default', async () => {
    const { give, held, clock } = activationsOf();
    await give(ACME, tool('a.b'));
    clock.now += 24 * HOUR;
    expect(await held(ACME)).toEqual(['a.b']);
    await give(ACME, tool('a.b'));
    clock.now += 24 * HOUR;
    expect(await held(ACME)).toEqual(['a.b']);
    clock.now += 1;
    expect(await held(ACME)).toEqual([]);

    const forever = activationsOf({ idleTtlMs: 0 });
    await forever.give(ACME, tool('a.b'));
    forever.clock.now += 1000 * 24 * HOUR;
    expect(await forever.held(ACME)).toEqual(['a.b']);
    expect(await forever.activations.sweep()).toBe(0);
  });

  it('lasts while a conversation goes on, with a write in a tenth of the time at most', async () => {
    const { activations, give, held, clock, store } = activationsOf({ idleTtlMs: HOUR });
    const written = jest.spyOn(store, 'demote');
    await give(ACME, tool('a.b'));
    for (let minute = 1; minute <= 240; minute++) {
      clock.now += HOUR / 60;
      await activations.keep(activations.scopeOf(ACME, () => 'request'));
    }
    expect(await held(ACME)).toEqual(['a.b']);
    expect(written).toHaveBeenCalledTimes(40);
    clock.now += HOUR + 1;
    await activations.keep(activations.scopeOf(ACME, () => 'request'));
    expect(await held(ACME)).toEqual([]);
  });

  it('is marked as used again at the next step where the store failed', async () => {
    const { activations, give, held, clock, store } = activationsOf({ idleTtlMs: HOUR });
    await give(ACME, tool('a.b'));
    const scope = activations.scopeOf(ACME, () => 'request');
    clock.now += HOUR / 2;
    const written = jest.spyOn(store, 'demote').mockRejectedValueOnce(new Error('disk full'));
    await activations.keep(scope);
    await activations.keep(scope);
    await activations.keep(scope);
    expect(written).toHaveBeenCalledTimes(2);
    clock.now += HOUR;
    expect(await held(ACME)).toEqual(['a.b']);
  });

  it('can be taken back, for one tool or for all', async () => {
    const { activations, give, held } = activationsOf();
    await give(ACME, tool('a'), tool('b'), tool('c'));
    const scope = activations.scopeOf(ACME, () => 'request');
    expect([await activations.revoke(scope, 'b'), await held(ACME)]).toEqual([1, ['a', 'c']]);
    expect([await activations.revoke(scope), await held(ACME)]).toEqual([2, []]);
  });
});

describe('a store that fails', () => {
  class Broken extends MemoryActivationStore {
    override list(): Promise<never> {
      throw new Error('SQLITE_BUSY: password=hunter2');
    }
    override async activate(): Promise<never> {
      throw new Error('SQLITE_BUSY: password=hunter2');
    }
    override revoke(): Promise<never> {
      return Promise.reject(new Error('SQLITE_BUSY: password=hunter2'));
    }
    override async sweep(): Promise<never> {
      throw new Error('SQLITE_BUSY: password=hunter2');
    }
    override async browse(): Promise<never> {
      throw new Error('SQLITE_BUSY: password=hunter2');
    }
    override stats(): Promise<never> {
      throw new Error('SQLITE_BUSY: password=hunter2');
    }
    override async revokeAll(): Promise<never> {
      throw new Error('SQLITE_BUSY: password=hunter2');
    }
  }

  it('fails with one code and a fixed text, and no tool counts as activated', async () => {
    const { activations, happened, give, held } = activationsOf({}, new Broken());
    const scope = activations.scopeOf(ACME, () => 'request');
    for (const work of [
      () => held(ACME),
      () => give(ACME, tool('a')),
      () => activations.revoke(scope),
      () => activations.sweep(),
      () => activations.browse(),
      () => activations.stats(),
      () => activations.revokeAll({}),
    ]) {
      const error = await work().then(
        () => undefined,
        (fault: unknown) => fault as Error & { code: string; hint: string },
      );
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', hint: expect.stringMatching(/.+/) });
      expect(`${error?.message} ${error?.hint}`).not.toContain('hunter2');
    }
    expect(happened).toEqual([]);
  });
});

describe('what operators do', () => {
  const crowd = async () => {
    const made = activationsOf();
    for (const tenantId of ['acme', 'globex']) await made.give({ ...ACME, tenantId }, tool('a.b'), tool('c.d'));
    made.happened.length = 0;
    return made;
  };

  it('is looking, in pages, and counting', async () => {
    const { activations, clock, give } = await crowd();
    const first = await activations.browse({ tool: 'a.b' }, { limit: 1 });
    const second = await activations.browse({ tool: 'a.b' }, { limit: 1, after: first.next! });
    expect([...first.items, ...second.items].map(({ tenantId }) => tenantId)).toEqual(['acme', 'globex']);
    expect(second.next).toBeUndefined();
    clock.now += 25 * HOUR;
    await give({ ...ACME, sessionId: 's2' }, tool('a.b', 3));
    expect((await activations.browse()).items).toMatchObject([{ scopeId: 's2', tokens: 3 }]);
    expect(await activations.stats()).toEqual({
      scopes: 1,
      activations: 1,
      tokens: 3,
      idleScopes: 2,
      oldestUseAt: clock.now,
    });
  });

  it('is revoking, of a tenant or of all, also what requests in flight hold', async () => {
    const { activations, happened, held, give } = await crowd();
    expect(await activations.revokeAll({ tenantId: 'acme' })).toBe(2);
    expect([await held(ACME), await held({ ...ACME, tenantId: 'globex' })]).toEqual([[], ['a.b', 'c.d']]);
    const { sessionId: _s, runId: _r, ...inFlight } = ACME;
    await give(inFlight, tool('a.b'));
    expect(await activations.revokeAll({})).toBe(3);
    expect(await held(inFlight)).toEqual([]);
    expect(await activations.revokeAll({})).toBe(0);
    expect(happened.filter(({ type }) => type === 'activation.revoked')).toEqual([
      { at: expect.any(Number), type: 'activation.revoked', tenantId: 'acme', removed: 2 },
      { at: expect.any(Number), type: 'activation.revoked', removed: 3 },
    ]);
  });

  it.each<[string, object]>([
    ['a tenant that is not known', { tenantId: undefined }],
    ['an empty id', { tenantId: '' }],
    ['a part that does not exist', { tenant: 'acme' }],
    ['another kind of scope', { scope: 'thread' }],
    ['something that is no text', { tool: { like: '%' } }],
    ['a name without end', { tool: 'x'.repeat(257) }],
  ])('refuses %s, and removes no activation', async (_what, filter) => {
    const { activations, held } = await crowd();
    for (const work of [() => activations.revokeAll(filter), () => activations.browse(filter)]) {
      await expect(work()).rejects.toMatchObject({ code: 'INVALID_REQUEST', hint: expect.any(String) });
    }
    expect(await held(ACME)).toEqual(['a.b', 'c.d']);
  });

  it.each([0, -1, 1.5, 201, Number.NaN])('is refused for a page of %d', async (limit) => {
    const { activations } = await crowd();
    await expect(activations.browse({}, { limit })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('sweeping', () => {
  it('removes stale scopes in batches until none is left, and keeps the others', async () => {
    const batches: number[] = [];
    class Counting extends MemoryActivationStore {
      override async sweep(staleBefore: number, batch: number): Promise<number> {
        batches.push(batch);
        return super.sweep(staleBefore, batch);
      }
    }
    const { activations, happened, give, held, clock } = activationsOf({}, new Counting());
    for (let session = 0; session < 450; session++) await give({ ...ACME, sessionId: `s${session}` }, tool('a'));
    clock.now += 25 * HOUR;
    await give({ ...ACME, sessionId: 'fresh' }, tool('a'));
    happened.length = 0;
    expect(await activations.sweep()).toBe(450);
    expect(batches).toEqual([200, 200, 200]);
    expect(happened).toMatchObject([{ type: 'activation.swept', removed: 450 }]);
    expect(await held({ ...ACME, sessionId: 'fresh' })).toEqual(['a']);
    expect(await activations.sweep()).toBe(0);
    expect(happened).toHaveLength(1);
  });

  it('runs periodically until it is stopped, also if the store fails', async () => {
    jest.useFakeTimers();
    let sweeps = 0;
    class Flaky extends MemoryActivationStore {
      override async sweep(): Promise<number> {
        sweeps += 1;
        throw new Error('down');
      }
    }
    const { activations } = activationsOf({ sweepEveryMs: 1000 }, new Flaky());
    const also = jest.fn(() => Promise.reject(new Error('down as well')));
    activations.startSweeping(also);
    activations.startSweeping();
    await jest.advanceTimersByTimeAsync(3000);
    activations.stopSweeping();
    await jest.advanceTimersByTimeAsync(3000);
    expect(sweeps).toBe(3);
    expect(also).toHaveBeenCalledTimes(3);

    const { activations: off } = activationsOf({ sweepEveryMs: 0 });
    off.startSweeping();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});
