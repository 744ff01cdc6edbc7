import {
  BadGatewayException,
  Controller,
  ForbiddenException,
  Get,
  Global,
  GoneException,
  Injectable,
  Logger,
  Module,
  type Type,
  UnauthorizedException,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { ControlStore } from '../../access/control/control-store.js';
import { KillSwitches } from '../../access/kill-switches/kill-switches.js';
import { MemoryControlStore } from '../../access/control/memory-control-store.js';
import { ToolPolicies } from '../../access/policies/tool-policies.js';
import { ToolGate } from '../../access/tool-gate.js';
import { ToolCatalog } from '../../catalog/tool-catalog.js';
import type { Runtime } from '../../runtime/create-runtime.js';
import { MemoryToolIndex } from '../../search/memory/memory-tool-index.js';
import { SearchCache } from '../../search/search-cache.js';
import { FakeSource } from '../../testing/fakes/fake-source.js';
import { MemorySearchCache } from '../../testing/fakes/memory-search-cache.js';
import { TrigramEmbedder } from '../../testing/fakes/trigram-embedder.js';
import type { StatisticsScope } from '../../tool/snapshot/statistics-scope.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { type ToolEvent, ToolEvents } from '../../tool/tool-event.js';
import { type TracedWork, ToolTracing } from '../../tool/tool-tracing.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { Toolbox } from '../../toolbox/toolbox.js';
import { RequestToolbox } from '../decorators/request-toolbox.decorator.js';
import { defineTool } from '../decorators/define-tool.js';
import { Tool } from '../decorators/tool.decorator.js';
import { CodeSource } from '../tools/code.source.js';
import { ToolSearchModule } from './tool-search.module.js';
import type { ToolSearchModuleOptions } from './tool-search.options.js';
import { RUNTIME, ToolSearchService } from './tool-search.service.js';
import { VisibilityPolicy } from '../decorators/visibility-policy.decorator.js';

type Req = { headers: Record<string, string | undefined> };
const context = ({ headers }: Req) => ({ tenantId: headers['x-tenant'] ?? '' });
const crm = (owner = '') => new FakeSource('crm', [{ name: 'read_all' }, { name: 'delete_all' }], { owner });

class ClockTools {
  @Tool({ description: 'Tell the time.' })
  now() {
    return 'noon';
  }
}

async function start(imports: NonNullable<Parameters<typeof Module>[0]['imports']>, controllers: Type[] = []) {
  @Module({ imports, controllers, providers: [ClockTools] })
  class App {}
  const module = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  return module.createNestApplication().init();
}

it('does not boot with a service that was replaced in Nest, since the runtime would not use it', async () => {
  @Module({ imports: [ToolSearchModule.forRoot({ context })] })
  class App {}
  const module = await Test.createTestingModule({ imports: [App] })
    .overrideProvider(ToolGate)
    .useValue({ decide: () => ({ allowed: false }) })
    .compile();
  await expect(module.createNestApplication({ logger: false }).init()).rejects.toMatchObject({
    code: 'INVALID_CONFIGURATION',
    message: expect.stringContaining('ToolGate was replaced'),
  });
});

describe('options', () => {
  const bad: [string, object, RegExp][] = [
    ['an unknown option', { polices: {} }, /no option "polices"/],
    ['an unknown option further in', { search: { limits: 5 } }, /search has no option "limits"/],
    ['no context', { context: undefined }, /context must be given/],
    ['a context that is no function', { context: {} }, /context must be a function/],
    ['a limit of 0', { search: { limit: 0 } }, /search.limit must be a whole number/],
    ['a limit of NaN', { search: { limit: Number.NaN } }, /search.limit/],
    ['a reply without room', { search: { replyTokens: 10 } }, /search.replyTokens must be a whole number from 50/],
    ['a limit over the maximum', { search: { limit: 10, maxLimit: 5 } }, /search.limit must be at most/],
    ['no search type at all', { search: { types: [] } }, /search.types must be a list with at least one/],
    ['an unknown search type', { search: { types: ['vector'] } }, /search.types\[0\] must be one of/],
    ['a deadline of 0', { visibility: { deadlineMs: 0 } }, /visibility.deadlineMs/],
    ['a deadline of -1', { visibility: { deadlineMs: -1 } }, /visibility.deadlineMs/],
    [
      'a retry that shrinks',
      { tuning: { catalog: { retryMinMs: 5000, retryMaxMs: 1000 } } },
      /tuning.catalog.retryMinMs must be at most/,
    ],
    [
      'an option that is tuning now',
      { catalog: { retryMinMs: 5000 } },
      /catalog.retryMinMs is now tuning.catalog.retryMinMs/,
    ],
    ['an unknown mode', { exposure: 'some' }, /exposure must be one of/],
    ['a share of 101 percent', { exposure: { thresholdPct: 101 } }, /exposure.thresholdPct/],
    [
      'an unknown way to treat drift',
      { runs: { onDrift: 'ignore' } },
      /runs.onDrift must be one of fail, search_again/,
    ],
    ['a pause of half a millisecond', { runs: { ttlMs: 0.5 } }, /runs.ttlMs must be a whole number/],
    ['an unknown scope', { activation: { scope: 'tenant' } }, /activation.scope must be one of run, session/],
    ['a misspelt deny list', { policy: { denied: ['a'] } }, /policy has no option "denied"/],
    ['a glob that matches nothing', { policy: { deny: ['a b'] } }, /policy.deny/],
    ['an illegal glob of what is always loaded', { alwaysLoaded: ['*!'] }, /alwaysLoaded\[0\]/],
    ['a source that is none', { sources: [{ name: 'x' }] }, /sources\[0\] must be a tool source/],
    ['guidance without words', { exposure: { guidance: ' ' } }, /exposure.guidance must be true, false or a text/],
    ['an unknown detail', { exposure: { directory: { detail: 'all' } } }, /exposure.directory.detail must be one of/],
    ['half a token', { exposure: { directory: { maxTokens: 0.5 } } }, /exposure.directory.maxTokens must be a whole/],
    ['a filter that is no list', { examples: { filterTags: 'minimal' } }, /examples.filterTags must be a list/],
    ['a least score of 2', { search: { minScore: 2 } }, /search.minScore must be a number from 0 to 1/],
    ['an unknown preset', { preset: 'langchain' }, /preset must be one of penguiflow, praisonai, mastra/],
    [
      'a limit over that of its preset',
      { preset: 'penguiflow', search: { maxLimit: 5 } },
      /search.limit must be at most/,
    ],
    [
      'a meta tool of no legal name',
      { exposure: { metaTools: { get: 'a.b' } } },
      /exposure.metaTools.get must be a letter/,
    ],
    ['an unknown meta tool', { exposure: { metaTools: { find: 'x' } } }, /exposure.metaTools has no option "find"/],
    [
      'two meta tools of one name',
      { preset: 'mastra', exposure: { metaTools: { search: 'load_tool' } } },
      /two meta tools are named load_tool/,
    ],
    ['a group without a title', { exposure: { directory: { groups: [{}] } } }, /title must be given/],
  ];

  it.each(bad)('with %s refuse to boot and say so', async (_, options, said) => {
    const imports = [ToolSearchModule.forRoot({ context, ...options } as ToolSearchModuleOptions)];
    await expect(start(imports)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringMatching(said),
      hint: expect.stringMatching(/\w/),
    });
  });

  it.each([
    ['no engine', {}],
    ['half an engine', { engine: 'mine', apply: () => undefined }],
  ])('with %s as index refuse to boot', async (_, index) => {
    const imports = [ToolSearchModule.forRoot({ context, index } as unknown as ToolSearchModuleOptions)];
    await expect(start(imports)).rejects.toMatchObject({
      message: expect.stringMatching(/index must be a search engine/),
    });
  });

  it('may come from a factory', async () => {
    const app = await start([
      ToolSearchModule.forRootAsync({ useFactory: async () => ({ context, policy: { deny: ['clock.*'] } }) }),
    ]);
    expect(await app.get(ToolSearchService).open({ tenantId: 't' }).visible()).toEqual([]);
    await app.close();
  });

  it('with two sources of one name refuse to boot', async () => {
    const sources = [crm(), crm()];
    await expect(start([ToolSearchModule.forRoot({ context, sources })])).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
    });
  });

  it('off means off: no meta tools, no index, a plain list', async () => {
    const published: ToolEvent[] = [];
    @Injectable()
    class Listener {
      constructor(events: ToolEvents) {
        events.on('catalog.published', (event) => published.push(event));
      }
    }
    @Module({ providers: [Listener] })
    class ListenerModule {}
    const sources = [crm()];
    const app = await start([ToolSearchModule.forRoot({ context, exposure: 'off', sources }), ListenerModule]);
    const toolbox = app.get(ToolSearchService).open({ tenantId: 't' });
    const { mode, meta, tools, prompt } = await toolbox.surface({ mode: 'deferred' });
    expect([mode, meta, prompt]).toEqual(['all', [], {}]);
    expect(tools.map(({ name }) => name)).toEqual(['clock.now', 'crm.delete_all', 'crm.read_all']);
    expect(published).toContainEqual(expect.objectContaining({ engine: 'none' }));
    await expect(toolbox.search({ query: 'read' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await toolbox.call('tool_search', { query: 'read' })).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    await app.close();
  });
});

describe('a feature', () => {
  it.each([true, false])(
    'brings sources of its own, narrowed by its own policy (global module: %s)',
    async (isGlobal) => {
      const app = await start([
        ToolSearchModule.forRoot({ context, isGlobal, sources: [crm()] }),
        ToolSearchModule.forFeature({ sources: [crm('acme')], policy: { deny: ['*delete*'] } }),
        ToolSearchModule.forFeature({ sources: [new FakeSource('wiki', [{ name: 'delete_page' }])] }),
      ]);
      const namesFor = async (tenantId: string) =>
        (await app.get(ToolSearchService).open({ tenantId }).visible()).map(({ name }) => name);
      expect(await namesFor('globex')).toEqual(['clock.now', 'crm.delete_all', 'crm.read_all', 'wiki.delete_page']);
      expect(
        app
          .get(ToolCatalog)
          .sources()
          .map(({ source, owner }) => [source, owner]),
      ).toEqual([
        ['app', ''],
        ['crm', ''],
        ['wiki', ''],
        ['crm', 'acme'],
      ]);
      await app.close();
    },
  );

  it('may name a provider of the application as source', async () => {
    @Injectable()
    class WikiSource extends FakeSource {
      constructor() {
        super('wiki', [{ name: 'read_page' }]);
      }
    }
    @Module({ providers: [WikiSource] })
    class WikiModule {}
    const app = await start([WikiModule, ToolSearchModule.forRoot({ context, sources: [WikiSource] })]);
    expect(await app.get(ToolSearchService).open({ tenantId: 't' }).call('wiki.read_page', {})).toMatchObject({
      ok: true,
    });
    await app.close();
  });
});

describe('the module without options', () => {
  const refusal = expect.objectContaining({
    code: 'INVALID_CONFIGURATION',
    message: expect.stringContaining('has no options'),
    hint: expect.stringContaining('ToolSearchModule.forRoot({ context:'),
  });

  it('is refused with what to write, as a plain import too, alone or beside forRoot()', async () => {
    expect(() => ToolSearchModule.forRoot(undefined as never)).toThrow(refusal);
    expect(() => ToolSearchModule.forRootAsync(undefined as never)).toThrow(refusal);
    await expect(start([ToolSearchModule])).rejects.toEqual(refusal);
    await expect(start([ToolSearchModule.forRoot({ context }), ToolSearchModule])).rejects.toEqual(refusal);
  });

  it('is refused where the factory gives none, and so is a feature without a list of sources', async () => {
    await expect(
      start([ToolSearchModule.forRootAsync({ useFactory: () => undefined as never })]),
    ).rejects.toMatchObject({
      message: 'ToolSearchModule must be given: an object.',
    });
    expect(() => ToolSearchModule.forFeature({ source: [] } as never)).toThrow('has no option "source"');
    expect(() => ToolSearchModule.forFeature({} as never)).toThrow('sources must be given: a list');
  });
});

describe('an application without a store', () => {
  it("warns at boot that operators' decisions end with the process; one with a store does not", async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const told = () => warned.mock.calls.splice(0).filter(([line]) => String(line).startsWith('No store is imported'));
    await (await start([ToolSearchModule.forRoot({ context })])).close();
    expect(told()).toHaveLength(1);
    const memory = new MemoryControlStore();
    const store = new Proxy(Object.create(ControlStore.prototype) as ControlStore, {
      get: (_, key) => {
        const value: unknown = Reflect.get(memory, key);
        return typeof value === 'function' ? value.bind(memory) : value;
      },
    });
    @Global()
    @Module({ providers: [{ provide: ControlStore, useValue: store }], exports: [ControlStore] })
    class StoreModule {}
    await (await start([StoreModule, ToolSearchModule.forRoot({ context })])).close();
    expect(told()).toEqual([]);
    warned.mockRestore();
  });
});

it('says at boot how many kill switches are engaged', async () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const told = () => warned.mock.calls.splice(0).filter(([line]) => String(line).includes('kill switch'));
  const store = new MemoryControlStore();
  @Global()
  @Module({ providers: [{ provide: ControlStore, useValue: store }], exports: [ControlStore] })
  class StoreModule {}
  const engage = async (...values: string[]) => {
    const app = await start([StoreModule, ToolSearchModule.forRoot({ context, sources: [crm()] })]);
    const switches = app.get(KillSwitches);
    for (const value of values) await switches.engage({ kind: 'tool', value, tenantId: '', actor: 'o', reason: 'r' });
    await app.close();
  };
  await engage('crm.read_all');
  expect(
    told()
      .map(([line]) => String(line))
      .filter((line) => / engaged \(/.test(line)),
  ).toEqual([]);
  await engage('crm.delete_all');
  expect(told()).toContainEqual(['1 kill switch is engaged (revision 1)']);
  await engage();
  expect(told()).toContainEqual(['2 kill switches are engaged (revision 2)']);
  warned.mockRestore();
});

describe('a policy that names no tool', () => {
  it('is warned of at boot, when the sources are there', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn');
    const policy = { deny: ['okk.*', 'crm.delete_*'] };
    const app = await start([ToolSearchModule.forRoot({ context, policy, sources: [crm()] })]);
    const lines = warned.mock.calls.map(([line]) => String(line)).filter((line) => line.startsWith('policy'));
    expect(lines).toEqual([
      'policy.deny: okk.* matches no tool; check it for a typo, or a source that is not there yet',
    ]);
    warned.mockRestore();
    await app.close();
  });
});

describe('the toolbox of a request', () => {
  @Controller('tools')
  class ToolsController {
    constructor(private readonly injected: Toolbox) {}

    @Get()
    async who(@RequestToolbox() parameter: Toolbox) {
      await new Promise((resolve) => setImmediate(resolve));
      const { tenantId } = await this.injected.context();
      return { tenantId, same: parameter === this.injected };
    }
  }

  it('is one, injected or as a parameter, and belongs to its request alone', async () => {
    const app = await start([ToolSearchModule.forRoot({ context })], [ToolsController]);
    await app.listen(0);
    const tenants = Array.from({ length: 20 }, (_, index) => `t${index}`);
    const answers = await Promise.all(
      tenants.map((tenant) => request(app.getHttpServer()).get('/tools').set('x-tenant', tenant)),
    );
    expect(answers.map(({ body }) => body)).toEqual(tenants.map((tenantId) => ({ tenantId, same: true })));
    await app.close();
  });

  it('is refused at its first use where it was injected without a request', async () => {
    const app = await start([ToolSearchModule.forRoot({ context })]);
    const toolbox = await app.resolve(Toolbox);
    await expect(toolbox.visible()).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      hint: expect.stringContaining('ToolSearchService.open(context)'),
    });
    await app.close();
  });

  const fault = (error: Error) => () => {
    throw error;
  };
  it.each<[string, () => never, number, string]>([
    ['throws', fault(new Error('secret of the identity provider')), 503, 'CONTEXT_UNAVAILABLE'],
    ['throws an exception of Nest', fault(new UnauthorizedException('secret')), 401, 'UNAUTHENTICATED'],
    ['rejects', () => Promise.reject(new Error('secret')) as never, 503, 'CONTEXT_UNAVAILABLE'],
    ['throws a fault of another server', fault(new BadGatewayException('secret')), 503, 'CONTEXT_UNAVAILABLE'],
    ['throws a refusal', fault(new ForbiddenException('secret')), 403, 'FORBIDDEN'],
    ['throws a client error without a code of ours', fault(new GoneException('secret')), 401, 'UNAUTHENTICATED'],
    ['answers with nothing', () => undefined as never, 401, 'UNAUTHENTICATED'],
    ['answers with no tenant', () => ({}) as never, 400, 'INVALID_CONTEXT'],
  ])('fails closed when `context` %s', async (_, broken, status, code) => {
    const app = await start([ToolSearchModule.forRoot({ context: broken })], [ToolsController]);
    const answer = await request(app.getHttpServer()).get('/tools');
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.text).not.toContain('secret');
    await app.close();
  });

  it('is refused to a context that cannot be one', async () => {
    const app = await start([ToolSearchModule.forRoot({ context })]);
    const service = app.get(ToolSearchService);
    expect(() => service.open({ tenantId: '' })).toThrow(expect.objectContaining({ code: 'INVALID_CONTEXT' }));
    expect(() => service.open({ tenantId: 't', sessionId: 'a\nb' })).toThrow(
      expect.objectContaining({ code: 'INVALID_SESSION' }),
    );
    await app.close();
  });
});

describe('a search engine whose statistics are global', () => {
  class GlobalIndex extends MemoryToolIndex {
    readonly statistics: StatisticsScope;
    readonly life: string[] = [];

    constructor(statistics: StatisticsScope = 'global') {
      super();
      this.statistics = statistics;
    }

    async open() {
      this.life.push('opened');
    }

    override async close() {
      this.life.push('closed');
    }
  }

  @VisibilityPolicy()
  class Everything {
    filter(tools: readonly ToolDefinition[]) {
      return tools;
    }
  }

  const forRoot = (options: Partial<ToolSearchModuleOptions>) => ToolSearchModule.forRoot({ context, ...options });
  @Module({ providers: [Everything] })
  class WithPolicy {}
  const refused = (what: string) => ({
    code: 'INVALID_CONFIGURATION',
    message: expect.stringContaining(what),
    hint: expect.stringContaining('acceptsGlobalStatistics'),
  });

  it('is opened at boot and closed at shutdown', async () => {
    const index = new GlobalIndex();
    const app = await start([forRoot({ index, policy: { deny: ['x.*'] } })]);
    expect(index.life).toEqual(['opened']);
    await app.close();
    expect(index.life).toEqual(['opened', 'closed']);
  });

  it('is refused with a visibility policy', async () => {
    await expect(start([forRoot({ index: new GlobalIndex() }), WithPolicy])).rejects.toMatchObject(
      refused('a visibility policy'),
    );
  });

  it("is refused with a tenant's own source", async () => {
    await expect(start([forRoot({ index: new GlobalIndex(), sources: [crm('acme')] })])).rejects.toMatchObject(
      refused("a tenant's own source"),
    );
  });

  it('is refused with the policy of a tenant, whenever it is set', async () => {
    const app = await start([forRoot({ index: new GlobalIndex() })]);
    const policies = app.get(ToolPolicies);
    expect(() => policies.setTenant('acme', { deny: ['a.*'] })).toThrow(
      expect.objectContaining(refused('of a tenant')),
    );
    policies.setTenant('acme', undefined);
    await app.close();
  });

  it('is accepted with the option, or if no tool is searched', async () => {
    for (const options of [
      { index: new GlobalIndex('global-accepted') },
      { index: new GlobalIndex(), exposure: 'all' as const },
    ]) {
      const app = await start([forRoot({ ...options, sources: [crm('acme')] }), WithPolicy]);
      app.get(ToolPolicies).setTenant('acme', { deny: ['a.*'] });
      await app.close();
    }
  });

  it('fails the boot when it cannot be opened', async () => {
    class Locked extends GlobalIndex {
      override async open() {
        throw new ToolSearchError('STORE_UNAVAILABLE', 'Locked.');
      }
    }
    await expect(start([forRoot({ index: new Locked() })])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});

describe('tuning.sources', () => {
  class LongTools {
    @Tool({ description: 'x'.repeat(9_000) })
    tell() {
      return 'all';
    }
  }
  const tool = (chars: number) => defineTool({ name: 'tell', description: 'x'.repeat(chars), run: () => 'all' });
  const boot = (descriptionChars: number, providers: Type[], sources: CodeSource[]) => {
    @Module({ providers })
    class Tools {}
    const tuning = { sources: { descriptionChars } };
    return start([ToolSearchModule.forRoot({ context, sources, tuning }), Tools]);
  };

  it('raises a limit of the tools of the own code', async () => {
    const code = new CodeSource({ name: 'code', tools: [tool(9_000)] });
    const app = await boot(10_000, [LongTools], [code]);
    const names = app
      .get(ToolCatalog)
      .tools()
      .map(({ name }) => name);
    expect(names.toSorted()).toEqual(['clock.now', 'code.tell', 'long.tell']);
    code.replace([tool(10_000)]);
    expect(() => code.replace([tool(10_001)])).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION', message: expect.stringContaining('10000 characters') }),
    );
    await app.close();
  });

  it('fails the boot with a tool of the own code that is over a limit', async () => {
    const fault = { code: 'INVALID_CONFIGURATION', message: expect.stringContaining('longer than 8500 characters') };
    await expect(boot(8_500, [LongTools], [])).rejects.toMatchObject(fault);
    const code = new CodeSource({ name: 'code', tools: [tool(9_000)] });
    await expect(boot(8_500, [], [code])).rejects.toMatchObject(fault);
  });

  it('has its default limits where it is not given', async () => {
    const code = new CodeSource({ name: 'code', tools: [tool(9_000)] });
    const booting = start([ToolSearchModule.forRoot({ context, sources: [code] })]);
    await expect(booting).rejects.toMatchObject({ message: expect.stringContaining('longer than 8192 characters') });
  });
});

describe('a module that records calls', () => {
  it('gets every call; without such a module, calls are not wrapped', async () => {
    const targets: string[] = [];
    class Recorder extends ToolTracing {
      trace<T>({ target }: TracedWork, work: () => Promise<T>): Promise<T> {
        targets.push(target);
        return work();
      }
    }
    @Global()
    @Module({ providers: [{ provide: ToolTracing, useClass: Recorder }], exports: [ToolTracing] })
    class RecorderModule {}
    for (const modules of [[], [RecorderModule]]) {
      const app = await start([ToolSearchModule.forRoot({ context }), ...modules]);
      const { tracing } = app.get<Runtime>(RUNTIME);
      expect(tracing === undefined).toBe(modules.length === 0);
      await app.get(ToolSearchService).open({ tenantId: 't' }).call('clock.now', {});
      await app.close();
    }
    expect(targets).toEqual(['clock.now']);
  });
});

describe('an embedder', () => {
  it('ranks by meaning, and its vectors outlive the application where a module provides a cache', async () => {
    const cache = new MemorySearchCache();
    @Global()
    @Module({ providers: [{ provide: SearchCache, useValue: cache }], exports: [SearchCache] })
    class CacheModule {}
    const run = async (embedder: TrigramEmbedder, tuning?: ToolSearchModuleOptions['tuning']) => {
      const options = {
        exposure: 'deferred',
        sources: [crm()],
        search: { embedder },
        ...(tuning && { tuning }),
      } as const;
      const imports = [ToolSearchModule.forRoot({ context, ...options }), CacheModule];
      const app = await start(imports);
      const { tools } = await app.get(ToolSearchService).open({ tenantId: 't' }).search({ query: 'read' });
      await app.close();
      return tools;
    };
    const [first, second, third] = [new TrigramEmbedder(), new TrigramEmbedder(), new TrigramEmbedder()];
    const found = await run(first);
    expect(found.map(({ name }) => name)).toEqual(['crm.read_all']);
    await run(second);
    await run(third, { search: { cache: false } });
    const toolsOf = ({ asked }: TrigramEmbedder) => asked.filter(({ kind }) => kind === 'tool').length;
    expect([toolsOf(first), toolsOf(second), toolsOf(third)]).toEqual([3, 0, 3]);
  });

  it.each([
    ['is none', 'openai', /search.embedder must be an embedder/],
    ['has no id', { dimensions: 3, embed: async () => [] }, /search.embedder.id/],
    [
      'has no size',
      { id: 'a', dimensions: 0, embed: async () => [] },
      /search.embedder.dimensions must be a whole number/,
    ],
    ['does not embed', { id: 'a', dimensions: 3 }, /search.embedder.embed must be given: a function/],
  ])('that %s refuses to boot', async (_, embedder, said) => {
    const options = { context, search: { embedder } } as unknown as ToolSearchModuleOptions;
    await expect(start([ToolSearchModule.forRoot(options)])).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringMatching(said),
    });
  });
});
