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
const OLGA = { actor: 'olga', reason: 'new limit' };

const worlds: { close(): Promise<unknown> }[] = [];
afterEach(() => Promise.all(worlds.splice(0).map((each) => each.close())));

async function worldOf(setup: ToolboxSetup = {}) {
  const source = new FakeSource('billing', [{ name: 'refund', inputSchema: SCHEMA }]);
  const world = await openToolbox({ sources: [source], context: { tenantId: 'acme', agentId: 'bot' }, ...setup });
  worlds.push(world);
  const denied: ToolEvent[] = [];
  world.events.on('tool.denied', (event) => void denied.push(event));
  const call = (amount: unknown, toolbox = world.toolbox) => toolbox.call('billing.refund', { amount });
  const codes = async (...amounts: unknown[]) => {
    const results = await Promise.all(amounts.map((amount) => call(amount)));
    return results.map((result) => (result.ok ? 'ok' : result.code));
  };
  return { ...world, source, call, codes, denied };
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
