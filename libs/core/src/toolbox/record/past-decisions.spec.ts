import fc from 'fast-check';
import { LAYERS } from '../../tool/decision.js';
import type { ToolContext } from '../../tool/tool-context.js';
import { FakeSource, openToolbox } from '../../testing/index.js';
import type { ToolboxSetup } from '../../testing/open-toolbox.js';
import { killSwitchId } from '../../access/kill-switches/kill-switch.js';
import { Toolbox } from '../toolbox.js';
import type { Explanation } from '../explanation.js';
import { killSwitchKind } from '../../access/kill-switches/kill-switch-kind.js';

const OPERATOR = { actor: 'olga', reason: 'test' };
const TOOLS = ['crm.find', 'crm.send', 'billing.refund', 'billing.pay'] as const;
const CONTEXTS: readonly ToolContext[] = [
  { tenantId: 'acme', userId: 'ada', runId: 'r1' },
  { tenantId: 'acme', userId: 'bob', sessionId: 's1', agentId: 'helper' },
  { tenantId: 'globex', runId: 'r1' },
];

async function opened(setup: ToolboxSetup = {}) {
  const clock = { now: 1_795_000_000_000 };
  const sources = [
    new FakeSource('crm', ['find', { name: 'send', sideEffects: 'write' }]),
    new FakeSource('billing', [{ name: 'refund', tags: ['money'] }, 'pay', 'hidden']),
  ];
  const world = await openToolbox({ sources, policy: { deny: ['*.hidden'] }, now: () => clock.now, ...setup });
  return { ...world, clock, sources };
}
type World = Awaited<ReturnType<typeof opened>>;

const target = fc.oneof(
  fc.record({ kind: fc.constant('tool' as const), value: fc.constantFrom(...TOOLS) }),
  fc.record({ kind: fc.constant('glob' as const), value: fc.constantFrom('crm.*', 'billing.r*') }),
  fc.record({ kind: fc.constant('tag' as const), value: fc.constant('money') }),
);
const tenantId = fc.constantFrom('acme', 'globex');
const globs = fc.array(fc.constantFrom('crm.*', 'crm.find', 'billing.*', 'billing.pay'), { maxLength: 2 });
const policy = fc.record({ allow: globs, deny: globs, approval: globs }, { requiredKeys: [] });
const change = fc.oneof(
  fc.record({ do: fc.constant('engage' as const), target, tenantId: fc.option(tenantId, { nil: undefined }) }),
  fc.record({ do: fc.constant('expiring' as const), target, forMs: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ do: fc.constant('release' as const), target, tenantId: fc.option(tenantId, { nil: undefined }) }),
  fc.record({
    do: fc.constant('policy' as const),
    owner: fc.oneof(fc.record({ tenantId }), fc.constant({ agentId: 'helper' })),
    policy,
  }),
  fc.record({
    do: fc.constant('remove' as const),
    owner: fc.oneof(fc.record({ tenantId }), fc.constant({ agentId: 'helper' })),
  }),
  fc.record({
    do: fc.constant('deprecate' as const),
    tool: fc.constantFrom(...TOOLS),
    forMs: fc.integer({ min: -5, max: 30 }),
  }),
  fc.record({ do: fc.constant('undeprecate' as const), tool: fc.constantFrom(...TOOLS) }),
  fc.record({ do: fc.constant('wait' as const) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

async function apply(
  { control, killSwitches, storedPolicies, deprecations, clock }: World,
  step: Change,
): Promise<void> {
  const whose = 'tenantId' in step && step.tenantId !== undefined ? { tenantId: step.tenantId } : {};
  // Releasing or removing what does not exist is refused, and changes nothing.
  const quietly = (work: Promise<unknown>) => work.catch(() => undefined);
  switch (step.do) {
    case 'engage':
      await killSwitches.engage({ ...step.target, ...whose, ...OPERATOR });
      break;
    case 'deprecate':
      await deprecations.set(step.tool, { sunset: new Date(clock.now + step.forMs).toISOString() }, OPERATOR);
      break;
    case 'undeprecate':
      await quietly(deprecations.remove(step.tool, OPERATOR));
      break;
    case 'expiring':
      await quietly(killSwitches.engage({ ...step.target, expiresAt: clock.now + step.forMs, ...OPERATOR }));
      break;
    case 'release': {
      const id = killSwitchId({ tenantId: '', ...step.target, ...whose });
      const expectedRevision =
        control
          .current()
          .of(killSwitchKind)
          .all.find((each) => each.id === id)?.revision ?? 0;
      await quietly(killSwitches.release(id, { ...OPERATOR, expectedRevision }));
      break;
    }
    case 'policy':
      await storedPolicies.set(step.owner, step.policy, OPERATOR);
      break;
    case 'remove':
      await quietly(storedPolicies.remove(step.owner, OPERATOR));
      break;
    case 'wait':
      clock.now += 20;
  }
}

function decisionOf({ outcome, layers }: Pick<Explanation, 'layers'> & { outcome: string }) {
  const decided = layers.filter(({ layer }) => (LAYERS as readonly string[]).includes(layer));
  return { outcome, layers: decided.map(({ layer, verdict, rule }) => ({ layer, verdict, rule })) };
}

describe('explanations of recorded decisions', () => {
  it('are exactly those of the moment, in 10,000 random histories', async () => {
    const world = await opened();
    const history = fc.tuple(
      fc.array(change, { maxLength: 2 }),
      fc.constantFrom(...CONTEXTS),
      fc.constantFrom(...TOOLS, 'billing.hidden', 'no.tool'),
    );
    const remembered: { tool: string; context: ToolContext; at: number; said: object }[] = [];
    await fc.assert(
      fc.asyncProperty(history, fc.nat(), async ([changes, context, tool], pick) => {
        for (const each of changes) await apply(world, each);
        world.clock.now += 1;
        const at = world.clock.now;
        const toolbox = new Toolbox(world, () => context);
        const said = decisionOf(await toolbox.explain(tool));
        await toolbox.call(tool, {});
        remembered.push({ tool, context, at, said });
        // Later changes do not matter, so one of the earlier decisions is asked for.
        const earlier = remembered[pick % remembered.length]!;
        for (const one of [remembered.at(-1)!, earlier]) {
          expect(decisionOf(await world.past.explain(one.tool, one.context, { at: one.at }))).toEqual(one.said);
        }
        if (remembered.length > 500) remembered.shift();
      }),
      { numRuns: 10_000 },
    );
    await world.close();
  }, 300_000);

  it('say that nothing is recorded, of the moment, the tool and the context', async () => {
    const { clock, past, open, close } = await opened();
    const [ada, bob] = CONTEXTS as readonly [ToolContext, ToolContext];
    await open(ada).call('crm.find', {});
    const at = clock.now;
    clock.now += 100;
    expect(await past.explain('crm.find', ada, { at })).toMatchObject({ outcome: 'allow', narrowed: false });
    const none = { code: 'NOT_FOUND', hint: expect.stringContaining('GET calls') };
    await expect(past.explain('crm.find', bob, { at })).rejects.toMatchObject(none);
    await expect(past.explain('crm.send', ada, { at })).rejects.toMatchObject(none);
    await expect(past.explain('crm.find', ada, { at: at - 1 })).rejects.toMatchObject(none);
    const later = past.explain('crm.find', ada, { at: clock.now + 1 });
    await expect(later).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await close();
  });

  it('say that the application records no calls', async () => {
    const { clock, past, open, close } = await opened({ options: { exposure: 'deferred', record: false } });
    await open({}).call('crm.find', {});
    const explained = past.explain('crm.find', { tenantId: 'acme' }, { at: clock.now });
    await expect(explained).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('option record'),
    });
    await close();
  });

  it('say that a narrowing took part in the decision', async () => {
    const { clock, past, open, records, close } = await opened();
    const [ada] = CONTEXTS as readonly [ToolContext];
    const narrowed = open(ada).narrow({ deny: ['crm.*'] });
    await narrowed.call('crm.find', {});
    // A narrowed toolbox has a run of its own.
    const [call] = await records.list({ kind: 'call' }, { limit: 1 });
    const told = await past.explain('crm.find', { ...ada, runId: call!.runId }, { at: clock.now });
    expect(told).toMatchObject({ outcome: 'deny', narrowed: true });
    await close();
  });
});
