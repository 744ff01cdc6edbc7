import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ToolEvents, ToolSearchService } from '@tool-search/core';
import { MockLanguageModelV4 } from 'ai/test';
import { runQuickStart } from './readme/run-quick-start.js';
import {
  exposeControllers,
  NightlyJob,
  servers,
  TenantSettings,
  usageModule,
  whyNot,
  withoutSdk,
} from './readme/usage.js';

describe('the first snippet of the README', () => {
  it('names servers of others in one line each', async () => {
    const sources = servers();
    expect(sources.map(({ name, changes }) => [name, changes])).toEqual([
      ['tickets', 'additive'],
      ['wiki', 'strict'],
      ['git', 'strict'],
      ['crm', 'strict'],
    ]);
    await Promise.all(sources.map((source) => source.close()));
  });

  it('runs as it stands, from a folder of its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tool-search-readme-'));
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect(await runQuickStart()).toBe('acme gave back 5 euros of inv_1');
      expect(existsSync(join(folder, '.tool-search/tool-search.sqlite'))).toBe(true);
    } finally {
      process.chdir(before);
      rmSync(folder, { recursive: true, force: true });
    }
  }, 30_000);
});

describe('the other snippets of the README', () => {
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
    await exposeControllers(app);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  }, 30_000);
  afterAll(async () => {
    await app?.close();
    mcp?.closeAllConnections();
    mcp?.close();
  });

  const names = async (role: string): Promise<string[]> =>
    (await fetch(`${url}/tools`, { headers: { 'x-role': role } })).json() as Promise<string[]>;

  it('bring tools from many kinds of sources, and show money to finance only', async () => {
    const shared = [
      'api.health_controller_check',
      'api.tools_controller_names',
      'calculator.add',
      'crm.list_customers',
      'docs.read_page',
    ];
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
        catalog: { status: 'up', sources: { docs: { instances: 1, ready: 1, tools: 1, refused: 0 } } },
        control: { status: 'up', state: 'ready' },
      },
    });
  });

  it('put a route under the decision of a tool, and say why somebody does not have it', async () => {
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

  it('let operators in, and nobody else', async () => {
    const status = async (role: string) =>
      (await fetch(`${url}/admin/tools/status`, { headers: { 'x-role': role } })).status;
    expect([await status('admin'), await status('finance')]).toEqual([200, 403]);
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

  it('run in a job, where a guard that needs a request refuses, and a frozen tenant has nothing', async () => {
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
