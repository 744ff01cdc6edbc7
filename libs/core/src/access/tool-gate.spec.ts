import fc from 'fast-check';
import { fakeTool, fakeTools } from '../testing/fakes/fake-tools.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { callerOf, ToolGate } from './tool-gate.js';
import { ToolPolicies } from './policies/tool-policies.js';
import { askVisibility, type ToolVisibilityPolicy, visibilityKey } from './visibility-policy.js';

const CONTEXT = { tenantId: 'acme', roles: ['reader'] };
const ASKER = callerOf(CONTEXT);
const TOOLS = fakeTools(20);

/** A visibility policy that shows the tools accepted by a test. */
const shows = (accepts: (tool: ToolDefinition) => boolean): ToolVisibilityPolicy => ({
  filter: (tools) => tools.filter(accepts),
});
const answering = (filter: (tools: readonly ToolDefinition[]) => unknown) => ({ filter }) as ToolVisibilityPolicy;
const visibleOf = async (...policies: ToolVisibilityPolicy[]) => {
  const { visible, fault } = await askVisibility(policies, TOOLS, CONTEXT, 5);
  return { visible: [...visible], fault };
};

describe('askVisibility', () => {
  it('shows everything where there is no policy', async () => {
    expect(await visibleOf()).toEqual({ visible: TOOLS, fault: undefined });
  });

  it('shows what every policy shows, whether it answers at once or later', async () => {
    const early = shows(({ sideEffects }) => sideEffects === 'read');
    const late: ToolVisibilityPolicy = {
      filter: async (tools) => tools.filter(({ namespace }) => namespace !== 'crm'),
    };
    expect(await visibleOf(early, late)).toEqual({
      visible: TOOLS.filter(({ sideEffects, namespace }) => sideEffects === 'read' && namespace !== 'crm'),
      fault: undefined,
    });
  });

  it.each<[string, (tools: readonly ToolDefinition[]) => unknown]>([
    ['throws', () => JSON.parse('{')],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['rejects with nothing', () => Promise.reject()],
    ['never answers', () => new Promise(() => undefined)],
    ['answers nothing', () => undefined],
    ['answers null', async () => null],
    ['answers true', () => true],
    ['answers a text', () => 'all'],
    ['answers a set', (tools) => new Set(tools)],
    ['answers an object', (tools) => ({ tools })],
    [
      'answers without end',
      () =>
        (function* () {
          for (;;) yield TOOLS[0];
        })(),
    ],
  ])('hides everything when a policy %s', async (_, filter) => {
    const { visible, fault } = await visibleOf(
      shows(() => true),
      answering(filter),
    );
    expect(visible).toEqual([]);
    expect(fault).toMatch(/^visibility policy /);
  });

  it('hides what a policy returns without having been given it: strangers, copies, names', async () => {
    const stranger = fakeTool({ name: 'stranger.tool' });
    const answer = answering(([first, ...rest]) => [stranger, { ...first }, rest[0]?.name, null, undefined, rest[1]]);
    expect(await visibleOf(answer)).toEqual({ visible: [TOOLS[2]], fault: undefined });
  });

  it('takes a tool that is returned twice once', async () => {
    expect((await visibleOf(answering(([first]) => [first, first]))).visible).toEqual([TOOLS[0]]);
  });

  it('does not let a policy change what is asked about', async () => {
    const greedy = answering((tools) => {
      (tools as ToolDefinition[]).push(fakeTool({ name: 'stranger.tool' }));
      return tools;
    });
    const asked = [...TOOLS];
    const { visible } = await askVisibility([greedy], asked, CONTEXT, 5);
    expect([...visible]).toEqual(TOOLS);
  });

  it('asks no policy for an empty list', async () => {
    const angry = answering(() => {
      throw new Error('asked');
    });
    expect(await askVisibility([angry], [], CONTEXT, 5)).toEqual({ visible: new Set() });
  });

  it('leaves no clock running', async () => {
    jest.useFakeTimers();
    await askVisibility([answering(async (tools) => tools), shows(() => true)], TOOLS, CONTEXT, 500);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});

describe('visibilityKey', () => {
  const keyed = (cacheKey: unknown): ToolVisibilityPolicy =>
    ({ filter: (tools: readonly ToolDefinition[]) => tools, cacheKey }) as ToolVisibilityPolicy;
  const keyOf = (...policies: ToolVisibilityPolicy[]) => visibilityKey(policies, CONTEXT, 5);

  it('combines all policies, and differs for different answers', async () => {
    const keys = await Promise.all([
      keyOf(),
      keyOf(keyed(() => 'a')),
      keyOf(keyed(() => 'b')),
      keyOf(
        keyed(() => 'a'),
        keyed(async () => 'b'),
      ),
      keyOf(keyed(() => 'a","b')),
      keyOf(keyed(() => '')),
    ]);
    expect(keys.every((key) => typeof key === 'string')).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each<[string, unknown]>([
    ['has none', undefined],
    ['answers undefined', () => undefined],
    ['throws', () => JSON.parse('{')],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['never answers', () => new Promise(() => undefined)],
    // All maps have the same JSON.
    ['answers an object', () => new Map([['plan', 'free']])],
    ['answers a number', () => Number.NaN],
    ['answers null', () => null],
  ])('shares no answer when a policy %s', async (_, cacheKey) => {
    expect(
      await keyOf(
        keyed(() => 'a'),
        keyed(cacheKey),
      ),
    ).toBeUndefined();
  });
});

describe('ToolGate', () => {
  const names = ['a.read', 'a.write', 'b.read', 'b.write', '__proto__', 'constructor'];
  const tool = fc
    .record({
      name: fc.constantFrom(...names),
      owner: fc.constantFrom('', '', 'acme', 'globex'),
      tags: fc.subarray(['x', 'y']),
    })
    .map(fakeTool);
  const glob = fc.constantFrom('a.*', '*.write', 'b.read', '__proto__', 'constructor', '*');
  const rules = fc.record({
    deny: fc.array(glob, { maxLength: 1 }),
    tenantAllow: fc.option(fc.array(glob, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    shown: fc.array(fc.constantFrom(...names), { minLength: 3 }),
  });
  function gateOf({ deny, tenantAllow, shown }: { deny: string[]; tenantAllow?: string[]; shown: string[] }): ToolGate {
    const policies = new ToolPolicies({ deny });
    if (tenantAllow) policies.setTenant('acme', { allow: tenantAllow });
    const visibility = shows(({ name }) => shown.includes(name));
    return new ToolGate({ policies, visibility: () => [visibility] });
  }

  it('decides about a list as it decides about each tool alone', async () => {
    let allowed = 0;
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(tool, { maxLength: 8 }), rules, async (tools, of) => {
        const gate = gateOf(of);
        const together = (await gate.decideLasting(tools, ASKER)).decisions;
        const alone = await Promise.all(
          tools.map(async (each) => (await gate.decideLasting([each], ASKER)).decisions[0]),
        );
        expect(together).toEqual(alone);
        asked += together.length;
        allowed += together.filter(({ outcome }) => outcome === 'allow').length;
      }),
      { numRuns: 1000 },
    );
    expect(allowed / asked).toBeGreaterThan(0.1);
  });

  it('never shows a tenant a tool of another, with any rules', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tool, { maxLength: 8 }), rules, async (tools, of) => {
        const { decisions } = await gateOf(of).decideLasting(tools, ASKER);
        for (const [index, { owner }] of tools.entries()) {
          if (owner === 'globex') expect(decisions[index]).toMatchObject({ outcome: 'deny', layer: 'source' });
        }
      }),
      { numRuns: 300 },
    );
  });

  it('says for operators which layer decided', async () => {
    const gate = gateOf({ deny: ['a.write'], shown: ['a.read'] });
    const tools = [
      fakeTool({ name: 'a.read' }),
      fakeTool({ name: 'a.write' }),
      fakeTool({ name: 'b.read' }),
      fakeTool({ name: 'a.read', owner: 'globex' }),
    ];
    const { decisions, fault } = await gate.decideLasting(tools, ASKER);
    expect(decisions.map(({ outcome, layer, rule }) => [outcome, layer, rule])).toEqual([
      ['allow', 'approval', 'default'],
      ['deny', 'policy', 'deny:a.write'],
      ['deny', 'visibility', 'filter'],
      ['deny', 'source', 'owner'],
    ]);
    expect(fault).toBe(false);
  });

  it('never says that everybody of a tenant may not use a tool that one of them may use', async () => {
    await fc.assert(
      fc.asyncProperty(tool, rules, async (each, of) => {
        const gate = gateOf(of);
        const forAll = gate.decideForAll(each, 'acme');
        const forOne = await gate.decide(each, ASKER);
        if (forAll.outcome === 'deny') expect(forOne).toEqual(forAll);
        // Only a visibility policy refuses more.
        else if (forOne.outcome === 'deny') expect(forOne.layer).toBe('visibility');
      }),
      { numRuns: 300 },
    );
  });

  it('says what holds for all tenants where none is named', () => {
    const gate = gateOf({ deny: ['a.write'], tenantAllow: ['b.read'], shown: [] });
    expect(gate.decideForAll(fakeTool({ name: 'a.write' }), '')).toMatchObject({ outcome: 'deny', layer: 'policy' });
    expect(gate.decideForAll(fakeTool({ name: 'a.read' }), '').outcome).toBe('allow');
    expect(gate.decideForAll(fakeTool({ name: 'a.read' }), 'acme')).toMatchObject({ outcome: 'deny', layer: 'policy' });
  });

  it('does not ask the application about a tool that is refused anyway', async () => {
    const asked: string[] = [];
    const nosy = answering((tools) => {
      asked.push(...tools.map(({ name }) => name));
      return tools;
    });
    const gate = new ToolGate({ policies: new ToolPolicies({ deny: ['a.*'] }), visibility: () => [nosy] });
    await gate.decideLasting(
      [fakeTool({ name: 'a.read' }), fakeTool({ name: 'b.read' }), fakeTool({ owner: 'globex' })],
      ASKER,
    );
    expect(asked).toEqual(['b.read']);
  });

  it('says of a fault that it is one, and whose tools it hid', async () => {
    const broken = answering(() => Promise.reject(new Error('no')));
    const gate = new ToolGate({ policies: new ToolPolicies({ deny: ['a.*'] }), visibility: () => [broken] });
    const { decisions, fault } = await gate.decideLasting(
      [fakeTool({ name: 'a.read' }), fakeTool({ name: 'b.read' })],
      ASKER,
    );
    expect(fault).toBe(true);
    expect(decisions.map(({ layer, rule }) => [layer, rule])).toEqual([
      ['policy', 'deny:a.*'],
      ['visibility', 'fault'],
    ]);
  });
});

describe('a visibility policy', () => {
  class ShowsCrm implements ToolVisibilityPolicy {
    filter(tools: readonly ToolDefinition[]) {
      return tools.filter(({ namespace }) => namespace === 'crm');
    }
  }
  class ShowsReads implements ToolVisibilityPolicy {
    filter(tools: readonly ToolDefinition[]) {
      return tools.filter(({ name }) => name.endsWith('.read'));
    }
  }
  class Down implements ToolVisibilityPolicy {
    filter(): never {
      throw new Error('the plan service is down');
    }
  }

  it('gives its reason for a tool that it hides to explanations alone', async () => {
    class NeedsPlan extends ShowsReads {
      constructor(private readonly said: () => string | Promise<string> | undefined) {
        super();
      }
      reasonFor({ name }: ToolDefinition, { tenantId }: ToolContext) {
        return name === 'crm.write' && tenantId === 'acme' ? this.said() : undefined;
      }
    }
    const tool = fakeTool({ name: 'crm.write', namespace: 'crm' });
    const explained = async (
      said: () => string | Promise<string> | undefined,
      caller = ASKER,
      more: readonly ToolVisibilityPolicy[] = [],
    ) => {
      const policies = [new ShowsCrm(), ...more, new NeedsPlan(said)];
      const gate = new ToolGate({ policies: new ToolPolicies(), visibility: () => policies, deadlineMs: 20 });
      const decision = await gate.decide(tool, caller);
      expect(decision.reason).toBe('visibility policy NeedsPlan left it out');
      return (await gate.explained(decision, tool, caller)).reason;
    };
    const named = 'visibility policy NeedsPlan left it out';
    expect(await explained(() => 'it needs the plan "gold"')).toBe(`${named}: it needs the plan "gold"`);
    expect(await explained(async () => `a\nb${'c'.repeat(300)}`)).toBe(`${named}: a\ufffdb${'c'.repeat(197)}`);
    let asked = 0;
    const failsLater = {
      filter: (all: readonly ToolDefinition[]) => {
        if (asked++ > 0) throw new Error('out of order');
        return all;
      },
      reasonFor: () => 'not mine',
    };
    expect(await explained(() => 'said', ASKER, [failsLater])).toBe(`${named}: said`);
    expect(asked).toBe(2);
    const above = [{ ...ASKER.context, tenantId: 'globex' }];
    expect(await explained(() => 'said', { ...ASKER, above })).toBe(`${named}: said`);
    for (const silent of [
      () => undefined,
      () => '',
      () => 7 as never,
      () => new Promise<string>(() => undefined),
      () => {
        throw new Error('no words');
      },
    ]) {
      expect(await explained(silent)).toBe(named);
    }
  });

  it('is named to operators where it hides a tool', async () => {
    const visibility = [new ShowsCrm(), new ShowsReads()];
    const gate = new ToolGate({ policies: new ToolPolicies(), visibility: () => visibility });
    const reasonOf = async (name: string) =>
      (await gate.decide(fakeTool({ name, namespace: name.split('.')[0]! }), ASKER)).reason;
    expect(await reasonOf('mail.read')).toBe('visibility policy ShowsCrm left it out');
    expect(await reasonOf('crm.write')).toBe('visibility policy ShowsReads left it out');
    const caller = { ...ASKER, above: [ASKER.context] };
    expect((await gate.decide(fakeTool({ name: 'crm.write', namespace: 'crm' }), caller)).reason).toContain(
      'ShowsReads',
    );
  });

  it('is reported by name with the cause where it fails, and hides everything', async () => {
    const report = jest.fn();
    const down = new Down();
    const gate = new ToolGate({
      policies: new ToolPolicies(),
      visibility: () => [new ShowsCrm(), down],
      reportPolicyFault: report,
    });
    expect(await gate.decide(fakeTool({ name: 'crm.read', namespace: 'crm' }), ASKER)).toMatchObject({
      outcome: 'deny',
      rule: 'fault',
      reason: 'visibility policy Down threw',
    });
    expect(report.mock.calls).toEqual([['Down', expect.objectContaining({ message: 'the plan service is down' })]]);
  });
});

describe('a call that is refused', () => {
  it('asks the application also for unknown tools, so that time does not reveal hidden ones', async () => {
    const asked: string[] = [];
    const visibility = {
      filter: (tools: readonly ToolDefinition[]) => {
        asked.push(tools.map(({ name }) => name).join());
        return [];
      },
    };
    const gate = new ToolGate({ policies: new ToolPolicies({ deny: ['crm.denied'] }), visibility: () => [visibility] });
    const context = { tenantId: 'acme' };
    const decided = [];
    for (const tool of [
      undefined,
      fakeTool({ name: 'crm.hidden' }),
      fakeTool({ name: 'crm.denied' }),
      fakeTool({ name: 'crm.foreign', owner: 'globex' }),
    ]) {
      decided.push(await gate.decide(tool, callerOf(context)));
    }
    expect(decided.map(({ outcome, layer, rule }) => [outcome, layer, rule])).toEqual([
      ['deny', 'source', 'unknown'],
      ['deny', 'visibility', 'filter'],
      ['deny', 'policy', 'deny:crm.denied'],
      ['deny', 'source', 'owner'],
    ]);
    // Once per call, and never about a tool that a layer before visibility refuses.
    expect(asked).toEqual(['none', 'crm.hidden', 'none', 'none']);
  });
});
