import type { LimitsOptions, LimitsTuning } from '../access/limits/limits-options.js';
import { MemoryLimitStore } from '../access/limits/memory-limit-store.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox, type ToolboxSetup } from '../testing/open-toolbox.js';
import { Toolbox } from './toolbox.js';
import { ToolSearchError } from '../tool/tool-search.error.js';

const OLGA = { actor: 'olga', reason: 'too many' };
const SCHEMA = { type: 'object', properties: { id: { type: 'integer' } }, additionalProperties: false };

type Rules = LimitsOptions['rules'];

const openedOnes: OpenToolbox[] = [];
afterEach(() => Promise.all(openedOnes.splice(0).map((each) => each.close())));

async function open(rules: Rules, setup: ToolboxSetup = {}, given: LimitsOptions & LimitsTuning = {}) {
  const { resultTokens, storeTimeoutMs, leaseSlackMs, ...limits } = given;
  const tuning = { limits: { resultTokens, storeTimeoutMs, leaseSlackMs } };
  let running = 0;
  let ran = 0;
  const gates: (() => void)[] = [];
  const crm = new FakeSource('crm', [
    { name: 'read', inputSchema: SCHEMA, sideEffects: 'read', aliases: ['crm.show'], run: () => `row ${++ran}` },
    { name: 'write', sideEffects: 'write', tags: ['money'], run: () => ((ran += 1), 'x'.repeat(430)) },
    {
      name: 'wait',
      run: async (_input, _context, { signal }) => {
        running += 1;
        await new Promise<void>((resolve) => {
          gates.push(resolve);
          signal.addEventListener('abort', () => resolve());
        });
        running -= 1;
        return 'waited';
      },
    },
    {
      name: 'fail',
      run: () => {
        throw new Error('broken');
      },
    },
  ]);
  const opened = await openToolbox({
    sources: [crm],
    ...setup,
    options: {
      exposure: 'deferred',
      tokenizer: 'estimate',
      ...setup.options,
      limits: { rules, ...limits },
      tuning,
    },
  });
  openedOnes.push(opened);
  const used = async (id: string) => {
    const status = (await opened.toolLimits.list({ limit: 200 })).find(({ limit }) => limit.id === id);
    return status?.usage?.used;
  };
  return {
    ...opened,
    crm,
    used,
    running: () => running,
    ran: () => ran,
    letGo: () => gates.splice(0).forEach((go) => go()),
  };
}

const code = (result: { ok: boolean; code?: string }) => (result.ok ? 'ok' : result.code);
const turns = async (n = 20) => {
  for (let i = 0; i < n; i++) await new Promise(setImmediate);
};

const MINUTE = { windowMs: 60_000 };

describe('limits of calls', () => {
  it('refuse a call that they do not let through, and say which limit and when to call again', async () => {
    const { toolbox, eventsOf } = await open([
      { id: 'reads', match: { tool: 'crm.read' }, rate: { calls: 2, ...MINUTE } },
    ]);
    expect([code(await toolbox.call('crm.read', {})), code(await toolbox.call('crm.show', {}))]).toEqual(['ok', 'ok']);
    const refused = await toolbox.call('crm.read', {});
    expect(refused).toEqual({
      ok: false,
      code: 'LIMIT_REACHED',
      message: 'crm.read was not called: the limit reads is reached.',
      hint: expect.stringMatching(/^Do not repeat the call within \d+ s/),
      limit: 'reads',
      retryAfterSeconds: expect.any(Number),
    });
    expect(!refused.ok && refused.retryAfterSeconds).toBeGreaterThan(50);
    expect(code(await toolbox.call('crm.write', {}))).toBe('ok');
    expect(eventsOf('limit.reached')).toMatchObject([{ tool: 'crm.read', limit: 'reads', tenantId: 'acme' }]);
    expect(eventsOf('tool.called').map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'LIMIT_REACHED', 'ok']);
  });

  it('are taken together or not at all, also under load', async () => {
    const {
      open: of,
      used,
      ran,
    } = await open([
      { id: 'all', rate: { calls: 1000, ...MINUTE } },
      { id: 'reads', match: { sideEffects: 'read' }, budget: { of: 'calls', max: 30, every: 'day' } },
      { id: 'ada', match: { userId: 'ada' }, rate: { calls: 10, window: 'fixed', windowMs: 86_400_000 } },
    ]);
    const users = Array.from({ length: 200 }, (_, i) => of({ userId: i % 2 ? 'ada' : 'bob', sessionId: `s${i}` }));
    const results = await Promise.all(users.map((toolbox) => toolbox.call('crm.read', {})));
    const [ada, bob] = [1, 0].map((odd) => results.filter((result, i) => i % 2 === odd && result.ok).length);
    expect([ada, bob, ran()]).toEqual([10, 20, 30]);
    expect([await used('all'), await used('reads'), await used('ada')]).toEqual([30, 30, 10]);
  });

  it('count the call of a sub-agent for every agent above it, and a caller without a user with all such callers', async () => {
    const { open: of, toolbox } = await open([
      { id: 'agents', per: ['agent'], rate: { calls: 2, ...MINUTE } },
      { id: 'users', per: ['user'], match: { tool: 'crm.write' }, rate: { calls: 1, ...MINUTE } },
    ]);
    const lead = of({ agentId: 'lead' });
    const sub = lead.narrow({ agentId: 'sub' });
    expect([code(await sub.call('crm.read', {})), code(await sub.call('crm.read', {}))]).toEqual(['ok', 'ok']);
    for (const each of [sub, lead, lead.narrow({ agentId: 'other' }), of({ agentId: 'sub' })]) {
      expect(code(await each.call('crm.read', {}))).toBe('LIMIT_REACHED');
    }
    expect(code(await of({ agentId: 'other' }).call('crm.read', {}))).toBe('ok');
    expect(code(await toolbox.call('crm.write', {}))).toBe('ok');
    const nobody = (runId: string) =>
      new Toolbox((lead as never as { parts: never }).parts, () => ({ tenantId: 'acme', runId }));
    expect([code(await nobody('a').call('crm.write', {})), code(await nobody('b').call('crm.write', {}))]).toEqual([
      'ok',
      'LIMIT_REACHED',
    ]);
  });

  it('distinguish users of different tenants, and do not depend on session or run', async () => {
    const { open: of } = await open([{ id: 'users', per: ['user'], rate: { calls: 1, ...MINUTE } }]);
    expect(code(await of({ sessionId: 'a' }).call('crm.read', {}))).toBe('ok');
    for (const other of [{ sessionId: 'b' }, { runId: 'r2' }, { agentId: 'x' }]) {
      expect(code(await of(other).call('crm.read', {}))).toBe('LIMIT_REACHED');
    }
    expect(code(await of({ tenantId: 'globex' }).call('crm.read', {}))).toBe('ok');
  });

  it('count a call through the bridge as the call of its tool', async () => {
    const { toolbox } = await open([{ id: 'reads', match: { tool: 'crm.read' }, rate: { calls: 1, ...MINUTE } }], {
      options: { exposure: 'bridge' },
    });
    const bridged = () => toolbox.call('tool_call', { name: 'crm.read', arguments: {} });
    expect([code(await bridged()), code(await bridged())]).toEqual(['ok', 'LIMIT_REACHED']);
    expect(code(await toolbox.call('crm.read', {}))).toBe('LIMIT_REACHED');
  });

  it('hold calls that run at the same time, and let the next one in when one ends or fails', async () => {
    const { toolbox, letGo, running, used } = await open([{ id: 'two', concurrency: { calls: 2 } }]);
    const calls = [1, 2, 3].map(() => toolbox.call('crm.wait', {}));
    expect(await calls[2]).toMatchObject({ code: 'LIMIT_REACHED', limit: 'two', retryAfterSeconds: 1 });
    expect([running(), await used('two')]).toEqual([2, 2]);
    letGo();
    expect((await Promise.all(calls.slice(0, 2))).map(code)).toEqual(['ok', 'ok']);
    for (let i = 0; i < 4; i++) expect(code(await toolbox.call('crm.fail', {}))).toBe('TOOL_FAILED');
    expect(await used('two')).toBe(0);
  });

  it('free the lease of a call whose process died', async () => {
    let now = Date.now();
    const limitStore = new MemoryLimitStore(() => now);
    const rules: Rules = [{ id: 'one', concurrency: { calls: 1 } }];
    const { toolbox, letGo } = await open(rules, { limitStore }, { leaseSlackMs: 5000 });
    const crashed = toolbox.call('crm.wait', {});
    await turns();
    expect(code(await toolbox.call('crm.read', {}))).toBe('LIMIT_REACHED');
    now += 30_000 + 4999;
    expect(code(await toolbox.call('crm.read', {}))).toBe('LIMIT_REACHED');
    now += 1;
    expect(code(await toolbox.call('crm.read', {}))).toBe('ok');
    letGo();
    await crashed;
  });

  it('give everything back for a call that never ran', async () => {
    const { toolbox, used, killSwitches, crm } = await open([
      { id: 'rate', rate: { calls: 5, ...MINUTE } },
      { id: 'one', concurrency: { calls: 1 } },
      { id: 'tokens', budget: { of: 'tokens', max: 9000, every: 'day' } },
    ]);
    expect(code(await toolbox.call('crm.read', { id: 'x' }))).toBe('INVALID_ARGUMENTS');
    expect(code(await toolbox.call('crm.gone', {}))).toBe('TOOL_NOT_AVAILABLE');
    const cancelled = new AbortController();
    cancelled.abort();
    expect(code(await toolbox.call('crm.read', {}, { signal: cancelled.signal }))).toBe('TOOL_CANCELLED');
    await killSwitches.engage({ ...OLGA, kind: 'tool', value: 'crm.write' });
    expect(code(await toolbox.call('crm.write', {}))).toBe('TOOL_NOT_AVAILABLE');
    expect([await used('rate'), await used('one'), await used('tokens')]).toEqual([0, 0, 0]);
    expect(crm.calls).toHaveLength(0);
  });

  it('reserve the tokens of a result and count those that the model received', async () => {
    const rules: Rules = [
      { id: 'tokens', budget: { of: 'tokens', max: 500, every: 'day', timeZone: 'Europe/Berlin' } },
    ];
    const { toolbox, used } = await open(rules, {}, { resultTokens: 200 });
    const first = await Promise.all([1, 2, 3].map(() => toolbox.call('crm.write', {})));
    expect(first.map(code)).toEqual(['ok', 'ok', 'LIMIT_REACHED']);
    expect(await used('tokens')).toBe(200);
    for (let i = 0; i < 2; i++) expect(code(await toolbox.call('crm.write', {}))).toBe('ok');
    expect([code(await toolbox.call('crm.write', {})), await used('tokens')]).toEqual(['LIMIT_REACHED', 400]);
  });

  it.each([-0.5, -Number.MIN_VALUE, -3])('charge the bound for a cost of %d, and report a fault', async (price) => {
    const cost = { cents: { bound: () => 10, of: () => price } };
    const rules = [{ id: 'cents', budget: { of: 'cents', max: 25, every: 'month' as const } }];
    const { toolbox, used, faults } = await open(rules, {}, { cost });
    await toolbox.call('crm.read', {});
    expect([await used('cents'), faults.length]).toEqual([10, 1]);
  });

  it('are not forgotten while the clock is set back by several windows', async () => {
    let now = 10_000_000;
    const limitStore = new MemoryLimitStore(() => now);
    const rules = [{ id: 'rate', rate: { calls: 2, windowMs: 60_000 } }];
    const { toolbox } = await open(rules, { limitStore });
    for (const shift of [0, -300_000]) {
      now += shift;
      expect(code(await toolbox.call('crm.read', {}))).toBe('ok');
    }
    expect(code(await toolbox.call('crm.read', {}))).toBe('LIMIT_REACHED');
  });

  it('reserve the bound of a cost and count what it was; the bound if the application cannot say', async () => {
    let price = () => 2.2;
    const cost = { cents: { bound: () => 10, of: () => price() } };
    const { toolbox, used, faults } = await open(
      [{ id: 'cents', budget: { of: 'cents', max: 25, every: 'month' } }],
      {},
      { cost },
    );
    await toolbox.call('crm.read', {});
    expect(await used('cents')).toBe(3);
    price = () => Number.NaN;
    await toolbox.call('crm.read', {});
    expect([await used('cents'), faults.length]).toEqual([13, 1]);
    price = () => {
      throw new Error('no price');
    };
    await toolbox.call('crm.read', {});
    expect(await used('cents')).toBe(23);
    expect(await toolbox.call('crm.read', {})).toMatchObject({ code: 'LIMIT_REACHED', limit: 'cents' });
  });

  it('say that waiting does not help where one call takes more than the limit holds', async () => {
    const cost = { cents: { bound: () => 10, of: () => 1 } };
    const { toolbox } = await open([{ id: 'cents', budget: { of: 'cents', max: 9, every: 'month' } }], {}, { cost });
    const refused = await toolbox.call('crm.read', {});
    expect(refused).toMatchObject({ code: 'LIMIT_REACHED', limit: 'cents' });
    expect(refused).not.toHaveProperty('retryAfterSeconds');
  });

  it('do not reveal hidden tools, whose calls consume nothing', async () => {
    const rules: Rules = [{ id: 'all', rate: { calls: 1, ...MINUTE } }];
    const hidden = await open(rules, { policy: { deny: ['crm.write'] } });
    const answers = async () => [
      await hidden.toolbox.call('crm.write', {}),
      await hidden.toolbox.call('crm.nothing', {}),
    ];
    const before = await answers();
    expect(await hidden.used('all')).toBe(0);
    expect(code(await hidden.toolbox.call('crm.read', {}))).toBe('ok');
    const after = await answers();
    expect(JSON.stringify(after)).toBe(JSON.stringify(before));
    expect(new Set([...before, ...after].map((each) => JSON.stringify(each))).size).toBe(1);
    expect(hidden.eventsOf('limit.reached')).toEqual([]);
  });

  it.each([true, false])('while the counters cannot be read, are closed if they are hard (%s)', async (hard) => {
    class BrokenStore extends MemoryLimitStore {
      override update(): never {
        throw new Error('secret of the database');
      }
    }
    const rules: Rules = [{ id: 'rate', rate: { calls: 1, ...MINUTE }, hard }];
    const { toolbox, eventsOf } = await open(rules, { limitStore: new BrokenStore() });
    const result = await toolbox.call('crm.read', {});
    expect(code(result)).toBe(hard ? 'STORE_UNAVAILABLE' : 'ok');
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(eventsOf('limit.unchecked')).toMatchObject([{ tool: 'crm.read', limits: ['rate'], refused: hard }]);
  });

  it.each([true, false])('are closed where the counters can never be reached, hard or not (%s)', async (hard) => {
    class UnreachableStore extends MemoryLimitStore {
      override update(): never {
        throw new ToolSearchError('INTERNAL', 'A statement would wait for its own transaction.');
      }
    }
    const rules: Rules = [{ id: 'rate', rate: { calls: 1, ...MINUTE }, hard }];
    const { toolbox } = await open(rules, { limitStore: new UnreachableStore() });
    expect(await toolbox.call('crm.read', {})).toMatchObject({
      code: 'INTERNAL',
      hint: expect.stringContaining('trying again does not help') as string,
    });
  });

  class SlowStore extends MemoryLimitStore {
    readonly waiting: (() => void)[] = [];
    isSlow = true;
    override update<T>(...args: Parameters<MemoryLimitStore['update']>): T {
      if (!this.isSlow) return super.update(...args) as T;
      return new Promise((resolve) => this.waiting.push(() => resolve(super.update(...args)))) as T;
    }
  }

  it.each([
    ['the store was late', 10, 'STORE_UNAVAILABLE'],
    ['it was cancelled', 60_000, 'TOOL_CANCELLED'],
  ])('give back what a store took after a call ended because %s', async (_, storeTimeoutMs, ends) => {
    const limitStore = new SlowStore();
    const rules: Rules = [{ id: 'rate', rate: { calls: 1, ...MINUTE } }];
    const { toolbox, used } = await open(rules, { limitStore }, { storeTimeoutMs });
    const caller = new AbortController();
    const call = toolbox.call('crm.read', {}, { signal: caller.signal });
    await turns();
    if (ends === 'TOOL_CANCELLED') caller.abort();
    expect(code(await call)).toBe(ends);
    limitStore.isSlow = false;
    limitStore.waiting.splice(0).forEach((go) => go());
    await turns();
    expect(await used('rate')).toBe(0);
    expect(code(await toolbox.call('crm.read', {}))).toBe('ok');
  });

  it('are a layer of the explanation, which consumes nothing', async () => {
    const { toolbox, used } = await open([{ id: 'reads', match: { tool: 'crm.read' }, rate: { calls: 1, ...MINUTE } }]);
    const layer = async (name: string) =>
      (await toolbox.explain(name)).layers.find(({ layer: each }) => each === 'limit');
    expect(await layer('crm.write')).toEqual({
      layer: 'limit',
      verdict: 'pass',
      rule: 'default',
      reason: 'no limit concerns it',
    });
    expect(await layer('crm.read')).toMatchObject({ verdict: 'pass', reason: 'reads: 0 of 1' });
    await toolbox.call('crm.read', {});
    expect(await toolbox.explain('crm.read')).toMatchObject({ outcome: 'deny' });
    expect(await layer('crm.read')).toEqual({
      layer: 'limit',
      verdict: 'deny',
      rule: 'reads',
      reason: 'it is reached (reads: 1 of 1)',
    });
    expect(await layer('crm.gone')).toMatchObject({ verdict: 'not_reached' });
    expect(await used('reads')).toBe(1);
  });
});

describe('limits of operators', () => {
  const LIMIT = { id: 'ops', match: { tenantId: 'acme' }, rate: { calls: 1, ...MINUTE } };

  it('apply beside those in code, as soon as they are set, and are in the audit trail', async () => {
    const {
      toolbox,
      open: of,
      toolLimits,
      eventsOf,
      audit,
    } = await open([{ id: 'own', rate: { calls: 2, ...MINUTE } }]);
    expect(code(await toolbox.call('crm.read', {}))).toBe('ok');
    const stored = await toolLimits.set(LIMIT, OLGA);
    expect(stored).toMatchObject({ limit: { ...LIMIT, hard: true, per: [] }, ...OLGA, revision: 1 });
    expect(code(await toolbox.call('crm.read', {}))).toBe('ok');
    expect(await toolbox.call('crm.read', {})).toMatchObject({ code: 'LIMIT_REACHED', limit: 'own' });
    expect(code(await of({ tenantId: 'globex' }).call('crm.read', {}))).toBe('LIMIT_REACHED');
    await toolLimits.set({ ...LIMIT, rate: { calls: 100, ...MINUTE } }, { ...OLGA, expectedRevision: 1 });
    expect(await toolbox.call('crm.read', {})).toMatchObject({ limit: 'own' });
    await expect(toolLimits.remove('ops', { ...OLGA, expectedRevision: 1 })).rejects.toMatchObject({
      code: 'REVISION_CONFLICT',
    });
    expect(await toolLimits.remove('ops', OLGA)).toBe(3);
    await expect(toolLimits.remove('ops', OLGA)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(toolLimits.remove('own', OLGA)).rejects.toMatchObject({ code: 'STATIC_POLICY' });
    expect((await audit.list({}, { limit: 10 })).map(({ action, subject }) => [action, subject])).toEqual([
      ['limit.removed', 'ops'],
      ['limit.set', 'ops'],
      ['limit.set', 'ops'],
    ]);
    expect(await audit.verify()).toMatchObject({ valid: true, entries: 3 });
    expect([eventsOf('limit.set').length, eventsOf('limit.removed')]).toMatchObject([
      2,
      [{ limit: 'ops', revision: 3 }],
    ]);
  });

  it('go on counting when their maximum is changed, and begin anew when they count something else', async () => {
    const { toolbox, toolLimits, used } = await open([]);
    await toolLimits.set({ ...LIMIT, rate: { calls: 5, ...MINUTE } }, OLGA);
    await toolbox.call('crm.read', {});
    await toolbox.call('crm.read', {});
    await toolLimits.set({ ...LIMIT, rate: { calls: 2, ...MINUTE } }, OLGA);
    expect([await used('ops'), code(await toolbox.call('crm.read', {}))]).toEqual([2, 'LIMIT_REACHED']);
    await toolLimits.set({ ...LIMIT, rate: { calls: 2, windowMs: 30_000 } }, OLGA);
    expect([await used('ops'), code(await toolbox.call('crm.read', {}))]).toEqual([0, 'ok']);
  });

  it('are listed after those in code, in pages, with what their counters hold', async () => {
    const { toolbox, toolLimits } = await open([
      { id: 'b', rate: { calls: 9, ...MINUTE } },
      { id: 'a', per: ['user'], rate: { calls: 9, ...MINUTE } },
    ]);
    await toolLimits.set(
      { id: 'd', per: ['tenant', 'agent'], match: { agentId: 'x' }, rate: { calls: 1, ...MINUTE } },
      OLGA,
    );
    await toolLimits.set({ ...LIMIT, id: 'c' }, OLGA);
    await toolbox.call('crm.read', {});
    const ids: string[] = [];
    for (let after = ''; ids.length < 10;) {
      const page = await toolLimits.list({ limit: 1, after });
      if (page.length === 0) break;
      ids.push(page[0]!.limit.id);
      after = `${page[0]!.stored ? '1' : '0'}:${page[0]!.limit.id}`;
    }
    expect(ids).toEqual(['a', 'b', 'c', 'd']);
    const usages = async (counter = {}) =>
      (await toolLimits.list({ limit: 9 }, counter)).map(({ usage }) => usage?.used);
    expect(await usages()).toEqual([undefined, 1, 1, undefined]);
    expect(await usages({ tenantId: 'acme', userId: 'ada' })).toEqual([1, 1, 1, 0]);
  });

  it.each([
    [{ ...LIMIT, id: 'a b' }, 'id must be'],
    [{ id: 'x' }, 'exactly one of them'],
    [{ ...LIMIT, concurrency: { calls: 1 } }, 'exactly one of them'],
    [{ ...LIMIT, match: { tenant: 'acme' } }, 'no option "tenant"'],
    [{ ...LIMIT, rate: { calls: 0, ...MINUTE } }, 'rate.calls must be'],
    [{ id: 'x', budget: { of: 'euros', max: 1, every: 'day' } }, 'unit of cost'],
    [{ id: 'x', budget: { of: 'tokens', max: 3999, every: 'day' } }, 'reserves 4000 tokens'],
    [{ id: 'x', budget: { of: 'calls', max: 1, every: 'day', timeZone: 'Mars/Olympus' } }, 'time zone'],
    [{ id: 'x', budget: { of: 'calls', max: 1, every: 'day', timeZone: '+01:00' } }, 'time zone'],
  ])('refuse %j', async (limit, reason) => {
    const { toolLimits } = await open([]);
    await expect(toolLimits.set(limit as never, OLGA)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(reason),
    });
  });

  it('are at most a hundred for all tenants', async () => {
    const { toolLimits } = await open([]);
    for (let i = 0; i < 100; i++) await toolLimits.set({ id: `l${i}`, rate: { calls: 1, ...MINUTE } }, OLGA);
    const another = { id: 'l100', rate: { calls: 1, ...MINUTE } };
    await expect(toolLimits.set(another, OLGA)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await toolLimits.set({ ...another, match: { tenantId: 'acme' } }, OLGA);
    await toolLimits.set({ id: 'l7', rate: { calls: 2, ...MINUTE } }, OLGA);
  });
});

it.each([
  [
    [
      { id: 'x', rate: { calls: 1, ...MINUTE } },
      { id: 'x', concurrency: { calls: 1 } },
    ],
    'Two limits have the id x',
  ],
  [[{ id: 'x', budget: { of: 'euros', max: 1, every: 'day' as const } }], 'unit of cost'],
])('limits in code that cannot be counted fail the boot: %j', async (rules, reason) => {
  await expect(open(rules)).rejects.toMatchObject({
    code: 'INVALID_CONFIGURATION',
    message: expect.stringContaining(reason),
  });
});
