import { isFull } from '../support/tier.cjs';
import type { ToolContext, ToolDefinition, ToolVisibilityPolicy } from '@tool-search/core';
import { FakeSource, type FakeSourceTool } from '@tool-search/core/testing';
import { Injectable, type Type } from '@nestjs/common';
import {
  KillSwitches,
  StoredPolicies,
  ToolCatalog,
  ToolPolicies,
  ToolQuarantine,
  VisibilityPolicy,
} from '@tool-search/core';
import { type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { type Era, ERAS, initialize, legacy, modern, wholeAnswer, WireCaller } from './support/wire.js';

/*
 * The law over the wire for resources and prompts: two applications differ in one resource, one template and one prompt.
 * In the first the caller may not have them, in the second they do not exist. All answers must be byte-identical.
 */

const page = (name: string, uri: string): FakeSourceTool => ({
  name: `resources.${name}`,
  kind: 'resource',
  uri,
  run: () => ({ content: [{ type: 'resource', resource: { uri, text: name } }] }),
});
const prompt = (name: string): FakeSourceTool => ({
  name: `prompts.${name}`,
  kind: 'prompt',
  run: () => ({ content: [{ type: 'text', text: name }], structured: { roles: ['user'] } }),
});
const SHOWN = [page('a', 'doc:///a'), page('z', 'doc:///z'), prompt('greet')];
const X = [
  page('m', 'doc:///m'),
  { name: 'resources.notes', kind: 'resource_template', uri: 'note:///{id}', run: () => 'note' } as const,
  prompt('middle'),
];
const NAMES = X.map(({ name }) => `docs.${name}`);

const KINDS = ['resource', 'resource_template', 'prompt'] as const;
const source = (items: readonly FakeSourceTool[]) =>
  new FakeSource('docs', items, { exposes: [...KINDS], changes: 'additive' });

@Injectable()
@VisibilityPolicy()
class HidesX implements ToolVisibilityPolicy {
  filter(tools: readonly ToolDefinition[]) {
    return tools.filter(({ name }) => !NAMES.includes(name));
  }
}

@Injectable()
@VisibilityPolicy()
class HidesXByKey extends HidesX {
  cacheKey({ tenantId }: ToolContext) {
    return tenantId;
  }
}

const PROFILES = {
  plain: { prefix: false, exposure: 'all' },
  few: { prefix: false, exposure: 'all', deny: NAMES },
  tagged: { requireTags: ['kept'], exposure: 'all' },
} as const;
const kept = (items: readonly FakeSourceTool[]) => items.map((each) => ({ ...each, tags: ['kept'] }));
const startWith = (docs: FakeSource, options: object = {}, providers: readonly Type[] = []) =>
  startGatewayApp('express', {
    gateway: { pageSize: 2, profiles: PROFILES },
    options: { sources: [docs], ...options },
    tools: kept,
    imports: providers.length > 0 ? [{ module: class Rules {}, providers: [...providers] }] : [],
  });
const start = (items: readonly FakeSourceTool[], ...more: readonly [object?, (readonly Type[])?]) =>
  startWith(source(items), ...more);

const OLGA = { actor: 'olga', reason: 'incident 7' };
const AGENT = 'planner';
/** The context with an agent, for the policies of agents. */
const asAgent = { context: (request: { user?: ToolContext }) => ({ ...request.user!, agentId: AGENT }) };

type KillSwitchKind = 'tool' | 'alias' | 'glob' | 'tag' | 'namespace' | 'side_effects';

/** X with what a switch of this kind needs to meet it alone. */
const DOOMED: Readonly<Record<KillSwitchKind, readonly FakeSourceTool[]>> = {
  tool: X,
  alias: X.map((each) => ({ ...each, aliases: [`old.${each.name}`] })),
  glob: X,
  tag: X.map((each) => ({ ...each, tags: ['doomed'] })),
  namespace: X.map((each) => ({ ...each, namespace: 'docs.far' })),
  side_effects: X.map((each) => ({ ...each, sideEffects: 'pure' as const })),
};
const turnedOff =
  (kind: KillSwitchKind, tenantId: string, ...values: string[]) =>
  async () => {
    const world = await start([...SHOWN, ...DOOMED[kind]]);
    const switches = world.app.get(KillSwitches);
    for (const value of values) {
      await switches.engage({ ...OLGA, kind: kind === 'alias' ? 'tool' : kind, value, tenantId });
    }
    return world;
  };
const stored = (owner: { tenantId?: string; agentId?: string }) => async () => {
  const world = await start([...SHOWN, ...X], asAgent as never);
  await world.app.get(StoredPolicies).set(owner, { deny: NAMES }, OLGA);
  return world;
};
/** An application whose source offers X as it is in `first`, and then what each next list has in its place. */
const offered =
  (first: readonly FakeSourceTool[], ...then: readonly (readonly FakeSourceTool[])[]) =>
  async () => {
    const docs = source([...SHOWN, ...first]);
    const world = await startWith(docs);
    for (const items of then) {
      docs.setTools([...SHOWN, ...items]);
      await world.app.get(ToolCatalog).refresh();
    }
    return world;
  };
const ofGlobex = () =>
  new FakeSource(
    'own',
    X.map((each) => ({ ...each, namespace: 'docs' })),
    { exposes: [...KINDS], owner: 'globex' },
  );
const HIDDEN_WORDS = X.map((each) => ({ ...each, description: 'Hidden\u200b\u{e0041}\u{e0042} words.' }));

const WAYS: readonly (readonly [string, () => Promise<GatewayApp>])[] = [
  ['denied by the policy', () => start([...SHOWN, ...X], { policy: { deny: NAMES } })],
  [
    'denied to the tenant in code',
    async () => {
      const world = await start([...SHOWN, ...X]);
      world.app.get(ToolPolicies).setTenant('acme', { deny: NAMES });
      return world;
    },
  ],
  ['without a required tag', () => start([...kept(SHOWN), ...X], { policy: { requireTags: ['kept'] } })],
  ['hidden by a visibility policy', () => start([...SHOWN, ...X], {}, [HidesX])],
  ['hidden by a visibility policy with a key', () => start([...SHOWN, ...X], {}, [HidesXByKey])],
  ['turned off', turnedOff('tool', '', ...NAMES)],
  ['turned off by a glob', turnedOff('glob', '', '*.m', '*.notes', '*.middl?')],
  ['turned off by a tag', turnedOff('tag', '', 'doomed')],
  ['turned off by a former name', turnedOff('alias', '', ...X.map(({ name }) => `old.${name}`))],
  ['turned off by its namespace', turnedOff('namespace', '', 'docs.far')],
  ['turned off by its side effects', turnedOff('side_effects', '', 'pure')],
  ['turned off for the tenant', turnedOff('tool', 'acme', ...NAMES)],
  ['turned off for the tenant by a glob', turnedOff('glob', 'acme', '*.m', '*.notes', '*.middl?')],
  ['denied by the stored policy of the tenant', stored({ tenantId: 'acme' })],
  ['denied by the stored policy of the agent', stored({ agentId: AGENT })],
  ['denied by the stored policy of the agent in the tenant', stored({ tenantId: 'acme', agentId: AGENT })],
  ['those of another tenant', () => start(SHOWN, { sources: [source(SHOWN), ofGlobex()] })],
  ['listed twice', () => start([...SHOWN, ...X, ...X])],
  ['refused', offered(X.map((each) => ({ ...each, description: 'x'.repeat(20_000) })))],
  ['withdrawn', offered(X, [])],
  ['held', offered(HIDDEN_WORDS)],
  [
    'rejected',
    async () => {
      const world = await offered(HIDDEN_WORDS)();
      const quarantine = world.app.get(ToolQuarantine);
      for (const { id } of quarantine.list()) await quarantine.decide(id, 'rejected', OLGA);
      return world;
    },
  ],
  [
    'changed',
    offered(
      X,
      X.map((each) => ({ ...each, description: 'What it says now.' })),
    ),
  ],
];

const STEPS: readonly (readonly [string, object])[] = [
  ['resources/list', {}],
  ['resources/list', { cursor: Buffer.from('1 docs.resources.m').toString('base64url') }],
  ['resources/templates/list', {}],
  ['prompts/list', {}],
  ['prompts/list', { cursor: Buffer.from('1 docs.prompts.middle').toString('base64url') }],
  ...['doc:///a', 'doc:///m', 'doc:///nowhere', 'note:///7', 'note:///7/8'].map(
    (uri) => ['resources/read', { uri }] as const,
  ),
  ...['docs__greet', 'docs__middle', 'middle', 'docs.prompts.middle', 'docs__prompts__middle', 'nobody'].map(
    (name) => ['prompts/get', { name }] as const,
  ),
  ...['docs__middle', 'nobody'].map(
    (name) =>
      ['completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: 'x', value: '' } }] as const,
  ),
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'note:///{id}' }, argument: { name: 'id', value: '' } }],
  ...NAMES.map((name) => ['tools/call', { name: 'tool_call', arguments: { name, arguments: {} } }] as const),
  ['tools/call', { name: 'tool_search', arguments: { query: 'middle notes greet' } }],
  ['tools/list', {}],
];
const SESSION_STEPS: readonly (readonly [string, object])[] = [
  ['resources/subscribe', { uri: 'doc:///m' }],
  ['resources/subscribe', { uri: 'note:///7' }],
  ['resources/unsubscribe', { uri: 'doc:///m' }],
];

/** Sends all steps to both applications. Returns how many answers held what both have. */
async function expectAlike(worlds: readonly GatewayApp[], era: Era, path: string): Promise<number> {
  const callers = await Promise.all(worlds.map(({ url }) => WireCaller.of(url, era, { path })));
  let found = 0;
  for (const [method, params] of [...STEPS, ...(era === 'legacy' ? SESSION_STEPS : [])]) {
    const [one, other] = await Promise.all(
      callers.map(({ url, session }) => {
        const request = era === 'modern' ? modern(method, params) : legacy(method, params, session);
        return wholeAnswer(url, { ...request, path, body: { ...(request.body as object), id: 7 } });
      }),
    );
    expect([method, one]).toEqual([method, other]);
    found += Number(one?.includes('doc:///a') || one?.includes('"greet"'));
  }
  return found;
}

const NARROWED = [
  ['/mcp/p/few', () => start([...SHOWN, ...X]), () => start(SHOWN)],
  ['/mcp/p/tagged', () => start([...kept(SHOWN), ...X]), () => start(kept(SHOWN))],
] as const;

(isFull ? describe : describe.skip).each(ERAS)(
  'two applications whose profile leaves resources and prompts out: %s',
  (era) => {
    it.each(NARROWED)('answer alike to the byte: %s', async (path, present, absent) => {
      const worlds = [await present(), await absent()];
      expect(await expectAlike(worlds, era, path)).toBeGreaterThan(1);
      await Promise.all(worlds.map(({ app }) => app.close()));
    });
  },
);

(isFull ? describe : describe.skip).each(WAYS)(
  'two applications, one with resources and prompts that the caller may not have: %s',
  (_, restricted) => {
    let worlds: readonly GatewayApp[];
    beforeAll(async () => void (worlds = [await restricted(), await start(SHOWN)]));
    afterAll(() => Promise.all(worlds.map(({ app }) => app.close())));

    it.each(ERAS.flatMap((era) => ['/mcp', '/mcp/p/plain'].map((path) => ({ era, path }))))(
      'answer alike to the byte: $era $path',
      async ({ era, path }) => {
        const found = await expectAlike(worlds, era, path);
        // The comparison means nothing if no step ever finds anything.
        expect(found).toBeGreaterThan(1);
      },
    );

    it.each(ERAS)('greet alike: %s', async (era) => {
      const greeting = era === 'modern' ? modern('server/discover') : initialize();
      const [one, other] = await Promise.all(worlds.map(({ url }) => wholeAnswer(url, greeting)));
      expect(one).toBe(other);
      expect(one).toContain('"prompts"');
    });
  },
);

it('are distinguished by a caller who may use the item', async () => {
  const worlds = [await start([...SHOWN, ...X]), await start(SHOWN)];
  const lists = await Promise.all(
    worlds.map(
      async ({ url }) => (await (await WireCaller.of(url, 'modern')).ask('prompts/list')).result.prompts.length,
    ),
  );
  expect(lists).toEqual([2, 1]);
  await Promise.all(worlds.map(({ app }) => app.close()));
});
