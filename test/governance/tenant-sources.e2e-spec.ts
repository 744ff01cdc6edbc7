import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { Body, Controller, Get, Inject, type INestApplication, Injectable, Module, Post } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  RequestToolbox,
  RequiresTool,
  TenantSources,
  type TenantSourceOptions,
  Tool,
  ToolCatalog,
  type ToolContext,
  ToolSearchModule,
  type ToolSearchModuleOptions,
  ToolSearchService,
  type Toolbox,
} from '@tool-search/core';
import { MemoryToolIndex } from '@tool-search/core/engine';
import { McpSource } from '@tool-search/mcp';
import { z } from 'zod';

const TENANTS = Array.from({ length: 20 }, (_, index) => `tenant${index}`);

@Injectable()
class ClockTools {
  @Tool({ description: 'The time.', name: 'now', namespace: 'clock' })
  now() {
    return 'noon';
  }
}

@Controller()
class Routes {
  constructor(@Inject(TenantSources) private readonly tenants: TenantSources) {}

  @Get('tools')
  async tools(@RequestToolbox() toolbox: Toolbox) {
    return toolbox.visible();
  }

  @Post('search')
  search(@RequestToolbox() toolbox: Toolbox, @Body() { query }: { query: string }) {
    return toolbox.search({ query });
  }

  @Post('call')
  call(@RequestToolbox() toolbox: Toolbox, @Body() { name, args }: { name: string; args: object }) {
    return toolbox.call(name, args);
  }

  @Get('guarded')
  @RequiresTool('notes.read')
  guarded() {
    return 'in';
  }

  @Post('forget')
  async forget(@RequestToolbox() toolbox: Toolbox) {
    await this.tenants.forget((await toolbox.context()).tenantId);
  }
}

describe('MCP servers of tenants', () => {
  let app: INestApplication;
  let mcp: Server;
  let url: string;
  /** The servers that were called, with the credentials of each call. */
  let asked: { server: string; credentials: string | undefined }[];

  const boot = async (
    tenantSources: TenantSourceOptions | undefined,
    options: Partial<ToolSearchModuleOptions> = {},
  ) => {
    @Module({
      imports: [
        ToolSearchModule.forRoot({
          context: (request: { headers: Record<string, string> }) => ({ tenantId: request.headers['x-tenant'] ?? '' }),
          exposure: 'deferred',
          catalog: { bootWaitMs: 600_000 },
          ...(tenantSources && { tenantSources }),
          tuning: { tenantSources: { waitMs: 600_000 } },
          ...options,
        }),
      ],
      providers: [ClockTools],
      controllers: [Routes],
    })
    class AppModule {}
    const module = await Test.createTestingModule({ imports: [AppModule] })
      .setLogger(false as never)
      .compile();
    app = module.createNestApplication({ forceCloseConnections: true });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  };

  beforeEach(async () => {
    asked = [];
    mcp = createServer((request, response) => {
      const server = request.url?.slice(1) ?? '';
      asked.push({ server, credentials: request.headers.authorization });
      const handler = createMcpHandler(() => {
        const made = new McpServer({ name: 'notes', version: '1' });
        made.registerTool(
          'read',
          { description: `Read a note of ${server}.`, inputSchema: z.object({ id: z.string() }) },
          ({ id }) => ({ content: [{ type: 'text', text: `${server} has ${id}` }] }),
        );
        made.registerTool(`only_${server}`, { description: 'A tool of one alone.' }, () => ({ content: [] }));
        return made;
      });
      void toNodeHandler(handler)(request, response);
    });
    await new Promise<void>((resolve) => mcp.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await app?.close();
    mcp.closeAllConnections();
    mcp.close();
  });

  const load = (tenantId: string) => [
    new McpSource({
      name: 'notes',
      url: `http://127.0.0.1:${(mcp.address() as AddressInfo).port}/${tenantId}`,
      headers: { authorization: `Bearer key-of-${tenantId}` },
    }),
  ];
  const ask = async (tenantId: string, path: string, body?: object) => {
    const response = await fetch(`${url}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-tenant': tenantId, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.text();
  };
  const leaks = (tenantId: string, text: string) =>
    TENANTS.filter((other) => other !== tenantId && new RegExp(`${other}(?!\\d)`).test(text));

  it('serve each tenant its own tools at once, while others come and go', async () => {
    await boot({ load, maxTenants: 15 });
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(
        TENANTS.map(async (tenantId, index) => {
          const told = [
            await ask(tenantId, 'call', { name: 'notes.read', args: { id: 'n1' } }),
            await ask(tenantId, 'tools'),
            await ask(tenantId, 'search', { query: 'read a note' }),
            await ask(tenantId, 'guarded'),
          ];
          expect(leaks(tenantId, told.join())).toEqual([]);
          expect(told[0]).toContain(`${tenantId} has n1`);
          expect(told[1]).toContain('clock.now');
          expect(told[1]).toContain(`notes.only_${tenantId}`);
          expect(told[2]).toContain('notes.read');
          expect(told[3]).toBe('in');
          const others = TENANTS[(index + 1) % TENANTS.length];
          expect(await ask(tenantId, 'call', { name: `notes.only_${others}`, args: {} })).toContain(
            'TOOL_NOT_AVAILABLE',
          );
          if ((index + round) % 3 === 0) await ask(tenantId, 'forget', {});
        }),
      );
    }
    expect(asked.filter(({ server, credentials }) => credentials !== `Bearer key-of-${server}`)).toEqual([]);
    expect(new Set(asked.map(({ server }) => server))).toEqual(new Set(TENANTS));
  });

  it('are loaded for a toolbox that is opened outside HTTP', async () => {
    await boot({ load });
    const toolbox = app.get(ToolSearchService).open({ tenantId: 'acme' });
    expect(asked).toEqual([]);
    expect(await toolbox.call('notes.read', { id: 'n2' })).toMatchObject({ content: [{ text: 'acme has n2' }] });
    expect(
      app
        .get(ToolCatalog)
        .sources()
        .map(({ source, owner }) => [source, owner]),
    ).toEqual([
      ['app', ''],
      ['notes', 'acme'],
    ]);
  });

  it('that are down hold up no request, and are back when they are', async () => {
    let isUp = false;
    await boot({
      load: (tenantId) =>
        isUp ? load(tenantId) : [new McpSource({ name: 'notes', url: 'http://127.0.0.1:9/none', loadTimeoutMs: 500 })],
    });
    expect(await ask('acme', 'tools')).not.toContain('notes.read');
    expect(await ask('acme', 'call', { name: 'clock.now', args: {} })).toContain('noon');
    isUp = true;
    await app.get(TenantSources).refresh('acme');
    expect(await ask('acme', 'tools')).toContain('notes.only_acme');
  });

  it('do not exist without the option, and are answered like unknown ones', async () => {
    await boot(undefined);
    await app.get(TenantSources).refresh('acme');
    await app.get(TenantSources).forget('acme');
    expect(await ask('acme', 'tools')).not.toContain('notes');
  });

  it.each<[string, Partial<ToolSearchModuleOptions>, RegExp]>([
    ['no load', { tenantSources: {} as never }, /load must be given/],
    ['an unknown key', { tenantSources: { load, idle: 5 } as never }, /no option "idle"/],
    ['no idle time', { tenantSources: { load, idleMs: 0 } }, /idleMs/],
    ['no tenants', { tenantSources: { load, maxTenants: 0 } }, /maxTenants/],
    [
      'an engine whose statistics count hidden tools',
      { tenantSources: { load }, index: Object.assign(new MemoryToolIndex(), { statistics: 'global' as const }) },
      /tenants' own sources/,
    ],
  ])('refuse to boot with %s', async (_, options, message) => {
    await expect(boot(undefined, options)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringMatching(message),
    });
  });

  it('end with the application, also while they are on their way', async () => {
    let give!: (sources: McpSource[]) => void;
    await boot(
      { load: () => new Promise((resolve) => (give = resolve)) },
      { tuning: { tenantSources: { waitMs: 20 } } },
    );
    const context: ToolContext = { tenantId: 'acme' };
    expect(await app.get(ToolSearchService).open(context).visible()).toHaveLength(1);
    await app.close();
    const late = load('acme')[0]!;
    const closed = jest.spyOn(late, 'close');
    give([late]);
    while (closed.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual([]);
  });
});
