import fc from 'fast-check';
import { LAYERS } from '../../tool/decision.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolContext } from '../../tool/tool-context.js';
import { FakeSource, openToolbox } from '../../testing/index.js';
import type { ToolboxSetup } from '../../testing/open-toolbox.js';
import { killSwitchId } from '../../access/kill-switches/kill-switch.js';
import { Toolbox } from '../toolbox.js';
import type { Explanation } from '../explanation.js';

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
      const expectedRevision = control.current().switches.all.find((each) => each.id === id)?.revision ?? 0;
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

describe('explanations of the past', () => {
  it('are exactly those of the moment for a recorded decision, in 10,000 random histories', async () => {
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
          const past = await world.past.explain(one.tool, one.context, { at: one.at });
          expect(decisionOf(past as never)).toEqual(one.said);
          expect(new Set(past.layers.map(({ evidence }) => evidence))).toEqual(new Set(['recorded']));
        }
        if (remembered.length > 500) remembered.shift();
      }),
      { numRuns: 10_000 },
    );
    await world.close();
  }, 300_000);

  it('never guess: what is recomputed is what was said at the moment', async () => {
    const moment = fc.tuple(
      fc.array(change, { maxLength: 3 }),
      fc.constantFrom(...CONTEXTS),
      fc.constantFrom(...TOOLS, 'billing.hidden', 'no.tool'),
    );
    let [recomputed, layers] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 5 }), async (moments) => {
        const world = await opened();
        const said = [];
        for (const [changes, context, tool] of moments) {
          // Changes of one millisecond count as those before it.
          world.clock.now += 1;
          for (const each of changes) await apply(world, each);
          world.clock.now += 1;
          const explained = decisionOf(await new Toolbox(world, () => context).explain(tool));
          said.push({ context, tool, at: world.clock.now, explained });
        }
        world.clock.now += 1000;
        for (const { context, tool, at, explained } of said) {
          const past = await world.past.explain(tool, context, { at });
          expect(past.record).toBeUndefined();
          for (const [index, { layer, verdict, rule, evidence }] of past.layers.entries()) {
            if (evidence === 'not_recorded') expect([layer, verdict]).toEqual(['limit', 'unknown']);
            else expect({ layer, verdict, rule }).toEqual(explained.layers[index]);
            recomputed += Number(evidence === 'recomputed');
            layers += 1;
          }
          expect(past.outcome).toBe(explained.outcome);
        }
        await world.close();
      }),
      { numRuns: 150 },
    );
    expect(recomputed / layers).toBeGreaterThan(0.05);
  }, 120_000);

  it('use the definition, the policies and the switches of the moment', async () => {
    const { clock, sources, catalog, past, killSwitches, storedPolicies, close } = await opened();
    const [, billing] = sources;
    const context = { tenantId: 'acme' };
    const before = clock.now;
    clock.now += 10;
    billing?.setTools([{ name: 'refund', tags: ['other'] }]);
    await catalog.refresh();
    clock.now += 10;
    await killSwitches.engage({ kind: 'tag', value: 'money', ...OPERATOR });
    const between = clock.now;
    clock.now += 10;
    await storedPolicies.set({ tenantId: 'acme' }, { deny: ['crm.*'] }, OPERATOR);
    const deciding = async (tool: string, at: number) => {
      const { outcome, layers } = await past.explain(tool, context, { at });
      return [outcome, layers.find(({ verdict }) => verdict === 'deny')?.layer];
    };
    expect(await deciding('billing.pay', before)).toEqual(['allow', undefined]);
    expect(await deciding('billing.pay', between)).toEqual(['deny', 'source']);
    // It had the tag before the switch was engaged, and has it no longer.
    expect(await deciding('billing.refund', between)).toEqual(['allow', undefined]);
    expect(await deciding('crm.find', between)).toEqual(['allow', undefined]);
    expect(await deciding('crm.find', clock.now)).toEqual(['deny', 'policy']);
    await close();
  });

  it('mark what nobody can know', async () => {
    const visibility = { filter: async (tools: readonly ToolDefinition[]) => tools };
    const { clock, past, toolbox, close } = await opened({ visibility });
    const unknownOf = async (at: number) => {
      const { outcome, layers } = await past.explain('crm.find', { tenantId: 'acme' }, { at });
      return [outcome, layers.filter(({ evidence }) => evidence === 'not_recorded').map(({ layer }) => layer)];
    };
    const started = clock.now;
    clock.now += 100;
    expect(await unknownOf(started)).toEqual(['unknown', ['visibility', 'limit']]);
    // Before this process: neither the definition nor the application's policy of that moment is kept.
    expect(await unknownOf(started - 1)).toEqual(['unknown', LAYERS]);
    await toolbox.call('crm.find', {});
    await expect(past.explain('crm.find', { tenantId: 'acme' }, { at: clock.now + 1 })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await close();
  });
});
