import { FakeSource } from '../testing/fakes/fake-source.js';
import { openToolbox, type ToolboxSetup } from '../testing/open-toolbox.js';
import type { ToolEvent } from '../tool/tool-event.js';
import type { ToolCallInterceptor } from '../tool/tool-call-interceptor.js';

const SCHEMA = { type: 'object', properties: { amount: { type: 'number' }, note: { type: 'string' } } };
const LARGE = {
  id: 'large',
  tools: ['billing.refund'],
  when: { required: ['amount'], properties: { amount: { exclusiveMinimum: 1000 } } },
  then: 'deny',
  reason: 'refunds over 1000 are for the finance team',
  message: 'Refunds over 1000 are not possible here.',
} as const;
/** Asks about refunds over 100. */
const ASKING = {
  ...LARGE,
  id: 'ask',
  when: { required: ['amount'], properties: { amount: { exclusiveMinimum: 100 } } },
  then: 'approve',
  reason: 'somebody looks at refunds over 100',
  message: 'The finance team looks at refunds over 100.',
} as const;
const FOR_SESSION = { ...ASKING, id: 'once', scope: 'session' } as const;
const OLGA = { actor: 'olga', reason: 'new limit' };

const worlds: { close(): Promise<unknown> }[] = [];
afterEach(() => Promise.all(worlds.splice(0).map((each) => each.close())));

async function worldOf(setup: ToolboxSetup = {}) {
  const source = new FakeSource('billing', [{ name: 'refund', inputSchema: SCHEMA }]);
  const context = { tenantId: 'acme', userId: 'ada', agentId: 'bot', sessionId: 's1' };
  const world = await openToolbox({ sources: [source], context, ...setup });
  worlds.push(world);
  const denied: ToolEvent[] = [];
  world.events.on('tool.denied', (event) => void denied.push(event));
  const call = (amount: unknown, toolbox = world.toolbox) => toolbox.call('billing.refund', { amount });
  const codes = async (...amounts: unknown[]) => {
    const results = await Promise.all(amounts.map((amount) => call(amount)));
    return results.map((result) => (result.ok ? 'ok' : result.code));
  };
  const codeOf = async (amount: unknown, toolbox = world.toolbox) => {
    const result = await call(amount, toolbox);
    return result.ok ? 'ok' : result.code;
  };
  const requests = () => world.approvals.list({ limit: 100 });
  const approve = async () => {
    const open = (await requests()).filter(({ status }) => status === 'pending');
    expect(open).toHaveLength(1);
    return world.approvals.approve(open[0]!.id, OLGA);
  };
  return { ...world, source, call, codes, codeOf, denied, requests, approve };
}

describe('rules on arguments', () => {
  it('refuse a call with their message, tell operators the rule, and let the tool be listed', async () => {
    const { call, codes, denied, source, toolbox, records } = await worldOf({ policy: { arguments: [LARGE] } });
    expect(await codes(1000, 1001, {})).toEqual(['ok', 'ARGUMENTS_NOT_ALLOWED', 'INVALID_ARGUMENTS']);
    const refused = await call(5000);
    expect(refused).toMatchObject({ message: LARGE.message, hint: expect.stringContaining('Nothing has happened') });
    expect(JSON.stringify(refused)).not.toContain('finance');
    expect(denied).toMatchObject([{}, { layer: 'arguments', rule: 'arguments:large', reason: LARGE.reason }]);
    expect(source.calls).toHaveLength(1);
    expect((await toolbox.visible()).map(({ name }) => name)).toEqual(['billing.refund']);
    expect(await toolbox.get(['billing.refund'])).toMatchObject({ tools: [{ name: 'billing.refund' }] });
    expect(await records.list({ kind: 'call' }, { limit: 1 })).toMatchObject([
      { decision: 'deny', layer: 'arguments', rule: 'arguments:large' },
    ]);
  });

  it('of stored policies of tenants and agents and of narrowed toolboxes apply too', async () => {
    const { codes, call, toolbox, storedPolicies } = await worldOf();
    expect(await codes(2000)).toEqual(['ok']);
    await storedPolicies.set({ tenantId: 'acme' }, { arguments: [LARGE] }, OLGA);
    expect(await codes(2000, 500)).toEqual(['ARGUMENTS_NOT_ALLOWED', 'ok']);
    const small = { ...LARGE, id: 'small', when: { required: ['amount'], properties: { amount: { minimum: 100 } } } };
    await storedPolicies.set({ agentId: 'bot' }, { arguments: [small] }, OLGA);
    expect(await codes(500, 99)).toEqual(['ARGUMENTS_NOT_ALLOWED', 'ok']);
    const tiny = { ...small, id: 'tiny', when: { required: ['amount'], properties: { amount: { minimum: 10 } } } };
    const narrow = toolbox.narrow({ arguments: [tiny] });
    expect([await call(10, narrow), await call(9, narrow)]).toMatchObject([
      { code: 'ARGUMENTS_NOT_ALLOWED' },
      { ok: true },
    ]);
    await expect(
      storedPolicies.set({ tenantId: 'acme' }, { arguments: [{ ...LARGE, when: {} }] }, OLGA),
    ).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('see the arguments that interceptors have made', async () => {
    const raise: ToolCallInterceptor = { intercept: (_, next) => next({ amount: 5000 }) };
    const { codes, source } = await worldOf({ policy: { arguments: [LARGE] }, interceptors: [raise] });
    expect(await codes(1)).toEqual(['ARGUMENTS_NOT_ALLOWED']);
    const lower: ToolCallInterceptor = { intercept: (_, next) => next({ amount: 1 }) };
    const other = await worldOf({ policy: { arguments: [LARGE] }, interceptors: [lower] });
    expect(await other.codes(5000)).toEqual(['ok']);
    expect([source.calls.length, other.source.calls.length]).toEqual([0, 1]);
  });

  it('decide again when they were set while a call waited', async () => {
    const ends: (() => void)[] = [];
    const run = () => new Promise<string>((resolve) => ends.push(() => resolve('done')));
    const source = new FakeSource('billing', [{ name: 'refund', inputSchema: SCHEMA, run }]);
    const options = { calls: { perSource: { billing: 1 } } };
    const { call, storedPolicies } = await worldOf({ sources: [source], options });
    const [first, second] = [call(1), call(2000)];
    await new Promise((resolve) => setImmediate(resolve));
    await storedPolicies.set({ tenantId: 'acme' }, { arguments: [LARGE] }, OLGA);
    ends[0]!();
    expect([await first, await second]).toMatchObject([{ ok: true }, { code: 'TOOL_NOT_AVAILABLE' }]);
    expect(source.calls).toHaveLength(1);
  });

  it('take no limit, and answer before a stored result does', async () => {
    const rules = [{ id: 'one', rate: { calls: 1, windowMs: 60_000 } }];
    const { codes } = await worldOf({ policy: { arguments: [LARGE] }, options: { limits: { rules } } });
    expect(await codes(2000, 1)).toEqual(['ARGUMENTS_NOT_ALLOWED', 'ok']);
  });

  it('decide about work of the application by the arguments that it names, and refuse it without them', async () => {
    const { toolbox } = await worldOf({ policy: { arguments: [LARGE] } });
    for (const work of [toolbox.admit.bind(toolbox), toolbox.hold.bind(toolbox)]) {
      await expect(work('billing.refund')).rejects.toMatchObject({ code: 'ARGUMENTS_NOT_ALLOWED' });
      await expect(work('billing.refund', { arguments: { amount: 2000 } })).rejects.toMatchObject({
        code: 'ARGUMENTS_NOT_ALLOWED',
      });
      await expect(work('billing.refund', { arguments: { amount: 5 } })).resolves.toBeDefined();
      await expect(work('billing.refund', { arguments: null })).rejects.toMatchObject({
        code: 'ARGUMENTS_NOT_ALLOWED',
      });
      await expect(work('billing.refund', { arguments: { amount: '2000' } })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENTS',
      });
      await expect(work('billing.refund', { arguments: 'x' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
    }
  });

  it('see an argument under the name that is shown, whichever name a caller uses', async () => {
    const inputSchema = { type: 'object', properties: { $filter: { type: 'string' } } };
    const source = new FakeSource('crm', [{ name: 'list', inputSchema }]);
    const rule = {
      ...LARGE,
      tools: ['crm.list'],
      when: { required: ['filter'], properties: { filter: { const: 'all' } } },
    };
    const { toolbox } = await worldOf({ sources: [source], policy: { arguments: [rule] } });
    const codeOf = async (input: object) => {
      const result = await toolbox.call('crm.list', input);
      return result.ok ? 'ok' : result.code;
    };
    expect(await codeOf({ filter: 'all' })).toBe('ARGUMENTS_NOT_ALLOWED');
    expect(await codeOf({ $filter: 'all' })).toBe('ARGUMENTS_NOT_ALLOWED');
    expect(await codeOf({ filter: 'some', $filter: 'all' })).toBe('INVALID_ARGUMENTS');
    expect(await codeOf({ $filter: 'some' })).toBe('ok');
    expect(source.calls).toHaveLength(1);
  });

  it('refuse a call whose patterns together take too much work', async () => {
    const patterns = Array.from({ length: 60 }, (_, i) => ({
      ...LARGE,
      id: `p${i}`,
      when: { required: ['note'], properties: { note: { pattern: `(x|y|z${i}){30}never` } } },
    }));
    const { toolbox } = await worldOf({ policy: { arguments: patterns } });
    const call = (note: string) => toolbox.call('billing.refund', { note });
    expect(await call('x'.repeat(100))).toMatchObject({ ok: true });
    expect(await call('x'.repeat(100_000))).toMatchObject({ code: 'ARGUMENTS_NOT_ALLOWED' });
  });

  it('are named by a preflight', async () => {
    const { toolbox } = await worldOf({ policy: { arguments: [LARGE] } });
    expect(await toolbox.preflight(['billing.refund'])).toEqual({
      outcome: 'ready',
      tools: [
        {
          tool: 'billing.refund',
          state: 'ready',
          layer: 'arguments',
          rule: 'arguments:large',
          reason: 'it depends on the arguments',
        },
      ],
    });
  });

  it('are explained: with arguments as a decision, without them as what it depends on', async () => {
    const { toolbox } = await worldOf({ policy: { arguments: [LARGE] } });
    const verdict = async (given?: object) => {
      const { outcome, layers } = await toolbox.explain('billing.refund', { arguments: given });
      return { outcome, ...layers.find(({ layer }) => layer === 'arguments') };
    };
    expect(await verdict()).toMatchObject({
      outcome: 'allow',
      verdict: 'pass',
      reason: expect.stringContaining('depends'),
    });
    expect(await verdict({ amount: 1 })).toMatchObject({ outcome: 'allow', verdict: 'pass' });
    expect(await verdict({ amount: 1001 })).toMatchObject({
      outcome: 'deny',
      verdict: 'deny',
      rule: 'arguments:large',
      reason: LARGE.reason,
    });
  });
});

describe('a rule on arguments that asks for an approval', () => {
  it('asks for one call with its message, and lets exactly that call run once', async () => {
    const { call, codeOf, requests, approve, approvals, denied, source, records } = await worldOf({
      policy: { arguments: [ASKING] },
    });
    expect(await codeOf(100)).toBe('ok');
    const asked = await call(101);
    expect(asked).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      message: expect.stringMatching(/for this call, which has been asked for now\. The finance team looks at/),
      hint: expect.stringContaining('repeat exactly this call'),
    });
    expect(JSON.stringify(asked)).not.toContain('somebody looks');
    expect(await call(101)).toMatchObject({
      code: 'APPROVAL_PENDING',
      message: expect.stringContaining(ASKING.message),
    });
    const [request] = await requests();
    expect(request).toMatchObject({ covers: 'call', rule: 'arguments:ask', tool: 'billing.refund', userId: 'ada' });
    expect(await approvals.argumentsOf(request!)).toBe('amount: 101');
    expect(denied[0]).toMatchObject({ layer: 'approval', rule: 'arguments:ask', reason: ASKING.reason });
    await approve();
    // Another amount is another call.
    expect(await codeOf(102)).toBe('APPROVAL_REQUIRED');
    expect([await codeOf(101), await codeOf(101)]).toEqual(['ok', 'APPROVAL_REQUIRED']);
    expect(source.calls.map(({ input }) => input)).toEqual([{ amount: 100 }, { amount: 101 }]);
    const rows = (await records.list({ kind: 'call' }, { limit: 10 })).toReversed();
    expect(rows.map(({ decision, layer, rule, outcome }) => [decision, layer, rule, outcome])).toEqual([
      ['allow', 'approval', 'default', 'ok'],
      ['approve', 'approval', 'arguments:ask', 'APPROVAL_REQUIRED'],
      ['approve', 'approval', 'arguments:ask', 'APPROVAL_PENDING'],
      ['approve', 'approval', 'arguments:ask', 'APPROVAL_REQUIRED'],
      ['approve', 'approval', 'arguments:ask', 'ok'],
      ['approve', 'approval', 'arguments:ask', 'APPROVAL_REQUIRED'],
    ]);
  });

  it('with scope session asks once for all calls of the session, also beside an entry for the session', async () => {
    for (const approval of [[], [{ tools: 'billing.*', scope: 'session' }] as const]) {
      const { codeOf, requests, approve } = await worldOf({ policy: { arguments: [FOR_SESSION], approval } });
      expect(await codeOf(5)).toBe(approval.length === 0 ? 'ok' : 'APPROVAL_REQUIRED');
      expect(await codeOf(101)).toBe(approval.length === 0 ? 'APPROVAL_REQUIRED' : 'APPROVAL_PENDING');
      expect(await requests()).toMatchObject([{ covers: 'session', digest: '' }]);
      await approve();
      expect([await codeOf(101), await codeOf(102), await codeOf(5)]).toEqual(['ok', 'ok', 'ok']);
    }
  });

  it('asks nobody about a call that another rule refuses, whatever their order and policies', async () => {
    const { codeOf, requests, storedPolicies } = await worldOf({ policy: { arguments: [ASKING] } });
    await storedPolicies.set({ agentId: 'bot' }, { arguments: [LARGE] }, OLGA);
    expect(await codeOf(1001)).toBe('ARGUMENTS_NOT_ALLOWED');
    expect(await requests()).toEqual([]);
  });

  it('asks nobody about a tool that is hidden, which stays like an unknown one', async () => {
    const { toolbox, requests } = await worldOf({ policy: { deny: ['billing.refund'], arguments: [ASKING] } });
    const hidden = await toolbox.call('billing.refund', { amount: 101 });
    expect(hidden).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    expect(hidden).toEqual(await toolbox.call('billing.unknown', { amount: 101 }));
    expect(await requests()).toEqual([]);
  });

  it('is one request beside other rules and entries that ask: for each call, if one of them does', async () => {
    const session = { tools: 'billing.refund', scope: 'session' } as const;
    const each = 'approval:billing.refund';
    const cases = [
      [{ approval: [session], arguments: [ASKING] }, 'arguments:ask', 'call'],
      [{ approval: [session], arguments: [FOR_SESSION] }, each, 'session'],
      [{ approval: ['billing.refund'], arguments: [ASKING] }, each, 'call'],
      [{ approval: ['billing.refund'], arguments: [FOR_SESSION] }, each, 'call'],
      [{ arguments: [FOR_SESSION, ASKING] }, 'arguments:ask', 'call'],
    ] as const;
    for (const [policy, rule, covers] of cases) {
      const { codeOf, requests, approve, toolbox } = await worldOf({ policy });
      // Loading asks only where each session needs an approval whatever the arguments are.
      await toolbox.activate(['billing.refund']).catch(() => undefined);
      expect(await requests()).toHaveLength(rule === each && covers === 'session' ? 1 : 0);
      expect(await codeOf(101)).toMatch(/^APPROVAL_(REQUIRED|PENDING)$/);
      expect(await requests()).toMatchObject([{ rule, covers }]);
      await approve();
      expect(await codeOf(101)).toBe('ok');
    }
  });

  it('leaves the approval of a session to calls that it does not apply to', async () => {
    const approval = [{ tools: 'billing.refund', scope: 'session' }] as const;
    const { codeOf, requests, approve } = await worldOf({ policy: { approval, arguments: [ASKING] } });
    expect(await codeOf(5)).toBe('APPROVAL_REQUIRED');
    expect(await requests()).toMatchObject([{ covers: 'session', rule: 'approval:billing.refund' }]);
    await approve();
    expect([await codeOf(5), await codeOf(6), await codeOf(101)]).toEqual(['ok', 'ok', 'APPROVAL_REQUIRED']);
  });

  it('of stored policies and of narrowed toolboxes asks too, and other toolboxes of the session are not asked', async () => {
    const { codeOf, toolbox, storedPolicies, requests } = await worldOf();
    const narrow = toolbox.narrow({ arguments: [{ ...ASKING, id: 'narrow' }] });
    expect([await codeOf(101, narrow), await codeOf(101)]).toEqual(['APPROVAL_REQUIRED', 'ok']);
    expect(await requests()).toMatchObject([{ rule: 'narrowed:arguments:narrow' }]);
    await storedPolicies.set({ tenantId: 'acme' }, { arguments: [ASKING] }, OLGA);
    expect(await codeOf(101)).toBe('APPROVAL_REQUIRED');
    expect((await requests()).map(({ rule }) => rule)).toContain('stored-tenant:arguments:ask');
  });

  it('is asked anew when the rule has changed, and not when another one has', async () => {
    const { codeOf, approve, storedPolicies } = await worldOf();
    const owner = { tenantId: 'acme' };
    let expectedRevision = 0;
    const set = async (...rules: readonly object[]) => {
      const policy = { arguments: rules as [typeof ASKING] };
      ({ revision: expectedRevision } = await storedPolicies.set(owner, policy, { ...OLGA, expectedRevision }));
    };
    await set(ASKING);
    expect(await codeOf(101)).toBe('APPROVAL_REQUIRED');
    await approve();
    await set({ ...ASKING, reason: 'it has changed' });
    expect(await codeOf(101)).toBe('APPROVAL_REQUIRED');
    await set(ASKING, { ...ASKING, id: 'later' }, LARGE);
    expect(await codeOf(101)).toBe('ok');
  });

  it('that was set while an allowed call waited keeps it from running, and a repeat asks', async () => {
    const ends: (() => void)[] = [];
    const run = () => new Promise<string>((resolve) => ends.push(() => resolve('done')));
    const source = new FakeSource('billing', [{ name: 'refund', inputSchema: SCHEMA, run }]);
    const options = { calls: { perSource: { billing: 1 } } };
    const { call, codeOf, storedPolicies, requests } = await worldOf({ sources: [source], options });
    const [first, second] = [call(1), call(101)];
    await new Promise((resolve) => setImmediate(resolve));
    await storedPolicies.set({ tenantId: 'acme' }, { arguments: [ASKING] }, OLGA);
    ends[0]!();
    expect([await first, await second]).toMatchObject([{ ok: true }, { code: 'TOOL_NOT_AVAILABLE' }]);
    expect([await requests(), source.calls.length]).toEqual([[], 1]);
    expect(await codeOf(101)).toBe('APPROVAL_REQUIRED');
  });

  it('that was taken away or changed while an approved call waited decides about that call anew', async () => {
    for (const [changed, outcome] of [
      [undefined, 'ok'],
      [FOR_SESSION, 'TOOL_NOT_AVAILABLE'],
      [{ ...ASKING, reason: 'it has changed' }, 'TOOL_NOT_AVAILABLE'],
      [LARGE, 'ok'],
    ] as const) {
      let end: () => void = () => undefined;
      // Only the first call waits.
      const run = ({ amount }: Readonly<Record<string, unknown>>) =>
        amount === 1 ? new Promise<string>((resolve) => (end = () => resolve('done'))) : 'done';
      const source = new FakeSource('billing', [{ name: 'refund', inputSchema: SCHEMA, run }]);
      const options = { calls: { perSource: { billing: 1 } } };
      const { call, codeOf, storedPolicies, approve } = await worldOf({ sources: [source], options });
      const owner = { tenantId: 'acme' };
      const { revision } = await storedPolicies.set(owner, { arguments: [ASKING] }, OLGA);
      await codeOf(101);
      await approve();
      const [first, second] = [call(1), call(101)];
      await new Promise((resolve) => setImmediate(resolve));
      const policy = changed ? { arguments: [changed] } : { deny: ['crm.*'] };
      await storedPolicies.set(owner, policy, { ...OLGA, expectedRevision: revision });
      end();
      await first;
      const result = await second;
      expect(result.ok ? 'ok' : result.code).toBe(outcome);
    }
  });

  it('asks through the bridge, and needs a session or run that can be named again', async () => {
    const { toolbox, requests } = await worldOf({ policy: { arguments: [ASKING] }, options: { exposure: 'bridge' } });
    const args = { name: 'billing.refund', arguments: { amount: 101 } };
    expect(await toolbox.call('tool_call', args)).toMatchObject({ code: 'APPROVAL_REQUIRED' });
    expect(await requests()).toMatchObject([{ rule: 'arguments:ask' }]);
    for (const rule of [ASKING, FOR_SESSION]) {
      const context = { tenantId: 'acme', userId: 'ada' };
      const nameless = await worldOf({ policy: { arguments: [rule] }, context });
      expect([await nameless.codeOf(101), await nameless.codeOf(5)]).toEqual(['SESSION_REQUIRED', 'ok']);
    }
  });

  it('lets work of the application begin once it is approved, for the arguments that are named', async () => {
    const { toolbox, requests, approve } = await worldOf({ policy: { arguments: [ASKING] } });
    const small = { arguments: { amount: 5 } };
    const large = { arguments: { amount: 101 } };
    for (const work of [toolbox.admit.bind(toolbox), toolbox.hold.bind(toolbox)]) {
      await expect(work('billing.refund')).rejects.toMatchObject({
        code: 'ARGUMENTS_NOT_ALLOWED',
        message: ASKING.message,
      });
      await expect(work('billing.refund', small)).resolves.toBeDefined();
      await expect(work('billing.refund', large)).rejects.toMatchObject({ code: expect.stringMatching(/^APPROVAL_/) });
      await expect(work('billing.refund', large)).rejects.toMatchObject({ code: 'APPROVAL_PENDING' });
      await approve();
      await expect(work('billing.refund', { arguments: { amount: 102 } })).rejects.toMatchObject({
        code: 'APPROVAL_REQUIRED',
      });
      await expect(work('billing.refund', large)).resolves.toBeDefined();
      await expect(work('billing.refund', large)).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    }
    expect((await requests()).every(({ covers, rule }) => covers === 'call' && rule === 'arguments:ask')).toBe(true);
  });

  it('comes first where work needs any of several tools', async () => {
    const source = new FakeSource('billing', ['find', { name: 'refund', inputSchema: SCHEMA }]);
    const { toolbox, requests } = await worldOf({ sources: [source], policy: { arguments: [ASKING] } });
    const any = (amount: number) => toolbox.admitAny(() => true, { arguments: { amount } });
    expect((await any(5)).name).toBe('billing.find');
    await expect(any(101)).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    expect(await requests()).toMatchObject([{ tool: 'billing.refund' }]);
  });

  it('beside an entry for the session, lets work begin with the approval of the call alone, or of the session', async () => {
    const approval = [{ tools: 'billing.refund', scope: 'session' }] as const;
    const { toolbox, approve } = await worldOf({ policy: { approval, arguments: [ASKING] } });
    for (const amount of [101, 5]) {
      const admit = () => toolbox.admit('billing.refund', { arguments: { amount } });
      await expect(admit()).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
      await approve();
      await expect(admit()).resolves.toBeDefined();
    }
  });

  it('is said by explain with arguments, and by a preflight as what the tool depends on', async () => {
    const { toolbox, requests } = await worldOf({ policy: { arguments: [ASKING, LARGE] } });
    const explained = async (given?: object) => {
      const { outcome, layers } = await toolbox.explain('billing.refund', { arguments: given });
      const told = layers.filter(({ layer }) => ['arguments', 'approval'].includes(layer));
      return [outcome, ...told.map(({ verdict, rule, reason }) => ({ verdict, rule, reason }))];
    };
    const rule = 'arguments:ask, arguments:large';
    const passed = { verdict: 'pass', rule, reason: 'no rule refuses these arguments' };
    expect(await explained({ amount: 101 })).toEqual([
      'approve',
      passed,
      { verdict: 'approve', rule: 'arguments:ask', reason: ASKING.reason },
    ]);
    expect(await explained({ amount: 5 })).toMatchObject(['allow', passed, { verdict: 'pass' }]);
    expect(await explained({ amount: 1001 })).toMatchObject(['deny', { verdict: 'deny' }, { verdict: 'not_reached' }]);
    const reason = 'it depends on the arguments';
    expect(await explained()).toMatchObject(['allow', { verdict: 'pass', rule, reason }, { verdict: 'pass' }]);
    expect(await toolbox.preflight(['billing.refund'])).toMatchObject({
      outcome: 'ready',
      tools: [{ state: 'ready', layer: 'arguments', rule, reason }],
    });
    expect(await requests()).toEqual([]);
  });
});
