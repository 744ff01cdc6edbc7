import fc from 'fast-check';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { toolContext } from '../../tool/tool-context.js';
import { CallPolicies, type CallPolicyParts } from './call-policies.js';
import { type CallPolicyOptions, namedCallPolicy, type PolicyCall, type ToolCallPolicy } from './tool-call-policy.js';

const TOOL = fakeTool({ name: 'billing.refund', aliases: ['refund'] });
const OPEN = new AbortController().signal;
const contextOf = (tenantId: string, more: object = {}) => toolContext({ tenantId, userId: 'ada', ...more });

class Asked implements ToolCallPolicy {
  readonly calls: PolicyCall[] = [];
  readonly cacheKey?: ToolCallPolicy['cacheKey'];

  constructor(
    private readonly answer: (call: PolicyCall) => unknown,
    cacheKey?: ToolCallPolicy['cacheKey'],
  ) {
    if (cacheKey) this.cacheKey = cacheKey;
  }

  decide(call: PolicyCall) {
    this.calls.push(call);
    return this.answer(call) as never;
  }
}

function policiesOf(policy: ToolCallPolicy, options: CallPolicyOptions = {}, parts: Partial<CallPolicyParts> = {}) {
  const faults: unknown[] = [];
  const named = [namedCallPolicy(policy.constructor.name, policy, options)];
  const report = (name: string, error: unknown) => void faults.push([name, error]);
  const policies = new CallPolicies({ policies: () => named, deadlineMs: 500, report, ...parts });
  const decide = (given: object = {}, tenantId = 'acme', signal = OPEN) =>
    policies.decide({ tool: TOOL, arguments: given as never, contexts: [contextOf(tenantId)] }, signal);
  return { policies, faults, decide };
}

const ALLOW = { outcome: 'allow' };
const DENY = { outcome: 'deny', reason: 'too much' };
const APPROVE = { outcome: 'approve', reason: 'large' };
const FAULT = { outcome: 'deny', layer: 'call_policy', rule: 'fault', isFault: true };

describe('call policies', () => {
  it('allow, deny with words for the caller, or ask for an approval of the call', async () => {
    expect(await policiesOf(new Asked(() => ALLOW)).decide()).toEqual({ asking: [] });
    expect(await policiesOf(new Asked(() => ({ ...DENY, message: 'No.' }))).decide()).toEqual({
      asking: [],
      refusal: {
        outcome: 'deny',
        layer: 'call_policy',
        rule: 'Asked',
        reason: 'too much',
        message: 'No.',
        isFault: false,
      },
    });
    expect(await policiesOf(new Asked(() => APPROVE)).decide()).toEqual({
      asking: [
        {
          outcome: 'approve',
          layer: 'approval',
          rule: 'call_policy:Asked',
          scope: 'call',
          content: '{"callPolicy":"Asked"}',
          reason: 'large',
        },
      ],
    });
  });

  it('must all allow a call, for every context; a refusal counts before an approval', async () => {
    const asked = new Asked(({ context }) => (context.agentId === 'intern' ? DENY : APPROVE));
    const named = [asked, new Asked(() => APPROVE)].map((policy) => namedCallPolicy('Asked', policy));
    const policies = new CallPolicies({ policies: () => named, deadlineMs: 500 });
    const of = (...agents: string[]) =>
      policies.decide(
        { tool: TOOL, arguments: {}, contexts: agents.map((agentId) => contextOf('acme', { agentId })) },
        OPEN,
      );
    expect((await of('lead')).asking).toHaveLength(1);
    expect(await of('lead', 'intern')).toMatchObject({ refusal: { reason: 'too much' }, asking: [] });
    expect(asked.calls.map(({ context }) => context.agentId)).toEqual(['lead', 'lead', 'intern']);
  });

  it('are asked about the tools that they name, by name, alias or glob; about all by default', () => {
    const isAsked = (tools?: readonly string[]) =>
      policiesOf(new Asked(() => ALLOW), tools ? { tools } : {}).policies.on(TOOL).length > 0;
    expect([undefined, ['billing.*'], ['refund'], ['billing.refund'], ['crm.*', 'bill']].map(isAsked)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('get a frozen call', async () => {
    const asked = new Asked((call) => {
      (call as { tool: unknown }).tool = undefined;
      return ALLOW;
    });
    const { decide, faults } = policiesOf(asked);
    expect(await decide()).toMatchObject({ refusal: FAULT });
    expect(faults).toMatchObject([['Asked', expect.any(TypeError)]]);
  });
});

describe('a call policy fails closed', () => {
  it('if it throws, rejects or takes too long', async () => {
    const boom = new Error('the point is down');
    const throwing = policiesOf(
      new Asked(() => {
        throw boom;
      }),
    );
    expect(await throwing.decide()).toMatchObject({ refusal: { ...FAULT, reason: 'call policy Asked failed' } });
    expect(throwing.faults).toEqual([['Asked', boom]]);
    expect(await policiesOf(new Asked(() => Promise.reject(boom))).decide()).toMatchObject({ refusal: FAULT });
    const late = new Asked(() => new Promise(() => undefined));
    const { decide, faults } = policiesOf(late, {}, { deadlineMs: 5 });
    expect(await decide()).toMatchObject({ refusal: { ...FAULT, reason: 'call policy Asked took longer than 5 ms' } });
    expect(late.calls[0]!.signal.aborted).toBe(true);
    expect(faults).toHaveLength(1);
    const slowKey = new Asked(
      () => ALLOW,
      () => new Promise(() => undefined),
    );
    expect(await policiesOf(slowKey, {}, { deadlineMs: 5 }).decide()).toMatchObject({ refusal: FAULT });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['true', true],
    ['a text', 'allow'],
    ['a list', [ALLOW]],
    ['another outcome', { outcome: 'ALLOW' }],
    ['an outcome in a list', { outcome: ['allow'] }],
    ['the shape of a decision point', { decision: true }],
    ['a denial without a reason', { outcome: 'deny' }],
    ['an approval with a blank reason', { outcome: 'approve', reason: ' ' }],
    ['a reason that is no text', { outcome: 'deny', reason: { en: 'no' } }],
  ])('if it answers %s', async (_, answer) => {
    const { decide, faults } = policiesOf(new Asked(() => answer));
    expect(await decide()).toMatchObject({ refusal: FAULT });
    expect(faults).toMatchObject([['Asked', expect.any(TypeError)]]);
  });

  it('for any answer that is not exactly an allowance', async () => {
    const text = fc.oneof(fc.constantFrom('allow', 'Allow', 'deny', 'approve', '', ' '), fc.string());
    const answer = fc.oneof(
      fc.anything(),
      fc.record({ outcome: fc.oneof(text, fc.anything()), reason: text, message: fc.anything() }, { requiredKeys: [] }),
    );
    await fc.assert(
      fc.asyncProperty(answer, async (given) => {
        const isAllowed = typeof given === 'object' && given !== null && (given as typeof ALLOW).outcome === 'allow';
        const { refusal, asking } = await policiesOf(new Asked(() => given)).decide();
        const { outcome, reason } = (given ?? {}) as { outcome?: unknown; reason?: unknown };
        const isAsking = outcome === 'approve' && typeof reason === 'string' && reason.trim() !== '';
        expect([refusal !== undefined, asking.length]).toEqual([!isAllowed && !isAsking, isAsking ? 1 : 0]);
      }),
      { numRuns: 500 },
    );
  });

  it('but not when the call itself ends', async () => {
    const caller = new AbortController();
    const { decide, faults } = policiesOf(new Asked(() => new Promise(() => undefined)));
    const decided = decide({}, 'acme', caller.signal);
    caller.abort(new Error('gone'));
    await expect(decided).rejects.toThrow('aborted');
    expect(faults).toEqual([]);
  });
});

describe('answers of a call policy', () => {
  const byAmount = ({ arguments: { amount } }: PolicyCall) => JSON.stringify(amount);

  it('are remembered by their key, for a time, for one tenant and one definition', async () => {
    let now = 0;
    const asked = new Asked(({ arguments: { amount } }) => (Number(amount) > 5 ? DENY : ALLOW), byAmount);
    const { decide, policies } = policiesOf(asked, { cacheMs: 1000 }, { now: () => now });
    for (const amount of [1, 1, 9, 9]) await decide({ amount });
    expect(asked.calls).toHaveLength(2);
    expect(await decide({ amount: 9 })).toMatchObject({ refusal: { reason: 'too much' } });
    await decide({ amount: 1 }, 'globex');
    expect(asked.calls).toHaveLength(3);
    const changed = { ...TOOL, hash: 'another' };
    await policies.decide({ tool: changed, arguments: { amount: 1 }, contexts: [contextOf('acme')] }, OPEN);
    expect(asked.calls).toHaveLength(4);
    now = 1000;
    await decide({ amount: 1 });
    expect(asked.calls).toHaveLength(5);
  });

  it('are not remembered without a key, for an approval and after a fault', async () => {
    const keys: unknown[] = [undefined, 7, null];
    for (const key of keys) {
      const asked = new Asked(
        () => ALLOW,
        () => key as never,
      );
      const { decide } = policiesOf(asked);
      await decide();
      await decide();
      expect(asked.calls).toHaveLength(2);
    }
    const broken = new Asked(
      () => ALLOW,
      () => {
        throw new Error('no key');
      },
    );
    expect(await policiesOf(broken).decide()).toEqual({ asking: [] });
    const answers = [APPROVE, 'odd', ALLOW];
    const asked = new Asked(
      () => answers.shift(),
      () => 'same',
    );
    const { decide } = policiesOf(asked);
    expect((await decide()).asking).toHaveLength(1);
    expect(await decide()).toMatchObject({ refusal: FAULT });
    expect(await decide()).toEqual({ asking: [] });
    expect(await decide()).toEqual({ asking: [] });
    expect(asked.calls).toHaveLength(3);
  });

  it('of one tenant do not push out those of another', async () => {
    const asked = new Asked(() => ALLOW, byAmount);
    const { decide } = policiesOf(asked);
    await decide({ amount: 1 }, 'small');
    for (let amount = 0; amount < 1500; amount += 1) await decide({ amount });
    const before = asked.calls.length;
    await decide({ amount: 1 }, 'small');
    await decide({ amount: 1499 });
    expect(asked.calls).toHaveLength(before);
    await decide({ amount: 0 });
    expect(asked.calls).toHaveLength(before + 1);
  });
});
