import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { Controller, Get, Query } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ToolSearchService } from '@tool-search/core';
import { ToolSearchTestingModule } from '@tool-search/core/testing';
import request from 'supertest';
import { describeOnPostgres } from '../../libs/typeorm/test/describe-on-postgres.js';
import { AssistantService } from './agent.service.js';
import { AppModule as QuickStart } from './app.module.js';
import { NightlyJob } from './nightly.job.js';

/* The modules that the documentation shows as files of an application. */

const NAMES = ['DOCS_URL', 'CRM_DOCUMENT', 'DATABASE_URL', 'MODEL_WINDOW'] as const;
const before = { folder: process.cwd(), env: NAMES.map((name) => process.env[name]) };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tool-search-modules-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(before.folder);
  NAMES.forEach((name, index) => {
    const value = before.env[index];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  });
  rmSync(folder, { recursive: true, force: true });
});

const compiled = async (module: new () => object) =>
  Test.createTestingModule({ imports: [module] })
    .setLogger(false as never)
    .compile();

describe('a module with a server and a document', () => {
  let mcp: Server;
  beforeAll(async () => {
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'docs', version: '1' });
      server.registerTool('read_page', { description: 'Read a page.' }, () => ({ content: [] }));
      server.registerTool('delete_page', { description: 'Delete a page.' }, () => ({ content: [] }));
      return server;
    });
    mcp = createServer((message, response) => void toNodeHandler(handler)(message, response));
    await new Promise<void>((resolve) => mcp.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    mcp.closeAllConnections();
    mcp.close();
  });

  it('has the tools of both that its globs take', async () => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'CRM', version: '1' },
      servers: [{ url: 'https://crm.example.com' }],
      paths: { '/customers': { get: { operationId: 'listCustomers' }, delete: { operationId: 'deleteCustomers' } } },
    };
    writeFileSync('crm.openapi.json', JSON.stringify(document));
    process.env.DOCS_URL = `http://127.0.0.1:${(mcp.address() as AddressInfo).port}/mcp`;
    const { AppModule } = await import('./sources.js');
    const app = await (await compiled(AppModule)).init();
    const visible = await app.get(ToolSearchService, { strict: false }).open({ tenantId: 'acme' }).visible();
    expect(visible.map(({ name }) => name)).toEqual(['crm.list_customers', 'docs.read_page']);
    await app.close();
  });
});

describe('a module whose options come from the environment', () => {
  it('does not start without the variable that chooses its store', async () => {
    delete process.env.DATABASE_URL;
    const { AppModule } = await import('./configured.js');
    await expect(compiled(AppModule)).rejects.toThrow(/DATABASE_URL/);
  });
});

describeOnPostgres('a module whose options come from the environment', (url) => {
  it('keeps its state there', async () => {
    process.env.DATABASE_URL = url();
    process.env.MODEL_WINDOW = '64000';
    const { AppModule } = await import('./configured.js');
    const app = await (await compiled(AppModule)).init();
    const toolbox = app.get(ToolSearchService, { strict: false }).open({ tenantId: 'acme' });
    expect((await toolbox.surface()).meta.map(({ name }) => name)).toEqual(['tool_search', 'tool_get']);
    await app.close();
  });
});

describe('a job beside the quick start', () => {
  it('calls its tool, until the tenant is frozen', async () => {
    const module = await Test.createTestingModule({ imports: [QuickStart], providers: [NightlyJob] })
      .setLogger(false as never)
      .compile();
    await module.init();
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const job = module.get(NightlyJob);
    expect(await job.run('acme')).toMatchObject({ content: [{ text: 'acme gave back 5 euros of inv_1' }] });
    job.freeze('acme');
    expect(await job.run('acme')).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ tool: 'billing.refund', rule: 'tenant:deny:*' }));
    warn.mockRestore();
    await module.close();
  });
});

describe('a service with the toolbox in its constructor', () => {
  @Controller('suggestions')
  class SuggestionsController {
    constructor(private readonly assistant: AssistantService) {}

    @Get()
    of(@Query('text') text: string) {
      return this.assistant.suggest(text);
    }
  }

  it('suggests tools of the caller of each request', async () => {
    const module = await Test.createTestingModule({
      imports: [
        ToolSearchTestingModule.forTools(['crm.read_customer', 'crm.delete_customer'], {
          context: ({ headers }) => ({ tenantId: headers['x-tenant'] }),
          policy: { deny: ['*.delete_*'] },
        }),
      ],
      controllers: [SuggestionsController],
      providers: [AssistantService],
    }).compile();
    const app = module.createNestApplication();
    await app.init();
    const { body } = await request(app.getHttpServer())
      .get('/suggestions?text=delete or read a customer')
      .set('x-tenant', 'acme')
      .expect(200);
    expect(body).toEqual(['crm.read_customer']);
    await app.close();
  });
});
