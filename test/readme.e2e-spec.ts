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
import { NightlyJob, usageModule, withoutSdk } from './readme/usage.js';

describe('the first snippet of the README', () => {
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
      servers: [{ url: 'http://127.0.0.1:9' }],
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
      request.user = { tenantId: 'acme', roles: request.headers['x-role']?.split(',') ?? [] };
      next();
    });
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

  it('bring tools from three kinds of sources, and show money to finance only', async () => {
    expect(await names('finance')).toEqual(['crm.list_customers', 'docs.read_page', 'payout.pay_out']);
    expect(await names('staff')).toEqual(['crm.list_customers', 'docs.read_page']);
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
