import { Controller, Get, Injectable, Module, type Type, UnauthorizedException } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { ToolCatalog } from '../catalog/tool-catalog.js';
import { FakeSource } from '../testing/fake-source.js';
import { type ToolEvent, ToolEvents } from '../tool/tool-event.js';
import { Toolbox } from '../toolbox/toolbox.js';
import { RequestToolbox } from './request-toolbox.decorator.js';
import { Tool } from './tool.decorator.js';
import { ToolSearchModule } from './tool-search.module.js';
import type { ToolSearchModuleOptions } from './tool-search.options.js';
import { ToolSearchService } from './tool-search.service.js';

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

describe('options', () => {
  const bad: [string, object, RegExp][] = [
    ['an unknown option', { polices: {} }, /no option "polices"/],
    ['an unknown option further in', { search: { limits: 5 } }, /search has no option "limits"/],
    ['no context', { context: undefined }, /context must be given/],
    ['a context that is no function', { context: {} }, /context must be a function/],
    ['a limit of 0', { search: { limit: 0 } }, /search.limit must be a whole number/],
    ['a limit of NaN', { search: { limit: Number.NaN } }, /search.limit/],
    ['a limit over the maximum', { search: { limit: 10, maxLimit: 5 } }, /search.limit must be at most/],
    ['no search type at all', { search: { types: [] } }, /search.types must be a list with at least one/],
    ['an unknown search type', { search: { types: ['vector'] } }, /search.types\[0\] must be one of/],
    ['a deadline of 0', { visibility: { deadlineMs: 0 } }, /visibility.deadlineMs/],
    ['a deadline of -1', { visibility: { deadlineMs: -1 } }, /visibility.deadlineMs/],
    ['a retry that shrinks', { catalog: { retryMinMs: 5000, retryMaxMs: 1000 } }, /catalog.retryMinMs must be at most/],
    ['an unknown mode', { exposure: 'some' }, /exposure must be one of/],
    ['a share of 101 percent', { exposure: { thresholdPct: 101 } }, /exposure.thresholdPct/],
    ['an unknown scope', { activation: { scope: 'tenant' } }, /activation.scope must be one of run, session/],
    ['a misspelt deny list', { policy: { denied: ['a'] } }, /policy has the unknown field "denied"/],
    ['a glob that matches nothing', { policy: { deny: ['a b'] } }, /policy.deny/],
    ['an illegal glob of what is always loaded', { alwaysLoaded: ['*!'] }, /alwaysLoaded\[0\]/],
    ['a source that is none', { sources: [{ name: 'x' }] }, /sources\[0\] must be a tool source/],
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
        ['crm', 'acme'],
        ['wiki', ''],
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

  const fault = (error: Error) => () => {
    throw error;
  };
  it.each<[string, () => never, number, string]>([
    ['throws', fault(new Error('secret of the identity provider')), 401, 'UNAUTHENTICATED'],
    ['throws an exception of Nest', fault(new UnauthorizedException('secret')), 401, 'UNAUTHENTICATED'],
    ['rejects', () => Promise.reject(new Error('secret')) as never, 401, 'UNAUTHENTICATED'],
    ['answers with nothing', () => undefined as never, 400, 'INVALID_CONTEXT'],
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
