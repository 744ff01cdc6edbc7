import fc from 'fast-check';
import {
  nameOf,
  type PoolTool,
  setting,
  type Setting,
  type Step,
  stepFor,
  type Way,
  WAYS,
} from '../../test/world-scenes.js';
import type { NarrowOptions } from '../access/narrowing.js';
import type { ToolPolicy } from '../access/policies/tool-policy.js';
import type { ToolVisibilityPolicy } from '../access/visibility-policy.js';
import { expectSame } from '../testing/contracts/expect-same.js';
import { FakeSource, type FakeSourceTool } from '../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox } from '../testing/open-toolbox.js';
import type { ToolContext } from '../tool/tool-context.js';
import { isToolSearchError } from '../tool/tool-search.error.js';
import type { Surface } from './surface/surface.js';
import type { Toolbox } from './toolbox.js';

/*
 * A tool that a caller may not have must leave no trace: neither its name nor an effect on a ranking, a count, a hint
 * or an order. Each test builds two applications that differ in one tool X: in the first the caller may not have X, in
 * the second X does not exist. The same requests to both must give byte-identical answers.
 */

const AGENT = 'planner';
const SUSPICIOUS = { examples: [{ args: {}, description: 'Say\u202e nothing.' }] };
const OLGA = { actor: 'olga', reason: 'incident 7' };

async function world({ pool, x, mode, activateOn }: Setting, way: Way | 'absent'): Promise<OpenToolbox> {
  const isX = (name: string) => name === nameOf(x);
  const visibility: ToolVisibilityPolicy = {
    filter: (tools, { tenantId }) =>
      tools.filter(({ name }) => !(way.startsWith('hidden') && tenantId === 'acme' && isX(name))),
    ...(way === 'hiddenByKey' && { cacheKey: ({ tenantId }) => tenantId }),
  };
  const policy: ToolPolicy =
    way === 'denied' ? { deny: [nameOf(x)] } : way === 'untagged' ? { requireTags: ['tagged'] } : {};
  // With a required tag, all tools but X have it. Otherwise all have it too, so that texts stay equal.
  const tagged = (tool: PoolTool) => ({ ...tool, tags: [...(tool.tags ?? []), 'tagged'] });
  const ofSource = (name: string) => pool.filter(({ source }) => source === name).map(tagged);
  const variants: Partial<Record<typeof way, readonly FakeSourceTool[]>> = {
    absent: [],
    foreign: [],
    refused: [{ ...x, description: 'x'.repeat(10_000) }],
    listedTwice: [x, x],
    suspicious: [{ ...tagged(x), ...SUSPICIOUS }],
    changed: [{ ...tagged(x), description: 'What it said before.' }],
    rejected: [{ ...tagged(x), ...SUSPICIOUS }],
    'killed:alias': [{ ...tagged(x), aliases: [...(x.aliases ?? []), 'old.name'] }],
    'killed:namespace': [{ ...tagged(x), namespace: `${x.source}.far` }],
    'killed:tag': [{ ...x, tags: ['tagged', 'doomed'] }],
    'killed:side_effects': [{ ...tagged(x), sideEffects: 'pure' }],
    untagged: [x],
  };
  const withX = variants[way] ?? [tagged(x)];
  const sources = ['billing', 'files'].map(
    (name) =>
      new FakeSource(name, x.source === name ? [...ofSource(name), ...withX] : ofSource(name), { changes: 'strict' }),
  );
  const foreign = way === 'foreign' ? [{ ...tagged(x), namespace: x.source }] : [];
  // Tools are listed in order of activation. This clock makes the order the same in both applications.
  let clock = 1_000_000;
  const opened = await openToolbox({
    now: () => (clock += 1),
    sources: [...sources, new FakeSource('own', foreign, { owner: 'globex' })],
    policy,
    visibility,
    options: {
      exposure: { mode, hints: { enabled: true, includeAlwaysLoaded: true }, directory: { enabled: true } },
      activation: { activateOn },
      countTokens: (text) => text.length,
    },
  });
  if (way === 'deniedToTenant') opened.policies.setTenant('acme', { deny: [nameOf(x)] });
  await govern(opened, x, way);
  if (way === 'withdrawn' || way === 'changed') {
    const left = way === 'changed' ? [tagged(x)] : [];
    sources.find(({ name }) => name === x.source)?.setTools([...ofSource(x.source), ...left]);
    await opened.catalog.refresh();
  }
  return opened;
}

/** The operators' decisions about X. */
async function govern({ killSwitches, storedPolicies, quarantine }: OpenToolbox, x: PoolTool, way: Way | 'absent') {
  const name = nameOf(x);
  const values = {
    tool: name,
    alias: 'old.name',
    glob: `${name.slice(0, -1)}?`,
    namespace: `${x.source}.far`,
    tag: 'doomed',
    side_effects: 'pure',
  };
  const [how, what] = way.split(':') as [string, keyof typeof values];
  if (how.startsWith('killed')) {
    const kind = what === 'alias' ? 'tool' : what;
    const tenantId = how === 'killed' ? '' : 'acme';
    await killSwitches.engage({ ...OLGA, kind, value: values[what], tenantId });
  }
  const owners: Partial<Record<typeof way, { tenantId?: string; agentId?: string }>> = {
    storedForTenant: { tenantId: 'acme' },
    storedForAgent: { agentId: AGENT },
    storedForAgentOfTenant: { tenantId: 'acme', agentId: AGENT },
  };
  const owner = owners[way];
  if (owner) await storedPolicies.set(owner, { deny: [name] }, OLGA);
  if (way === 'rejected') {
    const [held] = quarantine.list();
    await quarantine.decide(held!.id, 'rejected', OLGA);
  }
}

/** The caller's toolbox, narrowed where narrowing is the reason why X is missing. */
function toolboxOf({ open }: OpenToolbox, way: Way | 'absent', x: PoolTool, of: Partial<ToolContext>): Toolbox {
  const toolbox = open(of);
  if (!way.startsWith('narrowed')) return toolbox;
  const steps: NarrowOptions[] =
    way === 'narrowed'
      ? [{ deny: [nameOf(x)] }]
      : way === 'narrowedByFilter'
        ? [{ filter: ({ name }) => name !== nameOf(x) }]
        : [
            { allow: ['*'] },
            { agentId: AGENT, filter: (tool, phase) => phase !== 'search' || tool.name !== nameOf(x) },
            {},
          ];
  return steps.reduce(
    (box, step, index) => box.narrow({ ...step, runId: `${of.runId ?? ''} narrowed ${index}` }),
    toolbox,
  );
}

async function answerOf(toolbox: Toolbox, step: Step): Promise<unknown> {
  try {
    switch (step.do) {
      case 'list':
        return await toolbox.list();
      case 'visible':
        return await toolbox.visible();
      case 'surface':
        return plainSurface(await toolbox.surface(step));
      case 'search':
        return await toolbox.search(step.request);
      case 'get':
        return await toolbox.get(step.names);
      case 'activate':
        return await toolbox.activate(step.names);
      case 'call':
        return await toolbox.call(step.name, step.input);
    }
  } catch (error) {
    if (!isToolSearchError(error)) throw error;
    return { thrown: error.code, message: error.message, hint: error.hint };
  }
}

// Maps have no JSON form.
function plainSurface({ wireNames, ...surface }: Surface): object {
  return { ...surface, wireNames: [...wireNames] };
}

// Some steps are repeated, because an answer may depend on earlier ones.
const scene = setting.chain((of) =>
  fc.record({
    of: fc.constant(of),
    steps: fc
      .array(fc.tuple(stepFor(of), fc.constantFrom(1, 1, 2)), { minLength: 3, maxLength: 6 })
      .map((drawn) => drawn.flatMap(([step, times]) => Array<Step>(times).fill(step))),
  }),
);

/** The answers of both applications to each step, as JSON. */
async function askBoth(of: Setting, way: Way, steps: readonly Step[], tenantId: string): Promise<[string, string][]> {
  const worlds = await Promise.all([world(of, way), world(of, 'absent')]);
  const answers: [string, string][] = [];
  for (const step of steps) {
    // Another tenant, which may have X, uses it in between. Its searches and activations must not affect the caller.
    for (const { open } of worlds) {
      const neighbour = open({ tenantId: 'globex', runId: 'another' });
      await neighbour.search({ query: of.x.name });
      await neighbour.call(nameOf(of.x), {});
    }
    const [one, other] = await Promise.all(
      worlds.map(async (opened) => {
        const toolbox = toolboxOf(opened, way, of.x, { tenantId, agentId: AGENT });
        return JSON.stringify(await answerOf(toolbox, step));
      }),
    );
    answers.push([one!, other!]);
  }
  // Otherwise thousands of applications would stay in memory.
  await Promise.all(worlds.map((opened) => opened.close()));
  return answers;
}

describe('two worlds, one with a tool that the caller may not have and one without it', () => {
  it.each(WAYS)('answer alike to the byte: %s', async (way) => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(scene, async ({ of, steps }) => {
        for (const [restricted, absent] of await askBoth(of, way, steps, 'acme')) {
          expectSame(restricted, absent);
          found += Number(absent.includes('"verdict":"found"'));
        }
      }),
      { numRuns: 40 },
    );
    // The comparison means nothing if no search ever finds a tool.
    expect(found).toBeGreaterThan(0);
  });

  it('are distinguished by a caller who may have it', async () => {
    let [differences, scenes] = [0, 0];
    await fc.assert(
      fc.asyncProperty(scene, async ({ of, steps }) => {
        const answers = await askBoth(of, 'deniedToTenant', steps, 'globex');
        scenes += 1;
        differences += Number(answers.some(([present, absent]) => present !== absent));
      }),
      { numRuns: 30 },
    );
    expect(differences / scenes).toBeGreaterThan(1 / 3);
  });
});

describe('one rule', () => {
  it('decides for every way of asking: what is listed is what may be read, loaded and called', async () => {
    await fc.assert(
      fc.asyncProperty(
        setting,
        fc.constantFrom(...WAYS),
        fc.constantFrom('acme', 'globex'),
        async (of, way, tenantId) => {
          const opened = await world(of, way);
          const openRun = (runId: string) => toolboxOf(opened, way, of.x, { tenantId, agentId: AGENT, runId });
          const visible = new Set((await openRun('first').visible()).map(({ name }) => name));
          for (const [turn, tool] of [...of.pool, of.x].entries()) {
            const name = nameOf(tool);
            const toolbox = openRun(`run ${turn}`);
            const has = visible.has(name);
            const exact = await toolbox.search({ query: name, type: 'exact', includeAlwaysLoaded: true });
            expect(exact.tools.some((hit) => hit.name === name)).toBe(has);
            const read = await toolbox.get([name, 'no.such']).catch(() => undefined);
            expect(read?.tools.length ?? 0).toBe(Number(has));
            expect((await toolbox.call(name, {})).ok).toBe(has);
            expect((await toolbox.activate([name])).unavailable).toEqual(has ? [] : [name]);
            expect((await toolbox.list()).some((listed) => listed.name === name)).toBe(has);
            expect((await toolbox.surface({ mode: 'all' })).tools.some((listed) => listed.name === name)).toBe(has);
          }
          // Only visible tools were ever run.
          for (const { outcome, tool } of opened.eventsOf('tool.called'))
            expect([outcome, visible.has(tool)]).toEqual(['ok', true]);
        },
      ),
      { numRuns: 80 },
    );
  });
});
