import type {
  CallPolicyAnswer,
  CallPolicyOptions,
  PolicyCall,
  ToolCallPolicy,
} from '../access/call-policies/tool-call-policy.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { openToolbox, type ToolboxSetup } from '../testing/open-toolbox.js';

const SCHEMA = {
  type: 'object',
  properties: { amount: { type: 'number' }, currency: { type: 'string', default: 'EUR' } },
};
const OLGA = { actor: 'olga', reason: 'seen' };
const POLICY = { layer: 'call_policy', rule: 'Amounts' };

/** Denies amounts over 1000, asks for an approval over 100, and fails at 13. */
class Amounts implements ToolCallPolicy {
  readonly calls: PolicyCall[] = [];
  most = 1000;

  async decide(call: PolicyCall): Promise<CallPolicyAnswer> {
    this.calls.push(call);
    const amount = Number(call.arguments['amount'] ?? 0);
    if (amount === 13) throw new Error('the decision point is down');
    if (amount > this.most) return { outcome: 'deny', reason: `over ${this.most}`, message: 'Too much.' };
    return amount > 100 ? { outcome: 'approve', reason: `over 100: ${amount}` } : { outcome: 'allow' };
  }
}

const worlds: { close(): Promise<unknown> }[] = [];
afterEach(() => Promise.all(worlds.splice(0).map((each) => each.close())));

async function worldOf(setup: ToolboxSetup = {}, options: CallPolicyOptions = {}) {
  const policy = new Amounts();
  const source = new FakeSource('billing', [{ name: 'refund', inputSchema: SCHEMA }, 'find']);
  const context = { tenantId: 'acme', userId: 'ada', sessionId: 's1', agentId: 'bot' };
  const world = await openToolbox({ sources: [source], context, callPolicies: [{ policy, ...options }], ...setup });
  worlds.push(world);
  const call = (amount: unknown, toolbox = world.toolbox) => toolbox.call('billing.refund', { amount });
  const codes = async (...amounts: unknown[]) => {
    const found: string[] = [];
    for (const amount of amounts) {
      const result = await call(amount);
      found.push(result.ok ? 'ok' : result.code);
    }
    return found;
  };
  const approve = async () => {
    const pending = (await world.approvals.list({ limit: 9 })).filter(({ status }) => status === 'pending');
    for (const { id } of pending) await world.approvals.approve(id, OLGA);
    return pending;
  };
  return { ...world, policy, source, call, codes, approve };
}

describe('call policies', () => {
  it('refuse a call with their message, tell operators the reason, and hide nothing', async () => {
    const { codes, call, eventsOf, source, toolbox, records } = await worldOf();
    expect(await codes(100, 1001, 'much')).toEqual(['ok', 'ARGUMENTS_NOT_ALLOWED', 'INVALID_ARGUMENTS']);
    const refused = await call(5000);
    expect(refused).toMatchObject({ message: 'Too much.', hint: expect.stringContaining('Nothing has happened') });
    expect(JSON.stringify(refused)).not.toContain('over 1000');
    expect(eventsOf('tool.denied')).toMatchObject([{}, { ...POLICY, reason: 'over 1000', tool: 'billing.refund' }]);
    expect(await records.list({ kind: 'call' }, { limit: 1 })).toMatchObject([
      { decision: 'deny', ...POLICY, reason: 'over 1000', outcome: 'ARGUMENTS_NOT_ALLOWED' },
    ]);
    expect(source.calls).toHaveLength(1);
    expect((await toolbox.visible()).map(({ name }) => name)).toEqual(['billing.find', 'billing.refund']);
    expect(await toolbox.get(['billing.refund'])).toMatchObject({ tools: [{ name: 'billing.refund' }] });
  });

  it('see the tool, the caller and the JSON that will run, with defaults, all frozen', async () => {
    const { policy, call } = await worldOf({
      interceptors: [{ intercept: (given, next) => next({ ...given.arguments, amount: 7 }) }],
    });
    expect(await call(5000)).toMatchObject({ ok: true });
    const [seen] = policy.calls;
    expect(seen).toMatchObject({
      tool: { name: 'billing.refund', source: 'billing' },
      arguments: { amount: 7, currency: 'EUR' },
      context: { tenantId: 'acme', userId: 'ada', sessionId: 's1', agentId: 'bot' },
    });
    for (const each of [seen, seen!.tool, seen!.arguments, seen!.context]) expect(Object.isFrozen(each)).toBe(true);
  });

  it('see an argument under the name that is shown, whichever name a caller uses', async () => {
    const inputSchema = { type: 'object', properties: { $amount: { type: 'number' } } };
    const source = new FakeSource('billing', [{ name: 'refund', inputSchema }]);
    const { toolbox, policy } = await worldOf({ sources: [source] });
    for (const input of [{ amount: 5000 }, { $amount: 5000 }]) {
      expect(await toolbox.call('billing.refund', input)).toMatchObject({ code: 'ARGUMENTS_NOT_ALLOWED' });
    }
    expect(policy.calls.map((each) => each.arguments)).toEqual([{ amount: 5000 }, { amount: 5000 }]);
    expect(source.calls).toEqual([]);
  });

  it('leave what a source receives as it is', async () => {
    const { call, source } = await worldOf();
    await call(1);
    const [given] = source.calls;
    expect(given).toMatchObject({ input: { amount: 1 } });
    expect(Object.isFrozen(given!.input)).toBe(false);
  });

  it('are not asked about hidden tools, tools that they do not name, and arguments that a rule refuses', async () => {
    const rule = { id: 'never', tools: ['*'], when: { required: ['amount'] }, then: 'deny', reason: 'no' } as const;
    const hidden = await worldOf({ policy: { deny: ['billing.refund'] } });
    expect(await hidden.codes(5000)).toEqual(['TOOL_NOT_AVAILABLE']);
    const other = await worldOf({}, { tools: ['billing.find'] });
    expect(await other.codes(5000)).toEqual(['ok']);
    const ruled = await worldOf({ policy: { arguments: [rule] } });
    expect(await ruled.codes(5000)).toEqual(['ARGUMENTS_NOT_ALLOWED']);
    expect([hidden, other, ruled].flatMap(({ policy }) => policy.calls)).toEqual([]);
  });

  it('are asked for the agents above a sub-agent too', async () => {
    const { toolbox, policy, call } = await worldOf();
    await call(1, toolbox.narrow({ agentId: 'helper' }));
    expect(policy.calls.map(({ context }) => context.agentId)).toEqual(['helper', 'bot']);
  });

  it('that fail refuse the call, tell the caller nothing, and are reported', async () => {
    const { call, eventsOf, faults, source } = await worldOf();
    const failed = await call(13);
    expect(failed).toMatchObject({ code: 'INTERNAL', message: expect.stringContaining('could not decide') });
    expect(JSON.stringify(failed)).not.toContain('down');
    expect(eventsOf('tool.denied')).toMatchObject([
      { layer: 'call_policy', rule: 'fault', reason: 'call policy Amounts failed' },
    ]);
    expect(faults).toMatchObject([{ tool: 'Amounts', error: { message: 'the decision point is down' } }]);
    expect(source.calls).toEqual([]);
  });

  it('that cannot be asked, because the defaults of a schema take too much work, refuse the call, and it is reported', async () => {
    const properties = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`p${n}`, { type: 'number' }]));
    const rows = { type: 'array', items: { type: 'object', properties } };
    const source = new FakeSource('billing', [
      { name: 'refund', inputSchema: { type: 'object', properties: { rows } } },
    ]);
    const { toolbox, faults, policy, eventsOf } = await worldOf({ sources: [source] });
    const given = { rows: Array.from({ length: 1000 }, () => ({})) };
    expect(await toolbox.call('billing.refund', given)).toMatchObject({ code: 'INTERNAL' });
    expect(eventsOf('tool.denied')).toMatchObject([{ layer: 'call_policy', rule: 'fault' }]);
    const cause = { message: expect.stringContaining('takes too much work') };
    expect(faults).toMatchObject([{ tool: 'billing.refund', error: { code: 'INTERNAL', cause } }]);
    expect([policy.calls, source.calls]).toEqual([[], []]);
  });

  it('end with the call: a cancelled one is no fault', async () => {
    const caller = new AbortController();
    class Slow extends Amounts {
      override decide(): Promise<never> {
        caller.abort();
        return new Promise(() => undefined);
      }
    }
    const { toolbox, faults } = await worldOf({ callPolicies: [{ policy: new Slow() }] });
    const result = await toolbox.call('billing.refund', { amount: 1 }, { signal: caller.signal });
    expect(result).toMatchObject({ code: 'TOOL_CANCELLED' });
    expect(faults).toEqual([]);
  });
});

describe('a call policy that asks for an approval', () => {
  it('gets one for exactly this call, once, and is asked again for the repeat', async () => {
    const { codes, approve, source, call, policy, records } = await worldOf();
    expect(await codes(500, 500)).toEqual(['APPROVAL_REQUIRED', 'APPROVAL_PENDING']);
    const [asked] = await approve();
    expect(asked).toMatchObject({ tool: 'billing.refund', rule: 'call_policy:Amounts', covers: 'call' });
    expect(await codes(501)).toEqual(['APPROVAL_REQUIRED']);
    expect(await call(500)).toMatchObject({ ok: true });
    expect(await records.list({ kind: 'call' }, { limit: 1 })).toMatchObject([
      { decision: 'approve', layer: 'approval', rule: 'call_policy:Amounts', outcome: 'ok' },
    ]);
    expect(await codes(500)).toEqual(['APPROVAL_REQUIRED']);
    expect(source.calls).toHaveLength(1);
    expect(policy.calls).toHaveLength(5);
  });

  it('refuses an approved call that it denies by then, and needs none where it allows it by then', async () => {
    const { codes, approve, policy, approvals } = await worldOf();
    await codes(500);
    await approve();
    policy.most = 400;
    expect(await codes(500)).toEqual(['ARGUMENTS_NOT_ALLOWED']);
    policy.decide = async () => ({ outcome: 'allow' });
    expect(await codes(500)).toEqual(['ok']);
    expect(await approvals.list({ limit: 9 })).toMatchObject([{ status: 'approved' }]);
  });

  it('shares one approval with a policy that asks for each call, which is bound to both', async () => {
    const both = await worldOf({ policy: { approval: ['billing.refund'] } });
    expect(await both.codes(500)).toEqual(['APPROVAL_REQUIRED']);
    expect(await both.approve()).toHaveLength(1);
    expect(await both.codes(500)).toEqual(['ok']);
    // Approved while one of them did not ask.
    expect(await both.codes(50)).toEqual(['APPROVAL_REQUIRED']);
    await both.approve();
    both.policy.decide = async () => ({ outcome: 'approve', reason: 'everything now' });
    expect(await both.codes(50)).toEqual(['APPROVAL_REQUIRED']);
    expect(both.source.calls).toHaveLength(1);
  });

  const RULE = {
    id: 'some',
    tools: ['billing.*'],
    when: { required: ['amount'], properties: { amount: { exclusiveMinimum: 40 } } },
    then: 'approve',
    reason: 'somebody looks at it',
  } as const;

  it.each([
    ['a rule on arguments', { arguments: [RULE] }, ['arguments:some', 'call'], ['arguments:some', 'call']],
    [
      'a rule on arguments for the session',
      { arguments: [{ ...RULE, scope: 'session' as const }] },
      ['arguments:some', 'session'],
      ['call_policy:Amounts', 'call'],
    ],
    [
      'a rule on arguments and an entry',
      { approval: ['billing.*'], arguments: [RULE] },
      ['approval:billing.*', 'call'],
      ['approval:billing.*', 'call'],
    ],
  ])('shares one approval with %s, which holds for no call that others ask about', async (_what, policy, few, all) => {
    const world = await worldOf({ policy });
    const { codes, approve, approvals, source } = world;
    expect(await codes(500, 500)).toEqual(['APPROVAL_REQUIRED', 'APPROVAL_PENDING']);
    expect((await approve()).map(({ rule, covers }) => [rule, covers])).toEqual([all]);
    expect(await codes(500)).toEqual(['ok']);
    expect(await codes(500)).toEqual(['APPROVAL_REQUIRED']);
    // Approved while the call policy did not ask.
    expect(await codes(50)).toEqual(['APPROVAL_REQUIRED']);
    const asked = (await approvals.list({ limit: 9 })).filter(
      ({ rule, covers }) => `${rule} ${covers}` === few.join(' '),
    );
    expect(asked.filter(({ status }) => status === 'pending')).toHaveLength(1);
    await approve();
    world.policy.decide = async () => ({ outcome: 'approve', reason: 'everything now' });
    expect(await codes(50)).toEqual(['APPROVAL_REQUIRED']);
    expect(source.calls).toHaveLength(1);
    await approve();
    expect(await codes(50)).toEqual(['ok']);
  });

  it('asks about work of the application together with a rule on arguments', async () => {
    const { toolbox, approve, approvals } = await worldOf({ policy: { arguments: [RULE] } });
    const work = (amount: number) => toolbox.admit('billing.refund', { arguments: { amount } });
    await expect(work(500)).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    expect(await approve()).toMatchObject([{ rule: 'arguments:some', covers: 'call' }]);
    expect(await work(500)).toMatchObject({ name: 'billing.refund' });
    expect(await approvals.list({ limit: 9 })).toEqual([]);
    await expect(work(5000)).rejects.toMatchObject({ code: 'ARGUMENTS_NOT_ALLOWED' });
    expect(await approvals.list({ limit: 9 })).toEqual([]);
  });

  it('asks in addition to an approval of the session', async () => {
    const { codes, approve, source } = await worldOf({
      policy: { approval: [{ tools: 'billing.refund', scope: 'session' }] },
    });
    expect(await codes(500)).toEqual(['APPROVAL_REQUIRED']);
    await approve();
    expect(await codes(500)).toEqual(['APPROVAL_REQUIRED']);
    await approve();
    expect(await codes(500, 50)).toEqual(['ok', 'ok']);
    expect(source.calls).toHaveLength(2);
  });
});

describe('call policies and calls that wait', () => {
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  async function heldWorld() {
    const ends: (() => void)[] = [];
    const run = () => new Promise<string>((resolve) => ends.push(() => resolve('done')));
    const source = new FakeSource('billing', [{ name: 'refund', inputSchema: SCHEMA, run }]);
    const world = await worldOf({ sources: [source], options: { calls: { perSource: { billing: 1 } } } });
    const [first, second] = [world.call(1), world.call(50)];
    await settled();
    const outcome = async () => {
      ends[0]!();
      await first;
      await settled();
      ends[1]?.();
      return second;
    };
    return { ...world, source, outcome };
  }

  it('they are asked again when a place at the source is free', async () => {
    const still = await heldWorld();
    expect(await still.outcome()).toMatchObject({ ok: true });
    expect(still.policy.calls.map((call) => call.arguments['amount'])).toEqual([1, 50, 50]);

    const { policy, outcome, source, eventsOf } = await heldWorld();
    policy.most = 10;
    expect(await outcome()).toMatchObject({ code: 'ARGUMENTS_NOT_ALLOWED', message: 'Too much.' });
    expect(source.calls).toHaveLength(1);
    expect(eventsOf('tool.denied')).toMatchObject([{ ...POLICY, reason: 'over 10' }]);
  });

  it('a fault refuses the call then, and so does an approval that nobody has asked for', async () => {
    const failing = await heldWorld();
    failing.policy.decide = () => Promise.reject(new Error('down'));
    expect(await failing.outcome()).toMatchObject({ code: 'INTERNAL' });
    const asking = await heldWorld();
    asking.policy.decide = async () => ({ outcome: 'approve', reason: 'new rule' });
    expect(await asking.outcome()).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    expect(await asking.records.list({ kind: 'call' }, { limit: 1 })).toMatchObject([
      { decision: 'approve', layer: 'approval', rule: 'call_policy:Amounts', outcome: 'TOOL_NOT_AVAILABLE' },
    ]);
    expect([failing, asking].map(({ source }) => source.calls.length)).toEqual([1, 1]);
  });

  it('they are asked again where an equal call that took more than a second answers', async () => {
    let end = () => undefined as void;
    const run = () => new Promise<string>((resolve) => (end = () => resolve('{}')));
    const tool = { name: 'refund', inputSchema: SCHEMA, run, sideEffects: 'read' as const };
    const source = new FakeSource('billing', [tool]);
    const resultCache = { tools: [{ match: ['billing.refund'], ttlMs: 60_000 }] };
    const { call, policy } = await worldOf({ sources: [source], options: { resultCache } });
    let now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    try {
      const [first, second] = [call(50), call(50)];
      await settled();
      policy.most = 10;
      now += 5000;
      end();
      expect(await first).toMatchObject({ ok: true });
      expect(await second).toMatchObject({ code: 'ARGUMENTS_NOT_ALLOWED' });
    } finally {
      clock.mockRestore();
    }
    expect(source.calls).toHaveLength(1);
  });

  it('they take no limit, and answer before a stored result does', async () => {
    const rules = [{ id: 'one', rate: { calls: 1, windowMs: 60_000 } }];
    const { codes } = await worldOf({ options: { limits: { rules } } });
    expect(await codes(2000, 13, 1)).toEqual(['ARGUMENTS_NOT_ALLOWED', 'INTERNAL', 'ok']);
  });
});

describe('call policies and work of the application', () => {
  it('decide by the arguments that it names, and refuse it without them', async () => {
    const { toolbox, policy } = await worldOf();
    const refused = { code: 'ARGUMENTS_NOT_ALLOWED' };
    for (const work of [toolbox.admit.bind(toolbox), toolbox.hold.bind(toolbox)]) {
      policy.calls.length = 0;
      await expect(work('billing.refund')).rejects.toMatchObject(refused);
      await expect(work('billing.refund', { arguments: null })).rejects.toMatchObject(refused);
      await expect(work('billing.refund', { arguments: { amount: '2000' } })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENTS',
      });
      expect(policy.calls).toEqual([]);
      await expect(work('billing.refund', { arguments: { amount: 2000 } })).rejects.toMatchObject({
        ...refused,
        message: 'Too much.',
      });
      await expect(work('billing.refund', { arguments: { amount: 13 } })).rejects.toMatchObject({ code: 'INTERNAL' });
      await expect(work('billing.refund', { arguments: { amount: 5 } })).resolves.toBeDefined();
    }
  });

  it('let work without arguments pass where they do not name its tool', async () => {
    const { toolbox } = await worldOf({}, { tools: ['billing.refund'] });
    expect(await toolbox.admit('billing.find')).toMatchObject({ name: 'billing.find' });
    await expect(toolbox.admitAny(({ namespace }) => namespace === 'billing')).rejects.toMatchObject({
      code: 'ARGUMENTS_NOT_ALLOWED',
    });
  });

  it('decide about each of several tools, because which is the first depends on the order of the catalog', async () => {
    const { toolbox, policy } = await worldOf();
    const any = (amount: number) =>
      toolbox.admitAny(({ namespace }) => namespace === 'billing', { arguments: { amount } });
    expect(await any(5)).toMatchObject({ name: 'billing.find' });
    expect(policy.calls.map(({ tool }) => tool.name)).toEqual(['billing.find', 'billing.refund', 'billing.find']);
    await expect(any(2000)).rejects.toMatchObject({ code: 'ARGUMENTS_NOT_ALLOWED' });
  });

  it('decide about the arguments as they were at the first look, and so does the operator who approves them', async () => {
    const { toolbox, policy, approvals, approve } = await worldOf({ policy: { approval: ['billing.refund'] } });
    const given = { amount: 5 };
    const seen: unknown[] = [];
    policy.decide = async (call) => {
      seen.push(call.arguments['amount']);
      given.amount = 5000;
      return { outcome: 'allow' };
    };
    const admit = () => toolbox.admit('billing.refund', { arguments: given });
    await expect(admit()).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    const [asked] = await approvals.list({ limit: 9 });
    expect(await approvals.argumentsOf(asked!)).toBe('amount: 5');
    await approve();
    given.amount = 5;
    await expect(admit()).resolves.toBeDefined();
    given.amount = 5;
    const billing = ({ namespace }: { readonly namespace: string }) => namespace === 'billing';
    await expect(toolbox.hold(billing, { arguments: given })).resolves.toBeDefined();
    expect(new Set(seen)).toEqual(new Set([5]));
  });

  it('ask for an approval of this use, which is used up once', async () => {
    const { toolbox, approve } = await worldOf();
    const work = () => toolbox.admit('billing.refund', { arguments: { amount: 500 } });
    await expect(work()).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    expect(await approve()).toMatchObject([{ rule: 'call_policy:Amounts' }]);
    expect(await work()).toMatchObject({ name: 'billing.refund' });
    await expect(work()).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
  });
});

describe('call policies in explanations', () => {
  it('are asked about given arguments, and named without them', async () => {
    const { toolbox, approvals, policy } = await worldOf();
    const verdict = async (given?: object) => {
      const { outcome, layers } = await toolbox.explain('billing.refund', { arguments: given });
      return [outcome, ...layers.filter(({ layer }) => layer === 'call_policy' || layer === 'approval')];
    };
    const depends = { layer: 'call_policy', verdict: 'pass', rule: 'Amounts', reason: 'it depends on the arguments' };
    expect(await verdict()).toMatchObject(['allow', depends, { verdict: 'pass' }]);
    expect(policy.calls).toEqual([]);
    expect(await verdict({ amount: 1 })).toMatchObject([
      'allow',
      { verdict: 'pass', rule: 'Amounts', reason: 'no policy refuses these arguments' },
      { verdict: 'pass' },
    ]);
    expect(await verdict({ amount: 1001 })).toMatchObject([
      'deny',
      { verdict: 'deny', rule: 'Amounts', reason: 'over 1000' },
      { verdict: 'not_reached' },
    ]);
    expect(await verdict({ amount: 500 })).toMatchObject([
      'approve',
      { verdict: 'pass' },
      { verdict: 'approve', rule: 'call_policy:Amounts', reason: 'over 100: 500' },
    ]);
    expect(await verdict({ amount: 13 })).toMatchObject(['deny', { verdict: 'deny', rule: 'fault' }, {}]);
    expect(await approvals.list({ limit: 9 })).toEqual([]);
  });

  it('are asked about no arguments that do not fit the schema, and null names none', async () => {
    const { toolbox, policy } = await worldOf();
    await expect(toolbox.explain('billing.refund', { arguments: { amount: 'all' } })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
    });
    const { layers } = await toolbox.explain('billing.refund', { arguments: null });
    expect(layers.find(({ layer }) => layer === 'call_policy')).toMatchObject({
      reason: 'it depends on the arguments',
    });
    expect(policy.calls).toEqual([]);
  });

  it('are named by a preflight of a tool that is ready', async () => {
    const { toolbox } = await worldOf();
    expect(await toolbox.preflight(['billing.refund'])).toEqual({
      outcome: 'ready',
      tools: [
        {
          tool: 'billing.refund',
          state: 'ready',
          layer: 'call_policy',
          rule: 'Amounts',
          reason: 'it depends on the arguments',
        },
      ],
    });
  });
});

it('call policies decide about reads of resources, and subscriptions to them, by what a read is given', async () => {
  const inputSchema = { type: 'object', properties: {}, additionalProperties: false };
  const page = { name: 'resources.page', kind: 'resource', uri: 'doc:///page', inputSchema } as const;
  const any = { name: 'resources.any', kind: 'resource_template', uri: 'doc:///{+path}' } as const;
  const exposes = ['resource', 'resource_template'] as const;
  const source = new FakeSource('docs', [page, any], { exposes });
  const { toolbox, policy } = await worldOf({ sources: [source] });
  const given: unknown[] = [];
  policy.decide = async ({ tool, arguments: { uri } }) => {
    given.push([tool.name, tool.kind, uri]);
    return uri === 'doc:///secret' ? { outcome: 'deny', reason: 'secret' } : { outcome: 'allow' };
  };
  const { items } = toolbox;
  const refused = { code: 'ARGUMENTS_NOT_ALLOWED' };
  await items.read('docs.resources.page', {});
  (await items.subscribe('docs.resources.page', 'doc:///page', () => undefined))();
  expect(await items.read('docs.resources.any', { uri: 'doc:///secret' })).toMatchObject(refused);
  const watch = items.subscribe('docs.resources.any', 'doc:///secret', () => undefined);
  await expect(watch).rejects.toMatchObject(refused);
  expect(given).toEqual([
    ['docs.resources.page', 'resource', undefined],
    ['docs.resources.page', 'resource', undefined],
    ['docs.resources.any', 'resource_template', 'doc:///secret'],
    ['docs.resources.any', 'resource_template', 'doc:///secret'],
  ]);
});
