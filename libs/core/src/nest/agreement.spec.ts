import { Agent, get as httpGet } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Module, Param, type Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import fc from 'fast-check';
import { KillSwitches } from '../access/kill-switches/kill-switches.js';
import type { NarrowOptions } from '../access/narrowing.js';
import { StoredPolicies } from '../access/policies/stored-policies.js';
import { ToolPolicies } from '../access/policies/tool-policies.js';
import type { ToolPolicy } from '../access/policies/tool-policy.js';
import { ToolQuarantine } from '../access/quarantine/tool-quarantine.js';
import { ToolCatalog } from '../catalog/tool-catalog.js';
import { expectSame } from '../testing/contracts/expect-same.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { isToolSearchError } from '../tool/tool-search.error.js';
import { Toolbox } from '../toolbox/toolbox.js';
import { RequestToolbox } from './decorators/request-toolbox.decorator.js';
import { RequiresTool } from './decorators/requires-tool.decorator.js';
import { ToolSearchModule } from './module/tool-search.module.js';
import { ToolSearchService } from './module/tool-search.service.js';
import { VisibilityPolicy } from './decorators/visibility-policy.decorator.js';

/*
 * Under all rules, every way to a tool gives the same answer: list, search, get, hints, directory, explain, activate,
 * call in process or over HTTP, and the guard of a route that requires the tool.
 */

const WORLDS = 10_000;
const ROUNDS = 20;
const NAMES = ['crm.read', 'crm.delete', 'crm.export', 'own.plan'] as const;
type Name = (typeof NAMES)[number];
const OLGA = { actor: 'olga', reason: 'incident 7' };

const CRM = new FakeSource('crm', [
  { name: 'read', description: 'Read a zeppelin.', tags: ['safe'], sideEffects: 'read', aliases: ['crm.show'] },
  { name: 'delete', description: 'Delete a zeppelin.', sideEffects: 'write' },
  // Quarantined until an operator has reviewed it.
  { name: 'export', description: 'Export a zeppelin\u202e.', tags: ['safe'] },
]);
const OWN = new FakeSource('own', [{ name: 'plan', description: 'Plan a zeppelin.', tags: ['safe'] }], {
  owner: 'acme',
});

/** Tools that the application's rule hides in the current world. */
let hidden: readonly Name[] = [];

@VisibilityPolicy()
class Rule {
  filter(tools: readonly ToolDefinition[]) {
    return tools.filter(({ name }) => !hidden.includes(name as Name));
  }
}

function guarded(name: Name): Type {
  @Controller(`guarded/${name}`)
  class GuardedController {
    @Get()
    @RequiresTool(name)
    pass() {
      return 'passed';
    }
  }
  return GuardedController;
}

@Controller('tools')
class ToolsController {
  @Get(':name')
  call(@RequestToolbox() toolbox: Toolbox, @Param('name') name: string) {
    return toolbox.call(name, {});
  }
}

interface World {
  readonly context: ToolContext;
  readonly hidden: readonly Name[];
  readonly tenant: ToolPolicy | undefined;
  readonly stored: readonly { readonly tenantId: string; readonly agentId: string; readonly policy: ToolPolicy }[];
  readonly switches: readonly {
    readonly kind: 'tool' | 'glob' | 'namespace' | 'tag' | 'side_effects';
    readonly value: string;
    readonly tenantId: string;
  }[];
  readonly isReleased: boolean;
}

const glob = fc.constantFrom('crm.*', 'crm.read', '*.delete', 'own.*', 'crm.show', 'crm.e*', 'x*');
const policy: fc.Arbitrary<ToolPolicy> = fc.record(
  {
    allow: fc.constantFrom(['*'], ['*'], ['crm.*'], ['crm.read', 'own.*'], []),
    deny: fc.array(glob, { maxLength: 1 }),
    requireTags: fc.constantFrom([], [], ['safe']),
  },
  { requiredKeys: [] },
);
const rarely = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant<T[]>([]) }, { weight: 1, arbitrary: each.map((one) => [one]) });
const tenantId = fc.constantFrom('acme', 'acme', 'globex');
const anyWorld: fc.Arbitrary<World> = fc.record({
  context: fc.record({ tenantId, agentId: fc.constantFrom('planner', 'writer') }),
  hidden: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.subarray([...NAMES])),
  tenant: rarely(policy).map(([one]) => one),
  stored: rarely(
    fc.record({ tenantId: fc.constantFrom('', 'acme'), agentId: fc.constantFrom('planner', 'writer'), policy }),
  ).chain((agents) =>
    rarely(fc.record({ tenantId, agentId: fc.constant(''), policy })).map((own) => [...agents, ...own]),
  ),
  switches: rarely(
    fc.oneof(
      fc.record({
        kind: fc.constant('tool' as const),
        value: fc.constantFrom(...NAMES, 'crm.show'),
        tenantId: fc.constantFrom('', 'acme'),
      }),
      fc.record({ kind: fc.constant('glob' as const), value: glob, tenantId: fc.constantFrom('', 'globex') }),
      fc.record({
        kind: fc.constant('namespace' as const),
        value: fc.constantFrom('crm', 'own'),
        tenantId: fc.constant(''),
      }),
      fc.record({
        kind: fc.constant('tag' as const),
        value: fc.constant('safe'),
        tenantId: fc.constantFrom('', 'acme'),
      }),
      fc.record({
        kind: fc.constant('side_effects' as const),
        value: fc.constantFrom('write', 'read'),
        tenantId: fc.constant(''),
      }),
    ),
  ),
  isReleased: fc.boolean(),
});

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

async function start() {
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: ({ headers }: { headers: Record<string, string> }) => JSON.parse(headers['x-context'] ?? 'null'),
        sources: [CRM, OWN],
        exposure: {
          mode: 'deferred',
          hints: { enabled: true, includeAlwaysLoaded: true, topK: 20 },
          directory: { enabled: true },
        },
      }),
    ],
    controllers: [...NAMES.map(guarded), ToolsController],
    providers: [Rule],
  })
  class App {}
  const module = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  // Without a body parser and ETags, which these twenty thousand requests do not need.
  const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false });
  app.disable('etag');
  await app.listen(0, '127.0.0.1');
  return app;
}

/** Applies a world to the application. Returns a function that undoes what the next world does not replace. */
async function enter(app: NestExpressApplication, world: World): Promise<() => Promise<void>> {
  ({ hidden } = world);
  app.get(ToolPolicies).setTenant('acme', world.tenant);
  const [stored, killSwitches] = [app.get(StoredPolicies), app.get(KillSwitches)];
  for (const { policy: own, ...owner } of world.stored) await stored.set(owner, own, OLGA);
  const receipts = await Promise.all(world.switches.map((each) => killSwitches.engage({ ...each, ...OLGA })));
  const release = async () => {
    for (const { killSwitch, revision } of receipts.splice(0))
      await killSwitches.release(killSwitch.id, { ...OLGA, expectedRevision: revision });
  };
  // A released switch has no effect.
  if (world.isReleased) await release();
  return async () => {
    await release();
    for (const { tenantId: whose, agentId } of world.stored) await stored.remove({ tenantId: whose, agentId }, OLGA);
  };
}

// The requested names, without the unavailable ones.
function without({ unavailable }: { readonly unavailable: readonly string[] }): readonly Name[] {
  return NAMES.filter((name) => !unavailable.includes(name));
}

async function answered(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    expectSame(isToolSearchError(error) && error.code, 'TOOL_NOT_AVAILABLE');
    return false;
  }
}

/** The result of every way in process, by its name: for all tools, or for the given ones. */
async function waysInProcess(
  toolbox: () => Toolbox,
  asked: readonly Name[],
): Promise<Record<string, readonly boolean[]>> {
  const of = (names: readonly string[]) => NAMES.map((name) => names.includes(name));
  const namesOf = (tools: readonly { readonly name: string }[]) => of(tools.map(({ name }) => name));
  const box = toolbox();
  const surface = await toolbox().surface({ text: 'zeppelin' });
  const found = await box.search({ query: 'zeppelin', limit: 20 });
  const each = <T>(ask: (name: Name) => Promise<T>) => Promise.all(asked.map(ask));
  const said = {
    visible: namesOf(await box.visible()),
    search: namesOf(found.tools),
    exact: await each(async (name) => (await toolbox().search({ query: name, type: 'exact' })).tools.length > 0),
    hints: NAMES.map((name) => surface.prompt.hints?.includes(name) ?? false),
    directory: NAMES.map((name) => surface.prompt.directory?.includes(name) ?? false),
    get: await each((name) => answered(toolbox().get([name]))),
    explain: await each(async (name) => (await box.explain(name)).outcome === 'allow'),
    admit: await each((name) => answered(toolbox().admit(name))),
    activate: of(without(await box.activate([...NAMES]))),
    call: await each(async (name) => (await toolbox().call(name, {})).ok),
  };
  // All tools have been found and activated by now, so every usable one is listed.
  return { ...said, list: namesOf(await box.list()), all: namesOf((await box.surface({ mode: 'all' })).tools) };
}

function ask(
  app: NestExpressApplication,
  path: string,
  context: ToolContext,
): Promise<{ status: number; body: string }> {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const headers = { 'x-context': JSON.stringify(context) };
  return new Promise((resolve, reject) => {
    httpGet({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    }).on('error', reject);
  });
}

describe('all ways to a tool', () => {
  afterAll(() => agent.destroy());

  it(`agree in random worlds: list, search, get, hints, directory, explain, activate, call, guard and REST`, async () => {
    let [allowed, asked, worlds] = [0, 0, 0];
    let app!: NestExpressApplication;
    const check = async (world: World) => {
      const leave = await enter(app, world);
      const { context } = world;
      const service = app.get(ToolSearchService);
      const name = NAMES[worlds % NAMES.length]!;
      const asking = [name, NAMES[(worlds + 1) % NAMES.length]!];
      const [ways, guard, rest, absent] = await Promise.all([
        waysInProcess(() => service.open(context), asking),
        ask(app, `/guarded/${name}`, context),
        ask(app, `/tools/${name}`, context),
        worlds % 50 === 0 ? ask(app, '/tools/no.such', context) : undefined,
      ]);
      const { visible, ...others } = ways;
      const among = (names: readonly Name[]) => names.map((each) => visible![NAMES.indexOf(each)]);
      for (const [way, said] of Object.entries(others)) {
        expectSame([way, said], [way, among(said.length === NAMES.length ? NAMES : asking)]);
      }
      const isOpen = among([name])[0]!;
      const said = isOpen ? guard.body === 'passed' : guard.body.includes('TOOL_NOT_AVAILABLE');
      expectSame([guard.status, said], [isOpen ? 200 : 404, true]);
      expectSame([rest.status, JSON.parse(rest.body).ok], [200, isOpen]);
      // The same bytes as for a tool that does not exist.
      if (absent && !isOpen) expectSame(rest.body, absent.body);
      allowed += visible!.filter(Boolean).length;
      asked += NAMES.length;
      worlds += 1;
      await leave();
    };
    for (let round = 0; round < ROUNDS; round++) {
      // A new application from time to time: the state of so many worlds in memory would slow it down.
      app = await start();
      const quarantine = app.get(ToolQuarantine);
      const [held] = quarantine.list();
      expect(held?.tool.name).toBe('crm.export');
      await quarantine.decide(held!.id, round % 2 === 0 ? 'approved' : 'rejected', OLGA);
      await fc.assert(fc.asyncProperty(anyWorld, check), { numRuns: WORLDS / ROUNDS, endOnFailure: true });
      expect(app.get(ToolCatalog).tools()).toHaveLength(NAMES.length);
      await app.close();
    }
    expect(worlds).toBeGreaterThanOrEqual(WORLDS / 20);
    expect(allowed / asked).toBeGreaterThan(0.2);
    expect(allowed / asked).toBeLessThan(0.6);
  });

  it('agree on every phase of a narrowed toolbox, where search holds load and load holds active', async () => {
    const takes = fc.record({
      search: fc.subarray([...NAMES]),
      load: fc.subarray([...NAMES]),
      active: fc.subarray([...NAMES]),
    });
    const step = fc.tuple(policy, takes).map(([own, taken]): NarrowOptions => ({
      ...own,
      filter: ({ name }, phase) => !taken[phase].includes(name as Name),
    }));
    const app = await start();
    let [narrower, checked] = [0, 0];
    const check = async (world: World, steps: readonly NarrowOptions[]) => {
      const leave = await enter(app, world);
      const root = app.get(ToolSearchService).open(world.context);
      const box = () => steps.reduce<Toolbox>((each, own) => each.narrow(own), root);
      const [own, all] = await Promise.all([box().visible(), root.visible()]);
      const search = own.map(({ name }) => name);
      const base = all.map(({ name }) => name);
      const load = (
        await Promise.all(
          NAMES.map(async (name) => ((await box().activate([name])).unavailable.length === 0 ? [name] : [])),
        )
      ).flat();
      const active = (await box().surface({ mode: 'all' })).tools.map(({ name }) => name);
      for (const [more, fewer] of [
        [base, search],
        [search, load],
        [load, active],
      ] as const) {
        expect(fewer.filter((name) => !(more as readonly string[]).includes(name))).toEqual([]);
      }
      for (const name of NAMES) {
        expect((await box().call(name, {})).ok).toBe(active.includes(name));
        expect(await answered(box().admit(name))).toBe(active.includes(name));
        expect(await answered(box().get([name]))).toBe(search.includes(name));
        expect((await box().explain(name)).outcome === 'allow').toBe(active.includes(name));
      }
      narrower += Number(active.length < base.length);
      checked += 1;
      await leave();
    };
    await fc.assert(fc.asyncProperty(anyWorld, fc.array(step, { minLength: 1, maxLength: 2 }), check), {
      numRuns: 1000,
    });
    await app.close();
    expect(narrower / checked).toBeGreaterThan(0.2);
  });
});
