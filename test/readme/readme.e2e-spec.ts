import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { INestApplication } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { ToolEvents, ToolSearchService } from '@tool-search/core';
import { expectVisible, ToolSearchTestingModule } from '@tool-search/core/testing';
import { MockLanguageModelV4 } from 'ai/test';
import { contextOf, RegionPolicy } from './context.js';
import { runQuickStart, withQuickStart } from './run-quick-start.js';
import { withOwnRoutes, NightlyJob, servers, TenantSettings, usageModule, whyNot, withoutSdk } from './usage.js';

describe('the first snippet of the README', () => {
  it('names servers of others in a few lines each', async () => {
    const sources = servers();
    expect(sources.map(({ name, changes }) => [name, changes])).toEqual([
      ['tickets', 'additive'],
      ['wiki', 'strict'],
      ['git', 'strict'],
      ['crm', 'strict'],
    ]);
    await Promise.all(sources.map((source) => source.close()));
  });

  describe('from a folder of its own', () => {
    const before = process.cwd();
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'tool-search-readme-'));
      process.chdir(folder);
    });
    afterEach(() => {
      process.chdir(before);
      rmSync(folder, { recursive: true, force: true });
    });

    it('runs unchanged, and its session has its tool after a restart', async () => {
      expect(await runQuickStart()).toBe('acme gave back 5 euros of inv_1');
      expect(existsSync(join(folder, '.tool-search/tool-search.sqlite'))).toBe(true);
      await withQuickStart(async ({ list }) => {
        expect(await list('s1')).toEqual(['tool_search', 'tool_get', 'billing.refund']);
        expect(await list('s2')).toEqual(['tool_search', 'tool_get']);
      });
    });

    it.each([
      ['Express', undefined],
      ['Fastify', () => new FastifyAdapter()],
    ])('answers its commands as the README says, on %s', async (_, adapter) => {
      await withQuickStart(async ({ list, call }) => {
        expect(await list('s1')).toEqual(['tool_search', 'tool_get']);
        expect(await call('tool_search', { query: 'give money back' })).toMatchObject({
          ok: true,
          structured: { tools: [{ name: 'billing.refund' }] },
        });
        expect(await call('billing.refund', { invoiceId: 'inv_1', amount: 5 })).toMatchObject({ ok: true });
        expect(await call('billing.erase', {})).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
        expect(await list('s1')).toEqual(['tool_search', 'tool_get', 'billing.refund']);
      }, adapter?.());
    });
  });
});

describe("a context with a field of the application's own", () => {
  it('reaches its visibility policies', async () => {
    const module = await Test.createTestingModule({
      imports: [ToolSearchTestingModule.forTools([{ name: 'crm.export', tags: ['eu-only'] }, 'crm.read'])],
      providers: [RegionPolicy],
    }).compile();
    const of = async (region: 'eu' | 'us') =>
      ToolSearchTestingModule.open(module, contextOf({ user: { id: 'ada', tenant: 'acme', region }, headers: {} }));
    await expectVisible(await of('eu')).toEqual(['crm.export', 'crm.read']);
    await expectVisible(await of('us')).toEqual(['crm.read']);
    await module.close();
  });
});

describe('the other snippets of the documentation', () => {
  let app: INestApplication;
  let mcp: Server;
  let url: string;
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never;
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: 'text', text: 'done' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage,
      warnings: [],
    }),
  });

  beforeAll(async () => {
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'docs', version: '1' });
      server.registerTool('read_page', { description: 'Read a page.' }, () => ({
        content: [{ type: 'text', text: 'a page' }],
      }));
      server.registerTool('delete_page', { description: 'Delete a page.' }, () => ({ content: [] }));
      return server;
    });
    mcp = createServer((request, response) => void toNodeHandler(handler)(request, response));
    await new Promise<void>((resolve) => mcp.listen(0, '127.0.0.1', resolve));
    const document = {
      openapi: '3.1.0',
      info: { title: 'CRM', version: '1' },
      servers: [{ url: 'https://crm.example.com' }],
      paths: {
        '/customers': {
          get: { operationId: 'listCustomers', summary: 'List customers.' },
          delete: { operationId: 'deleteCustomers', summary: 'Delete all customers.' },
        },
      },
    };
    const module = usageModule(model, document, `http://127.0.0.1:${(mcp.address() as AddressInfo).port}/mcp`);
    app = (
      await Test.createTestingModule({ imports: [module] })
        .setLogger(false as never)
        .compile()
    ).createNestApplication({
      forceCloseConnections: true,
    });
    app.use((request: { user?: unknown; headers: Record<string, string> }, _: unknown, next: () => void) => {
      const roles = request.headers['x-role']?.split(',') ?? [];
      request.user = { tenantId: 'acme', userId: 'ada', roles, admin: roles.includes('admin') };
      next();
    });
    await withOwnRoutes(app);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(async () => {
    await app?.close();
    mcp?.closeAllConnections();
    mcp?.close();
  });

  const names = async (role: string): Promise<string[]> =>
    (await fetch(`${url}/tools`, { headers: { 'x-role': role } })).json() as Promise<string[]>;

  it('bring tools from many kinds of sources, and show money to finance only', async () => {
    const shared = ['api.health_check', 'calculator.add', 'crm.list_customers', 'docs.read_page'];
    expect(await names('finance')).toEqual([...shared, 'payout.pay_out', 'text.translate']);
    expect(await names('staff')).toEqual([...shared, 'text.translate']);
  });

  it('run tools that are code, or that the AI SDK has already', async () => {
    const toolbox = app.get(ToolSearchService).open({ tenantId: 'acme' });
    expect(await toolbox.call('calculator.add', { a: 1, b: 2 })).toMatchObject({ content: [{ text: 'acme has 3' }] });
    expect(await toolbox.call('text.translate', { text: 'Hei' })).toMatchObject({
      content: [{ text: 'in English: Hei' }],
    });
  });

  it('connect a server of one tenant alone, while the application runs', async () => {
    const wiki = async (tenantId: string) =>
      (await app.get(ToolSearchService).open({ tenantId }).visible()).flatMap(({ name }) =>
        name.startsWith('wiki') ? name : [],
      );
    expect(await wiki('globex')).toEqual([]);
    await app.get(TenantSettings).connect('globex', `http://127.0.0.1:${(mcp.address() as AddressInfo).port}/mcp`);
    expect(await wiki('globex')).toEqual(['wiki.delete_page', 'wiki.read_page']);
    expect(await wiki('acme')).toEqual([]);
  });

  it('say how the sources are doing', async () => {
    const response = await fetch(`${url}/health`);
    expect(await response.json()).toMatchObject({
      status: 'ok',
      info: {
        catalog: { status: 'up', sources: { instances: 6, ready: 6 } },
        control: { status: 'up', state: 'ready' },
      },
    });
  });

  it('put a route under the decision of a tool, and give the reason of a refusal', async () => {
    const payOut = (role: string) => fetch(`${url}/payouts`, { method: 'POST', headers: { 'x-role': role } });
    expect(await (await payOut('finance')).json()).toMatchObject({ ok: true, structured: { cents: 100 } });
    const refused = await payOut('staff');
    const { code } = (await refused.json()) as { code: string };
    expect([refused.status, code]).toEqual([404, 'TOOL_NOT_AVAILABLE']);
    const context = { tenantId: 'acme', roles: ['staff'] };
    expect(await whyNot(app.get(ToolSearchService), 'payout.pay_out', context)).toMatchObject({
      layer: 'visibility',
      rule: 'filter',
    });
  });

  it('admit operators only', async () => {
    const ask = (path: string, role: string) => fetch(`${url}/${path}`, { headers: { 'x-role': role } });
    const statuses = async (path: string) => [(await ask(path, 'admin')).status, (await ask(path, 'finance')).status];
    expect(await statuses('admin/tools/status')).toEqual([200, 403]);
    expect(await statuses('ops/tools/kill-switches/count')).toEqual([200, 403]);
    expect(await (await ask('ops/tools/kill-switches/count', 'admin')).json()).toEqual({ count: 0 });
  });

  it('chat through the AI SDK, which is given the toolbox and its guidance', async () => {
    const response = await fetch(`${url}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-role': 'finance' },
      body: '{"text":"hello"}',
    });
    expect(await response.text()).toBe('done');
    const { tools = [] } = model.doGenerateCalls[0]!;
    expect(tools.map(({ name }) => name)).toEqual(['tool_search', 'tool_get']);
  });

  it('work without an SDK', async () => {
    const toolbox = app.get(ToolSearchService).open({ tenantId: 'acme', roles: ['finance'] });
    const { definitions, system, result } = await withoutSdk(toolbox);
    expect(definitions.map(({ name }) => name)).toEqual(['tool_search', 'tool_get']);
    expect(system).toContain('tool_search');
    expect(result).toMatchObject({ ok: true, structured: { verdict: 'found' } });
  });

  it('run in a job, where a guard that needs a request refuses, and a frozen tenant has no tools', async () => {
    const denied: string[] = [];
    app.get(ToolEvents).on('tool.denied', ({ tool, layer }) => denied.push(`${tool} ${layer}`));
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const job = app.get(NightlyJob);
    expect(await job.run('acme')).toMatchObject({ ok: false, code: 'TOOL_FORBIDDEN' });
    job.freeze('acme');
    expect(await job.run('acme')).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
    expect(denied).toEqual(['payout.pay_out policy']);
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ rule: 'tenant:deny:*' }));
    warn.mockRestore();
  });
});
