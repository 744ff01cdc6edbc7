import fc from 'fast-check';
import { expectSame } from '../../testing/contracts/expect-same.js';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { StoredKind } from '../control/control-kind.js';
import { ControlSnapshot, type SnapshotPart } from '../control/control-snapshot.js';
import { type KillSwitch, killSwitchId } from '../kill-switches/kill-switch.js';
import { KillSwitchSet } from '../kill-switches/kill-switch-set.js';
import { narrowing } from '../narrowing.js';
import { type QuarantineVerdict, QuarantineVerdicts } from '../quarantine/quarantine.js';
import { StoredPolicySet } from './stored-policy.js';
import { callerOf, ToolGate } from '../tool-gate.js';
import { ToolPolicies } from './tool-policies.js';
import type { ToolVisibilityPolicy } from '../visibility-policy.js';
import { deprecationKind } from '../deprecations/deprecation-kind.js';
import { killSwitchKind } from '../kill-switches/kill-switch-kind.js';
import { verdictKind } from '../quarantine/verdict-kind.js';
import { policyKind } from './policy-kind.js';

interface ReferenceTool {
  readonly name: string;
  readonly namespace: string;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  readonly sideEffects: string;
  readonly source: string;
  readonly owner: string;
  readonly hash: string;
  readonly suspicion?: string | undefined;
}

interface ReferencePolicy {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly requireTags?: readonly string[];
  readonly approval?: readonly string[];
}

/** The whole input of one decision, as plain data. */
interface ReferenceWorld {
  readonly now: number;
  /** Milliseconds since the operators' rules were last confirmed; undefined = never. */
  readonly ageMs: number | undefined;
  readonly tenantId: string;
  readonly agentId: string | undefined;
  readonly module: ReferencePolicy;
  readonly bySource: readonly { readonly source: string; readonly owner: string; readonly policy: ReferencePolicy }[];
  readonly byTenant: readonly { readonly tenantId: string; readonly policy: ReferencePolicy }[];
  readonly stored: readonly { readonly tenantId: string; readonly agentId: string; readonly policy: ReferencePolicy }[];
  readonly steps: readonly {
    readonly agentId: string | undefined;
    readonly policy: ReferencePolicy;
    /** Names that the step's filter removes, by phase. */
    readonly takes: {
      readonly search: readonly string[];
      readonly load: readonly string[];
      readonly active: readonly string[];
    };
  }[];
  readonly switches: readonly {
    readonly kind: string;
    readonly value: string;
    readonly tenantId: string;
    /** 0 = never. */
    readonly expiresAt: number;
  }[];
  readonly verdicts: readonly {
    readonly owner: string;
    readonly source: string;
    readonly tool: string;
    readonly hash: string;
    readonly verdict: string;
  }[];
  /** Names that the application's visibility policy hides, by agent; `''` = a context without an agent. */
  readonly hidden: readonly { readonly agentId: string; readonly names: readonly string[] }[];
  readonly hasVisibility: boolean;
}

type ReferenceOutcome = 'allow' | 'approve' | 'deny' | 'closed';

const PHASES = ['search', 'load', 'active'] as const;

/** A second, simple implementation of the gate for differential tests, written from its documentation alone. */
function referenceDecision(
  world: ReferenceWorld,
  tool: ReferenceTool,
  phase: (typeof PHASES)[number] = 'active',
): ReferenceOutcome {
  if (world.ageMs === undefined || world.ageMs > 30_000) return 'closed';
  if (tool.owner !== '' && tool.owner !== world.tenantId) return 'deny';

  const verdict = world.verdicts.find(
    (each) =>
      each.owner === tool.owner && each.source === tool.source && each.tool === tool.name && each.hash === tool.hash,
  );
  if (verdict ? verdict.verdict !== 'approved' : tool.suspicion !== undefined) return 'deny';

  const agents = [world.agentId, ...world.steps.map((step) => step.agentId)].filter((id) => id !== undefined);
  const policies = [
    world.module,
    ...world.bySource
      .filter(({ source, owner }) => source === tool.source && owner === tool.owner)
      .map((each) => each.policy),
    ...world.byTenant.filter(({ tenantId }) => tenantId === world.tenantId).map((each) => each.policy),
    ...world.stored
      .filter(({ tenantId, agentId }) =>
        agentId === ''
          ? tenantId === world.tenantId
          : agents.includes(agentId) && ['', world.tenantId].includes(tenantId),
      )
      .map((each) => each.policy),
    ...world.steps.map((step) => step.policy),
  ];
  if (!policies.every((policy) => lets(policy, tool))) return 'deny';

  const upTo = PHASES.slice(0, PHASES.indexOf(phase) + 1);
  if (world.steps.some(({ takes }) => upTo.some((each) => takes[each].includes(tool.name)))) return 'deny';

  const seers = new Set([world.agentId ?? '', ...agents]);
  const isHidden = world.hidden.some(({ agentId, names }) => seers.has(agentId) && names.includes(tool.name));
  if (world.hasVisibility && isHidden) return 'deny';

  const isOff = world.switches.some(
    (each) =>
      (each.tenantId === '' || each.tenantId === world.tenantId) &&
      (each.expiresAt === 0 || world.now < each.expiresAt) &&
      isMeant(each.kind, each.value, tool),
  );
  if (isOff) return 'deny';
  return policies.some((policy) => anyName(policy.approval ?? [], tool)) ? 'approve' : 'allow';
}

/** Whether one policy allows the tool: none of its names is denied, it is on the allow list, and it has all tags. */
function lets(policy: ReferencePolicy, tool: ReferenceTool): boolean {
  if (anyName(policy.deny ?? [], tool)) return false;
  if (policy.allow !== undefined && !policy.allow.some((glob) => regexOf(glob).test(tool.name))) return false;
  return (policy.requireTags ?? []).every((tag) => tool.tags.includes(tag));
}

/** Whether a kill switch of this kind and value matches the tool. */
function isMeant(kind: string, value: string, tool: ReferenceTool): boolean {
  if (kind === 'tool') return [tool.name, ...tool.aliases].includes(value);
  if (kind === 'glob') return anyName([value], tool);
  if (kind === 'namespace') return `${tool.namespace}.`.startsWith(`${value}.`);
  if (kind === 'tag') return tool.tags.includes(value);
  return kind === 'side_effects' && tool.sideEffects === value;
}

function anyName(globs: readonly string[], tool: ReferenceTool): boolean {
  return globs.some((glob) => [tool.name, ...tool.aliases].some((name) => regexOf(glob).test(name)));
}

const compiled = new Map<string, RegExp>();

function regexOf(glob: string): RegExp {
  const known = compiled.get(glob);
  if (known) return known;
  const source = glob
    .replaceAll(/[.\\+^$()[\]{}|]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const made = new RegExp(`^${source}$`, 's');
  compiled.set(glob, made);
  return made;
}

const RUNS = { numRuns: 20_000 };
const NOW = 1_000_000;

// Few, small catalogs keep a world cheap; the rules are drawn anew each time.
const NAMES = ['a.x', 'A.x', 'a.b.x', 'b.y', 'b.z', '__proto__', 'constructor', 'a.toString', 'hasOwnProperty.x'];
const ALIASES = ['old.x', 'constructor.x', 'b.old', '__proto__.x'];
const TAGS = ['money', 'disk', 'constructor'];
const TOOLS: readonly ToolDefinition[] = fc
  .sample(
    fc.record({
      name: fc.constantFrom(...NAMES),
      aliases: fc.subarray(ALIASES, { maxLength: 1 }),
      tags: fc.subarray(TAGS, { minLength: 1 }),
      sideEffects: fc.constantFrom('read' as const, 'write' as const, 'external' as const),
      source: fc.constantFrom('a', 'b'),
      owner: fc.constantFrom('', '', '', '', '', '', 'acme', 'globex'),
      suspicion: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, undefined, undefined, 'odd'),
    }),
    { numRuns: 400, seed: 7 },
  )
  .map(({ suspicion, ...parts }) => fakeTool({ ...parts, ...(suspicion !== undefined && { suspicion }) }));

// Most rules are narrow, so that some worlds still allow tools.
const glob = fc.constantFrom('a.x', 'A.*', '*.y', 'b.?', 'a.*.x', 'old.*', '__proto__', 'constructor*', '*.old', 'x*');
const wide = fc.constantFrom('*', 'a*', '*x', '*.*', '?*', 'b.*', '__*', 'c*');
const policy: fc.Arbitrary<ReferencePolicy> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        allow: fc.oneof(
          { weight: 6, arbitrary: fc.array(wide, { minLength: 2, maxLength: 4 }).map((list) => ['*', ...list]) },
          { weight: 2, arbitrary: fc.array(wide, { minLength: 2, maxLength: 4 }) },
          { weight: 1, arbitrary: fc.constant([]) },
        ),
        deny: fc.array(glob, { maxLength: 1 }),
        requireTags: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.subarray(TAGS, { maxLength: 1 })),
        approval: fc.array(fc.oneof(glob, wide), { maxLength: 1 }),
      },
      { requiredKeys: [] },
    ),
  },
);
const tenant = fc.constantFrom('acme', 'acme', 'globex', '__proto__');
const agent = fc.constantFrom('planner', 'writer');
const some = <T>(each: fc.Arbitrary<T>, maxLength = 2): fc.Arbitrary<T[]> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant<T[]>([]) },
    { weight: 1, arbitrary: fc.array(each, { minLength: 1, maxLength }) },
  );
const target = fc.oneof(
  fc.record({ kind: fc.constant('tool' as const), value: fc.constantFrom(...NAMES, ...ALIASES) }),
  fc.record({ kind: fc.constant('glob' as const), value: glob }),
  fc.record({ kind: fc.constant('namespace' as const), value: fc.constantFrom('a', 'A', 'a.b', 'b', 'c') }),
  fc.record({ kind: fc.constant('tag' as const), value: fc.constantFrom('disk', 'constructor', 'none') }),
  fc.record({ kind: fc.constant('side_effects' as const), value: fc.constantFrom('write', 'pure') }),
);
const killSwitch = fc
  .tuple(target, fc.constantFrom('', 'acme', 'globex'), fc.constantFrom(0, NOW - 1, NOW, NOW + 1))
  .map(([meant, tenantId, expiresAt]) => ({ ...meant, tenantId, expiresAt }));
const names = some(fc.constantFrom(...NAMES), 1);
const step = fc.record({
  agentId: fc.option(agent, { nil: undefined }),
  policy,
  takes: fc.record({ search: names, load: names, active: names }),
});

interface World extends ReferenceWorld {
  readonly switches: readonly Pick<KillSwitch, 'kind' | 'value' | 'tenantId' | 'expiresAt'>[];
  readonly verdicts: readonly Pick<QuarantineVerdict, 'owner' | 'source' | 'tool' | 'hash' | 'verdict'>[];
  readonly tools: readonly ToolDefinition[];
}
const anyWorld: fc.Arbitrary<World> = fc
  .record({
    tools: fc.array(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 4 }),
    now: fc.constant(NOW),
    ageMs: fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(0, 6000, 30_000) },
      { weight: 1, arbitrary: fc.constantFrom(undefined, 30_001, 1e9) },
    ),
    tenantId: tenant,
    agentId: fc.option(agent, { nil: undefined }),
    module: policy,
    bySource: some(fc.record({ source: fc.constantFrom('a', 'b'), owner: fc.constantFrom('', 'acme'), policy })),
    byTenant: some(fc.record({ tenantId: tenant, policy }), 1),
    stored: some(
      fc
        .record({ tenantId: fc.oneof(tenant, fc.constant('')), agentId: fc.oneof(agent, fc.constant('')), policy })
        .filter(({ tenantId, agentId }) => tenantId !== '' || agentId !== ''),
    ),
    steps: some(step),
    switches: some(killSwitch),
    verdicts: some(fc.tuple(fc.nat(3), fc.constantFrom('approved' as const, 'rejected' as const)), 2),
    hidden: some(
      fc.record({ agentId: fc.oneof(agent, fc.constant('')), names: fc.subarray(NAMES, { maxLength: 3 }) }),
      1,
    ),
    hasVisibility: fc.boolean(),
  })
  .map(({ verdicts, stored, switches, ...world }) => ({
    ...world,
    // One policy per owner and one switch per target, as in the store.
    stored: uniqueBy(stored, ({ tenantId, agentId }) => `${tenantId} ${agentId}`),
    switches: uniqueBy(switches, ({ kind, value, tenantId }) => `${kind} ${value} ${tenantId}`),
    verdicts: uniqueBy(
      verdicts.flatMap(([index, verdict]) => {
        const tool = world.tools[index];
        return tool ? [{ owner: tool.owner, source: tool.source, tool: tool.name, hash: tool.hash, verdict }] : [];
      }),
      ({ owner, source, tool, hash }) => `${owner} ${source} ${tool} ${hash}`,
    ),
  }));

function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

const decided = { reason: 'r', actor: 'olga', changedAt: 1, revision: 1 };

function snapshotOf({ stored, switches, verdicts }: World): ControlSnapshot {
  const on = { reason: 'r', actor: 'olga', engagedAt: 1, abortRunning: false, matched: 0, revision: 1 };
  const parts: readonly [StoredKind, unknown][] = [
    [killSwitchKind, new KillSwitchSet(switches.map((each) => ({ ...each, ...on, id: killSwitchId(each) })))],
    [policyKind, new StoredPolicySet(stored.map((each) => ({ ...each, ...decided })))],
    [verdictKind, new QuarantineVerdicts(verdicts.map((each) => ({ ...each, ...decided, decidedAt: 1 })))],
    [deprecationKind, deprecationKind.partOf([])],
  ];
  const held = parts.map(([kind, part]): [StoredKind, SnapshotPart] => [kind, { part, revisions: new Map() }]);
  return new ControlSnapshot(0, new Map(held));
}

/** The production gate, built for a world. */
function gateOf(world: World) {
  const policies = new ToolPolicies(world.module);
  for (const { source, owner, policy: own } of world.bySource) policies.addToSource({ name: source, owner }, own);
  for (const { tenantId, policy: own } of world.byTenant) policies.setTenant(tenantId, own);
  const visibility: ToolVisibilityPolicy = {
    filter: (tools, { agentId = '' }) =>
      tools.filter(({ name }) => !world.hidden.some((rule) => rule.agentId === agentId && rule.names.includes(name))),
  };
  const snapshot = snapshotOf(world);
  const current = () => {
    if (world.ageMs !== undefined && world.ageMs <= 30_000) return snapshot;
    throw new ToolSearchError('GATE_CLOSED', 'closed');
  };
  return new ToolGate({
    policies,
    visibility: () => (world.hasVisibility ? [visibility] : []),
    control: { current, now: Date.now, rulesRevision: 1 },
    now: () => world.now,
  });
}

function callerIn({ tenantId, agentId, steps }: World) {
  const root = { tenantId, ...(agentId !== undefined && { agentId }) };
  const lineage = steps.map(({ agentId: own, policy: narrower, takes }) =>
    narrowing({
      ...narrower,
      runId: 'r',
      ...(own !== undefined && { agentId: own }),
      filter: ({ name }, phase) => !takes[phase].includes(name),
    }),
  );
  const caller = callerOf(root, lineage);
  const last = caller.agentIds.at(-1);
  const others = [...new Set([agentId, ...caller.agentIds])].filter((each) => each !== last);
  const as = (id: string | undefined) => ({ tenantId, ...(id !== undefined && { agentId: id }) });
  return { ...caller, context: as(last), above: others.map(as) };
}

async function outcomesOf(world: World, phase: 'search' | 'load' | 'active' = 'active'): Promise<string[]> {
  const [gate, caller] = [gateOf(world), callerIn(world)];
  return Promise.all(
    world.tools.map((tool) =>
      gate.decide(tool, caller, phase).then(
        ({ outcome }) => outcome,
        (error: unknown) => (isToolSearchError(error) ? 'closed' : 'broken'),
      ),
    ),
  );
}

function isRefused(outcome: string | undefined): boolean {
  return outcome === 'deny' || outcome === 'closed';
}

/** No refused tool may become allowed, and no tool that needed an approval may lose that need. */
function expectNarrower(narrower: readonly string[], before: readonly string[]): void {
  const rank = ['closed', 'deny', 'approve', 'allow'];
  const wider = narrower.filter((outcome, index) => rank.indexOf(outcome) > rank.indexOf(before[index] ?? 'broken'));
  expectSame(wider, []);
}

const anyLayer = fc.oneof(
  policy.map((own) => (world: World): World => ({
    ...world,
    bySource: [...world.bySource, { source: 'a', owner: '', policy: own }],
  })),
  step.map((own) => (world: World): World => ({ ...world, steps: [...world.steps, own] })),
  killSwitch.map((own) => (world: World): World => ({
    ...world,
    switches: [...withoutTarget(world, own), forLonger(world, own)],
  })),
  fc.tuple(tenant, policy).map(
    ([tenantId, own]) =>
      (world: World): World =>
        world.byTenant.some((each) => each.tenantId === tenantId)
          ? world
          : { ...world, byTenant: [...world.byTenant, { tenantId, policy: own }] },
  ),
  fc.tuple(fc.oneof(tenant, fc.constant('')), agent, policy).map(
    ([tenantId, agentId, own]) =>
      (world: World): World =>
        world.stored.some((each) => each.tenantId === tenantId && each.agentId === agentId)
          ? world
          : { ...world, stored: [...world.stored, { tenantId, agentId, policy: own }] },
  ),
  fc.subarray(NAMES).map((hides) => (world: World): World => {
    const rules = ['', 'planner', 'writer'].map((agentId) => ({ agentId, names: hides }));
    return { ...world, hasVisibility: true, hidden: world.hasVisibility ? [...world.hidden, ...rules] : rules };
  }),
  fc.nat(3).map((index) => (world: World): World => {
    const tool = world.tools[index];
    if (!tool) return world;
    const { owner, source, name, hash } = tool;
    const others = world.verdicts.filter((each) => each.hash !== hash || each.tool !== name || each.source !== source);
    return { ...world, verdicts: [...others, { owner, source, tool: name, hash, verdict: 'rejected' }] };
  }),
);
type Target = World['switches'][number];
const withoutTarget = ({ switches }: World, own: Target) =>
  switches.filter((each) => killSwitchId(each) !== killSwitchId(own));
// Engaging a switch again replaces it. `KillSwitches.engage` prevents an earlier expiry, not the gate.
function forLonger({ switches }: World, own: Target): Target {
  const known = switches.find((each) => killSwitchId(each) === killSwitchId(own));
  if (!known) return own;
  const isEndless = known.expiresAt === 0 || own.expiresAt === 0;
  return { ...own, expiresAt: isEndless ? 0 : Math.max(known.expiresAt, own.expiresAt) };
}

// Every world without a fresh snapshot throws, and no test reads a stack trace.
const { stackTraceLimit } = Error;
beforeAll(() => void (Error.stackTraceLimit = 0));
afterAll(() => void (Error.stackTraceLimit = stackTraceLimit));

describe('the gate, in 20,000 worlds each', () => {
  it('decides as a second gate does that was written from the documentation alone; 20 to 50 % are allowed', async () => {
    const count: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(anyWorld, fc.constantFrom('search', 'load', 'active'), async (world, phase) => {
        const outcomes = await outcomesOf(world, phase);
        expectSame(
          outcomes,
          world.tools.map((tool) => referenceDecision(world, tool, phase)),
        );
        for (const outcome of outcomes) count[outcome] = (count[outcome] ?? 0) + 1;
      }),
      RUNS,
    );
    const all = Object.values(count).reduce((sum, each) => sum + each, 0);
    const rate = (count['allow'] ?? 0) / all;
    expect(rate).toBeGreaterThan(0.2);
    expect(rate).toBeLessThan(0.5);
    // Each outcome must occur often enough for the property to be meaningful.
    for (const outcome of ['approve', 'deny', 'closed']) expect((count[outcome] ?? 0) / all).toBeGreaterThan(0.005);
  });

  it('allows no further tool when a deny is added anywhere', async () => {
    const where = fc.constantFrom('module', 'bySource', 'byTenant', 'stored', 'steps');
    await fc.assert(
      fc.asyncProperty(anyWorld, glob, where, async (world, denied, level) => {
        const more = <T extends { readonly policy: ReferencePolicy }>(list: readonly T[]) =>
          list.map((each) => ({ ...each, policy: { ...each.policy, deny: [denied, ...(each.policy.deny ?? [])] } }));
        const stricter: World =
          level === 'module'
            ? { ...world, module: { ...world.module, deny: [...(world.module.deny ?? []), denied] } }
            : { ...world, [level]: more(world[level as 'bySource']) };
        const outcomes = await outcomesOf(stricter);
        expectNarrower(outcomes, await outcomesOf(world));
        if (level !== 'module') return;
        const meant = outcomes.filter((_, index) => isMeant('glob', denied, world.tools[index]!));
        expectSame(
          meant.filter((outcome) => !isRefused(outcome)),
          [],
        );
      }),
      RUNS,
    );
  });

  it('allows no further tool when any layer is added: a policy, a step, a switch, a verdict, a visibility rule', async () => {
    await fc.assert(
      fc.asyncProperty(anyWorld, anyLayer, async (world, added) => {
        expectNarrower(await outcomesOf(added(world)), await outcomesOf(world));
      }),
      RUNS,
    );
  });

  it('does not depend on the order of rules, nor on their repetition', async () => {
    const turned = <T>(list: readonly T[] | undefined) => list && [...list.toReversed(), ...list];
    const turnedPolicy = (own: ReferencePolicy): ReferencePolicy =>
      Object.fromEntries(Object.entries(own).map(([key, list]) => [key, turned(list as string[])]));
    const inEach = <T extends { readonly policy: ReferencePolicy }>(list: readonly T[]) =>
      list.map((each) => ({ ...each, policy: turnedPolicy(each.policy) })).toReversed();
    await fc.assert(
      fc.asyncProperty(anyWorld, async (world) => {
        const other: World = {
          ...world,
          module: turnedPolicy(world.module),
          bySource: inEach([...world.bySource, ...world.bySource]),
          byTenant: uniqueBy(inEach(world.byTenant).toReversed(), ({ tenantId }) => tenantId),
          stored: inEach(world.stored),
          steps: inEach([...world.steps, ...world.steps]),
          switches: world.switches.toReversed(),
          verdicts: world.verdicts.toReversed(),
        };
        const same: World = { ...world, byTenant: uniqueBy(world.byTenant, ({ tenantId }) => tenantId) };
        expectSame(await outcomesOf(other), await outcomesOf(same));
      }),
      RUNS,
    );
  });

  it('intersects allow lists: two lists allow what both allow', async () => {
    const lists = fc.tuple(fc.array(wide, { maxLength: 3 }), fc.array(wide, { maxLength: 3 }));
    const level = fc.constantFrom('source', 'tenant', 'stored', 'step');
    await fc.assert(
      fc.asyncProperty(anyWorld, lists, level, async (world, [one, two], where) => {
        const bare: World = { ...world, module: {}, bySource: [], byTenant: [], stored: [], steps: [] };
        const withOne = { ...bare, module: { allow: one } };
        const { tenantId } = world;
        const second = (base: World): World => {
          const own = { allow: two };
          if (where === 'source') {
            const sources = [...new Set(world.tools.map(({ source, owner }) => JSON.stringify([source, owner])))];
            return {
              ...base,
              bySource: sources.map((key) => ({ source: JSON.parse(key)[0], owner: JSON.parse(key)[1], policy: own })),
            };
          }
          if (where === 'tenant') return { ...base, byTenant: [{ tenantId, policy: own }] };
          if (where === 'stored') return { ...base, stored: [{ tenantId, agentId: '', policy: own }] };
          return { ...base, steps: [{ agentId: undefined, policy: own, takes: { search: [], load: [], active: [] } }] };
        };
        const [both, left, right] = await Promise.all(
          [second(withOne), withOne, second(bare)].map((of) => outcomesOf(of)),
        );
        const isOpen = (outcome: string | undefined) => outcome === 'allow' || outcome === 'approve';
        expectSame(
          both!.map(isOpen),
          left!.map((outcome, index) => isOpen(outcome) && isOpen(right![index])),
        );
      }),
      RUNS,
    );
  });

  it('lets a kill switch override everything, and refuses everything while the switches are unknown', async () => {
    const kind = fc.constantFrom('tool', 'glob', 'namespace', 'side_effects', 'tag');
    await fc.assert(
      fc.asyncProperty(anyWorld, fc.nat(3), kind, fc.boolean(), async (world, index, how, isGlobal) => {
        const victim = world.tools[index % world.tools.length]!;
        const value = {
          tool: victim.aliases[0] ?? victim.name,
          glob: `${victim.name.slice(0, 1)}*`,
          namespace: victim.namespace.split('.')[0]!,
          side_effects: victim.sideEffects,
          tag: victim.tags[0]!,
        }[how];
        const off = { kind: how as Target['kind'], value, tenantId: isGlobal ? '' : world.tenantId, expiresAt: 0 };
        const outcomes = await outcomesOf({ ...world, switches: [...withoutTarget(world, off), off] });
        const isNamed = how !== 'namespace' || victim.namespace !== '';
        if (isNamed) expectSame(isRefused(outcomes[world.tools.indexOf(victim)]), true);
        const unknown = { ...world, ageMs: isGlobal ? undefined : 30_001 };
        expectSame([...new Set(await outcomesOf(unknown))], ['closed']);
      }),
      RUNS,
    );
  });

  it('says of a list what it says of each tool alone, and of a name that no tool has that it has none', async () => {
    await fc.assert(
      fc.asyncProperty(anyWorld, async (world) => {
        // Kill switches, narrowing and approvals are checked at each use; the rest of the decision lasts.
        const lasting: World = { ...world, switches: [] };
        const [gate, caller] = [gateOf(lasting), callerIn(lasting)];
        const tools = [...world.tools];
        if (world.ageMs === undefined || world.ageMs > 30_000) {
          await expect(gate.decideLasting(tools, caller)).rejects.toMatchObject({ code: 'GATE_CLOSED' });
          return;
        }
        const { decisions } = await gate.decideLasting(tools, caller);
        const alone = await Promise.all(tools.map((tool) => gate.decide(tool, { ...caller, lineage: [] })));
        expectSame(
          decisions.map(({ outcome }) => outcome === 'deny'),
          alone.map(({ outcome }) => outcome === 'deny'),
        );
        const { outcome, layer, rule } = await gate.decide(undefined, caller);
        expectSame([outcome, layer, rule], ['deny', 'source', 'unknown']);
      }),
      RUNS,
    );
  });
});
