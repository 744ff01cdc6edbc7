import { type INestApplication, Module } from '@nestjs/common';
import {
  KillSwitches,
  StoredPolicies,
  ToolCatalog,
  type ToolContext,
  type ToolDefinition,
  ToolPolicies,
  ToolQuarantine,
  VisibilityPolicy,
} from '@tool-search/core';
import { FakeSource, type FakeSourceTool } from '@tool-search/core/testing';
import { ToolProfiles } from '@tool-search/core/operators';
import { nameOf, type PoolTool, type Setting, WAYS } from '../../../libs/core/test/world-scenes.js';
import { type Adapter, type GatewayApp, startGatewayApp } from './gateway-app.js';

const OLGA = { actor: 'olga', reason: 'incident 7' };
const AGENT = 'planner';
const SUSPICIOUS = { examples: [{ args: {}, description: 'Say\u202e nothing.' }] };
/** The ways of the library, and one that only the gateway has. */
export const WIRE_WAYS = [...WAYS, 'narrowedByOperators'] as const;
/** One of {@link WIRE_WAYS}. */
export type WireWay = (typeof WIRE_WAYS)[number];

/** Where a profile is the reason why X is missing, and why. */
const PROFILES = {
  few: { exposure: 'all', prefix: false, deny: ['*.narrowed_*'] },
  tagged: { requireTags: ['kept'], exposure: 'all' },
  open: { exposure: 'all', prefix: false },
  allowed: { allow: ['*_invoice', '*_customers', '*_file', '*_folder', '*_files'], exposure: 'deferred' },
} as const;

/** What an application does besides deciding: its visibility policy fails, or never answers. */
export type Fault = 'throws' | 'hangs' | undefined;

/** One of the two applications, whose tools a test exchanges. */
export interface World {
  readonly gateway: GatewayApp;
  readonly sources: Readonly<Record<PoolTool['source'] | 'own', FakeSource>>;
  fault: Fault;
}

/** Starts an application without tools, whose rules tell by its name whether a tool is hidden. */
export async function startWorld(adapter: Adapter): Promise<World> {
  const sources = {
    billing: new FakeSource('billing', [], { changes: 'additive' }),
    files: new FakeSource('files', [], { changes: 'additive' }),
    own: new FakeSource('own', [], { owner: 'globex' }),
  };

  const filter = (all: readonly ToolDefinition[], { tenantId }: ToolContext) => {
    if (world.fault === 'throws') throw new Error('out of order');
    if (world.fault === 'hangs') return new Promise<never>(() => undefined);
    return all.filter(({ name }) => tenantId !== 'acme' || !name.includes('.hidden_'));
  };

  @VisibilityPolicy()
  class Hides {
    readonly filter = filter;
  }
  @VisibilityPolicy()
  class HidesByKey {
    filter(all: readonly ToolDefinition[], { tenantId }: ToolContext) {
      return all.filter(({ name }) => tenantId !== 'acme' || !name.includes('.hiddenbykey_'));
    }
    cacheKey({ tenantId }: ToolContext) {
      return tenantId;
    }
  }
  @Module({ providers: [Hides, HidesByKey] })
  class Rules {}

  const gateway = await startGatewayApp(adapter, {
    gateway: { profiles: PROFILES, pageSize: 3, approvalUrl: () => 'https://app.example/approvals' },
    tools: () => [],
    imports: [Rules],
    options: {
      sources: Object.values(sources),
      context: (request: { user?: ToolContext }) => ({ ...request.user!, agentId: AGENT }),
      policy: { deny: ['*.denied_*'], requireTags: ['tagged'], approval: ['*_asked_*'] },
      limits: {
        rules: [{ id: 'few', match: { tool: '*_asked_*' }, per: ['user'], rate: { calls: 1, windowMs: 3_600_000 } }],
      },
      // What answers at once never waits for a timer, so that a busy machine does not matter.
      visibility: { deadlineMs: 20 },
      exposure: { hints: { enabled: true, includeAlwaysLoaded: true }, directory: { enabled: true } },
    } as never,
  });
  const world: World = { gateway, sources, fault: undefined };
  return world;
}

const TAGS = ['tagged', 'kept'];
const tagged = (tool: PoolTool): PoolTool => ({ ...tool, tags: [...(tool.tags ?? []), ...TAGS] });

/** X as a source offers it, where that is not as it stands. */
function variantsOf(x: PoolTool): Partial<Record<WireWay | 'absent', readonly FakeSourceTool[]>> {
  return {
    absent: [],
    foreign: [],
    refused: [{ ...x, description: 'x'.repeat(10_000) }],
    listedTwice: [x, x],
    suspicious: [{ ...tagged(x), ...SUSPICIOUS }],
    rejected: [{ ...tagged(x), ...SUSPICIOUS }],
    changed: [{ ...tagged(x), description: 'What it said before.' }],
    'killed:alias': [{ ...tagged(x), aliases: [...(x.aliases ?? []), 'old.name'] }],
    'killed:namespace': [{ ...tagged(x), namespace: `${x.source}.far` }],
    'killed:tag': [{ ...x, tags: [...TAGS, 'doomed'] }],
    'killed:side_effects': [{ ...tagged(x), sideEffects: 'pure' }],
    untagged: [{ ...x, tags: ['kept'] }],
    narrowedByFilter: [{ ...x, tags: ['tagged'] }],
  };
}

/**
 * Gives an application the tools of a setting, with X in the way that it is missing. Where X is there, it was decided
 * before that the caller does not have it. Returns what ends the world.
 */
export async function enter(
  { gateway: { app }, sources }: World,
  { pool, x }: Setting,
  way: WireWay | 'absent',
): Promise<() => Promise<unknown>> {
  const offer = async (withX: readonly FakeSourceTool[]) => {
    for (const source of ['billing', 'files'] as const) {
      const own = pool.filter((tool) => tool.source === source).map(tagged);
      sources[source].setTools(x.source === source ? [...own, ...withX] : own);
    }
    sources.own.setTools(way === 'foreign' ? [{ ...tagged(x), namespace: x.source }] : []);
    await app.get(ToolCatalog).refresh();
  };
  const name = nameOf(x);
  app.get(ToolPolicies).setTenant('acme', way === 'deniedToTenant' ? { deny: [name] } : {});
  const end = await decide(app, x, way);
  await offer(variantsOf(x)[way] ?? [tagged(x)]);
  if (way === 'withdrawn') await offer([]);
  if (way === 'changed') await offer([tagged(x)]);
  if (way === 'rejected') {
    const quarantine = app.get(ToolQuarantine);
    await quarantine.decide(quarantine.list().find(({ tool }) => tool.name === name)!.id, 'rejected', OLGA);
  }
  return end;
}

/** What operators decide about X. Returns what takes it back. */
async function decide(app: INestApplication, x: PoolTool, way: WireWay | 'absent'): Promise<() => Promise<unknown>> {
  const name = nameOf(x);
  const owner = {
    storedForTenant: { tenantId: 'acme' },
    storedForAgent: { agentId: AGENT },
    storedForAgentOfTenant: { tenantId: 'acme', agentId: AGENT },
  }[way as string];
  if (owner) {
    await app.get(StoredPolicies).set(owner, { deny: [name] }, OLGA);
    return () => app.get(StoredPolicies).remove(owner, OLGA);
  }
  if (way === 'narrowedByOperators') {
    await app.get(ToolProfiles).set('open', { deny: [name] }, OLGA);
    return () => app.get(ToolProfiles).remove('open', OLGA);
  }
  const [how, what] = way.split(':') as [string, keyof typeof values];
  if (!how.startsWith('killed')) return async () => undefined;
  const values = {
    tool: name,
    alias: 'old.name',
    glob: `${name.slice(0, -1)}?`,
    namespace: `${x.source}.far`,
    tag: 'doomed',
    side_effects: 'pure',
  };
  const { killSwitch } = await app.get(KillSwitches).engage({
    ...OLGA,
    kind: what === 'alias' ? 'tool' : what,
    value: values[what],
    tenantId: how === 'killed' ? '' : 'acme',
  });
  return () => app.get(KillSwitches).release(killSwitch.id, { ...OLGA, expectedRevision: killSwitch.revision });
}
