import { setImmediate } from 'node:timers/promises';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Global,
  Injectable,
  Logger,
  Module,
  Param,
  ParseIntPipe,
  Post,
  UseGuards,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Tool, toolCallOf, ToolEvents, ToolSearchModule, type ToolSearchModuleOptions } from '@tool-search/core';
import { KillSwitches, StoredPolicies, ToolPolicies, ToolSearchService } from '@tool-search/core';
import { SearchCache } from '@tool-search/core/stores';
import { FakeSource, MemorySearchCache, openToolbox } from '@tool-search/core/testing';

/* What PenguiFlow does around a planner, in a whole application; rows PF-… of docs/parity.md. */

const ACME = { tenantId: 'acme', runId: 'r1' };
const BECAUSE = { actor: 'olga', reason: 'incident 7' };

async function started(options: Partial<ToolSearchModuleOptions> = {}, providers: (new () => object)[] = []) {
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => ACME,
        exposure: 'deferred',
        sources: [new FakeSource('pay', ['charge', 'refund', 'list'])],
        ...options,
      }),
    ],
    providers,
  })
  class App {}
  const module = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  return module.init();
}
const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

describe('a guard of a tool', () => {
  let offered: readonly string[] | undefined;

  @Injectable()
  class OnlyBesideRefunds implements CanActivate {
    async canActivate(execution: ExecutionContext) {
      offered = namesOf((await toolCallOf(execution)?.availableTools()) ?? []);
      return offered.includes('pay.refund');
    }
  }

  @Injectable()
  class Desk {
    @UseGuards(OnlyBesideRefunds)
    @Tool({ namespace: 'desk', description: 'Open the till.' })
    open() {
      return 'open';
    }
  }

  it('gets the other tools that the caller may use now, after policies, switches and narrowing', async () => {
    const module = await started({ policy: { deny: ['pay.charge'] } }, [Desk]);
    const toolbox = module.get(ToolSearchService).open(ACME);
    expect(await toolbox.call('desk.open', {})).toMatchObject({ ok: true });
    expect(offered).toEqual(['desk.open', 'pay.list', 'pay.refund']);
    expect(await toolbox.narrow({ deny: ['pay.refund'] }).call('desk.open', {})).toMatchObject({
      ok: false,
      code: 'TOOL_FORBIDDEN',
    });
    expect(offered).toEqual(['desk.open', 'pay.list']);
    await module.get(KillSwitches).engage({ kind: 'tool', value: 'pay.list', ...BECAUSE });
    await module.get(ToolSearchService).open(ACME).call('desk.open', {});
    expect(offered).toEqual(['desk.open', 'pay.refund']);
    await module.close();
  });
});

describe('the policy of the module', () => {
  it('is read once, at boot: what is changed afterwards is a stored policy', async () => {
    const deny = ['pay.charge'];
    const policy = { deny };
    const module = await started({ policy });
    const visible = async () => namesOf(await module.get(ToolSearchService).open(ACME).visible());
    expect(await visible()).toEqual(['pay.list', 'pay.refund']);
    deny.length = 0;
    Object.assign(policy, { allow: [], requireTags: ['money'] });
    expect(await visible()).toEqual(['pay.list', 'pay.refund']);
    const stored = module.get(StoredPolicies);
    await stored.set({ tenantId: 'acme' }, { deny: ['pay.list'] }, BECAUSE);
    expect(await visible()).toEqual(['pay.refund']);
    module.get(ToolPolicies).setTenant('acme', { deny: ['pay.refund'] });
    expect(await visible()).toEqual([]);
    await module.close();
  });

  it('counts what it removes, and names it for operators while the log level is debug', async () => {
    const enabled = jest.spyOn(Logger, 'isLevelEnabled');
    const debug = jest.spyOn(Logger.prototype, 'debug').mockImplementation(() => undefined);
    for (const isDebugging of [false, true]) {
      enabled.mockImplementation((level) => isDebugging && level === 'debug');
      debug.mockClear();
      const sources = [
        new FakeSource(
          'many',
          Array.from({ length: 120 }, (_, id) => `t${100 + id}`),
        ),
      ];
      const module = await started({ policy: { deny: ['many.*'] }, sources });
      const events: object[] = [];
      module.get(ToolEvents).on('policy.filtered', (event) => void events.push(event));
      await module.get(ToolSearchService).open(ACME).visible();
      const names = Array.from({ length: 100 }, (_, id) => `many.t${100 + id}`);
      expect(events).toEqual([
        {
          type: 'policy.filtered',
          at: expect.any(Number),
          tenantId: 'acme',
          runId: 'r1',
          layer: 'policy',
          removed: 120,
          visible: 0,
          ...(isDebugging && { tools: names }),
        },
      ]);
      const lines = debug.mock.calls.map(([line]) => line as object);
      expect(lines).toEqual(isDebugging ? [expect.objectContaining({ removed: 120, tools: names })] : []);
      await module.close();
    }
    jest.restoreAllMocks();
  });
});

describe('receipts without a secret', () => {
  it('are warned of at boot, and no other setting is', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    for (const [activation, isWarned] of [
      [{ storage: 'messages' }, true],
      [{ storage: 'messages', receiptSecret: 'sixteen letters!' }, false],
      [{ storage: 'store' }, false],
      [{}, false],
    ] as const) {
      warn.mockClear();
      await (await started({ activation })).close();
      const lines = warn.mock.calls.filter(([line]) => String(line).includes('receiptSecret'));
      expect(lines).toHaveLength(isWarned ? 1 : 0);
    }
    jest.restoreAllMocks();
  });
});

describe('a controller that was there before', () => {
  @Injectable()
  class OnlyAda implements CanActivate {
    canActivate(execution: ExecutionContext) {
      return execution.switchToHttp().getRequest<{ headers: Record<string, string> }>().headers['x-user'] === 'ada';
    }
  }

  @Injectable()
  class Till {
    @Tool({ description: 'Open the till.' })
    open() {
      return 'open';
    }
  }

  @UseGuards(OnlyAda)
  @Controller('invoices')
  class InvoicesController {
    @Get(':id')
    read(@Param('id', ParseIntPipe) id: number) {
      return { id };
    }

    @Post()
    create(@Body() body: object) {
      return { created: body };
    }
  }

  it('answers every request with the same status, headers and bytes', async () => {
    const answersOf = async (imports: object[], providers: object[] = []) => {
      @Module({ imports: imports as [], providers: providers as [], controllers: [InvoicesController] })
      class App {}
      const app = (await Test.createTestingModule({ imports: [App] }).compile()).createNestApplication({
        logger: false,
      });
      await app.listen(0, '127.0.0.1');
      const base = await app.getUrl();
      const answers = [];
      for (const [path, user, body] of [
        ['invoices/7', 'ada'],
        ['invoices/7', 'bob'],
        ['invoices/x', 'ada'],
        ['invoices', 'ada', '{"amount":5}'],
        ['invoices', 'ada', '{"amount":'],
        ['nowhere', 'ada'],
      ] as const) {
        const headers = { 'x-user': user, 'content-type': 'application/json' };
        const response = await fetch(`${base}/${path}`, { headers, ...(body && { method: 'POST', body }) });
        const shown = [...response.headers].filter(([name]) => name !== 'date');
        answers.push([path, user, response.status, shown, await response.text()]);
      }
      await app.close();
      return answers;
    };
    const before = await answersOf([]);
    expect(before.map(([, , status]) => status)).toEqual([200, 403, 400, 201, 400, 404]);
    for (const exposure of ['off', 'auto', 'deferred'] as const) {
      const module = ToolSearchModule.forRoot({ context: () => ACME, exposure });
      expect(await answersOf([module], [Till])).toEqual(before);
    }
  });
});

describe('the search cache', () => {
  it('can be cleared while the application goes on, which then closes at shutdown', async () => {
    const cache = new MemorySearchCache();
    @Global()
    @Module({ providers: [{ provide: SearchCache, useValue: cache }], exports: [SearchCache] })
    class CacheModule {}
    const source = new FakeSource('pay', ['charge', 'refund']);
    const imports = [
      CacheModule,
      ToolSearchModule.forRoot({ context: () => ACME, exposure: 'deferred', sources: [source] }),
    ];
    const run = async () =>
      (
        await Test.createTestingModule({ imports })
          .setLogger(false as never)
          .compile()
      ).init();
    const first = await run();
    // The index is stored in the background, and no more once the application ends.
    while (cache.idsOf('memory-index').length === 0) await setImmediate();
    await first.close();
    expect(cache.idsOf('memory-index')).toHaveLength(1);
    const module = await run();
    const service = module.get(ToolSearchService);
    expect(await service.clearSearchCache()).toBe(1);
    expect(cache.idsOf('memory-index')).toEqual([]);
    expect(namesOf((await service.open(ACME).search({ query: 'refund' })).tools)).toEqual(['pay.refund']);
    const close = jest.spyOn(source, 'close');
    await module.close();
    expect(close).toHaveBeenCalledTimes(1);
  });
});

describe("PenguiFlow's own example", () => {
  it('finds the deferred tool echo, calls it by its name and answers with its text', async () => {
    const echo = {
      name: 'echo',
      namespace: '',
      description: 'Echo a string back to you.',
      sideEffects: 'pure' as const,
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      run: ({ text }: Record<string, unknown>) => ({ text }),
    };
    const { toolbox, eventsOf } = await openToolbox({
      sources: [new FakeSource('app', [echo], { loading: 'deferred' })],
      options: { preset: 'penguiflow', defaultLoading: 'deferred' },
      context: { tenantId: 'acme', sessionId: 'demo' },
    });
    expect((await toolbox.surface()).tools).toEqual([]);
    const found = await toolbox.call('tool_search', { query: 'echo', limit: 3 });
    expect(found).toMatchObject({ structured: { tools: [{ name: 'echo', loading_mode: 'deferred' }] } });
    expect(namesOf((await toolbox.surface()).tools)).toEqual(['echo']);
    expect(await toolbox.call('echo', { text: 'hello' })).toMatchObject({
      ok: true,
      activated: true,
      structured: { text: 'hello' },
    });
    expect(eventsOf('tool.activated')).toMatchObject([{ tool: 'echo', scope: 'run', reason: 'first_use' }]);
  });
});

describe('names of tools', () => {
  it('are had by loading: all that are deferred, and those that are always listed', async () => {
    const tools = [
      { name: 'charge' },
      { name: 'ping', loading: 'always' as const },
      { name: 'refund' },
      { name: 'hid' },
    ];
    const { toolbox } = await openToolbox({ sources: [new FakeSource('pay', tools)], policy: { deny: ['pay.hid'] } });
    const deferred = (await toolbox.visible()).filter(({ loading }) => loading === 'deferred');
    expect(namesOf(deferred)).toEqual(['pay.charge', 'pay.refund']);
    expect(namesOf(await toolbox.list())).toEqual(['pay.ping']);
    await toolbox.call('pay.charge', {});
    expect(namesOf((await toolbox.list()).filter(({ loading }) => loading === 'always'))).toEqual(['pay.ping']);
  });
});

describe('tools of the library itself', () => {
  it('are meta tools alone: no catalog has another, and searching is taught by an example in its arguments', async () => {
    for (const preset of [undefined, 'penguiflow', 'praisonai', 'mastra'] as const) {
      const exposure = 'deferred';
      const empty = await openToolbox({ options: { exposure, ...(preset && { preset }) } });
      expect(empty.catalog.tools()).toEqual([]);
      expect(await empty.toolbox.visible()).toEqual([]);
      const { meta } = await empty.toolbox.surface();
      expect(meta.length).toBeGreaterThan(0);
      for (const { name } of meta) expect(empty.toolbox.metaKinds.has(name)).toBe(true);
    }
    const { toolbox } = await openToolbox();
    const [search] = (await toolbox.surface()).meta;
    const { query } = search!.inputSchema['properties'] as { query: { description: string } };
    expect(query.description).toMatch(/"\w+( \w+)+"/);
  });
});
