import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CanActivate, type ExecutionContext, type INestApplication, Injectable } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  CodeSource,
  defineTool,
  ToolSearchError,
  ToolSearchModule,
  type ToolContext,
  type ToolDefinition,
  type ToolVisibilityPolicy,
  VisibilityPolicy,
} from '@tool-search/core';
import { ToolGatewayModule } from './tool-gateway.module.js';
import type { ToolGatewayOptions } from './tool-gateway.options.js';

const { version: OWN_VERSION } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as {
  readonly version: string;
};

interface Incoming {
  readonly headers: Record<string, string>;
  user?: ToolContext;
}

/** Bearer tokens of the form `tenant.user`. */
@Injectable()
class TokenGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<Incoming>();
    const [tenantId, userId] = (/^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1] ?? '').split('.');
    if (!tenantId || !userId) throw new ToolSearchError('UNAUTHENTICATED', 'Who are you?');
    request.user = { tenantId, userId };
    return true;
  }
}

@Injectable()
@VisibilityPolicy()
class GlobexSecret implements ToolVisibilityPolicy {
  filter(all: readonly ToolDefinition[], { tenantId }: ToolContext) {
    return all.filter(({ name }) => name !== 'shop.secret' || tenantId === 'globex');
  }
}

const tools = () => [
  defineTool({ name: 'ping', description: 'Answers pong.', sideEffects: 'read', loading: 'always', run: () => 'pong' }),
  defineTool({
    name: 'refund',
    description: 'Refunds an order.',
    loading: 'deferred',
    run: () => ({ refunded: true }),
  }),
  defineTool({ name: 'secret', description: 'Only for globex.', run: () => 'secret' }),
];

async function startedApp(kind: 'express' | 'fastify', options: ToolGatewayOptions = {}) {
  const module = await Test.createTestingModule({
    imports: [
      ToolSearchModule.forRoot({
        context: (request: Incoming) => request.user,
        sources: [new CodeSource({ name: 'shop', tools: tools() })],
      }),
      ToolGatewayModule.forRoot({ path: 'mcp', guards: [TokenGuard], ...options }),
    ],
    providers: [TokenGuard, GlobexSecret],
  }).compile();
  const app = kind === 'fastify' ? module.createNestApplication(new FastifyAdapter()) : module.createNestApplication();
  await app.listen(0, '127.0.0.1');
  return app as INestApplication;
}

async function connected(app: INestApplication, era: 'legacy' | 'modern', token: string, path = '/mcp') {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  );
  const url = new URL(`${await app.getUrl()}${path}`);
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  return client;
}

describe.each(['express', 'fastify'] as const)('the gateway on %s', (kind) => {
  let app: INestApplication;
  beforeAll(async () => {
    app = await startedApp(kind);
  });
  afterAll(() => app.close());

  describe.each(['modern', 'legacy'] as const)('to a %s client', (era) => {
    it('lists, searches and calls through the bridge', async () => {
      const client = await connected(app, era, 'acme.ann');
      const { tools: listed } = await client.listTools();
      expect(listed.map(({ name }) => name)).toEqual(['shop__ping', 'tool_call', 'tool_get', 'tool_search']);
      expect(client.getInstructions()).toContain('It finds 1 tools: shop.');
      expect(client.getServerVersion()).toEqual({ name: 'tool-search', version: OWN_VERSION });
      const found = await client.callTool({ name: 'tool_search', arguments: { query: 'refund an order' } });
      expect(JSON.stringify(found.content)).toContain('shop.refund');
      expect(found).not.toHaveProperty('structuredContent');
      const called = await client.callTool({ name: 'tool_call', arguments: { name: 'shop.refund', arguments: {} } });
      expect(called).toMatchObject({ structuredContent: { refunded: true } });
      const direct = await client.callTool({ name: 'shop__ping', arguments: {} });
      expect(direct.content).toEqual([{ type: 'text', text: 'pong' }]);
      await client.close();
    });

    it('answers a hidden tool like an unknown one', async () => {
      const client = await connected(app, era, 'acme.ann');
      const [hidden, unknown] = await Promise.all(
        ['shop.secret', 'shop.nothing'].map((name) =>
          client.callTool({ name: 'tool_call', arguments: { name, arguments: {} } }),
        ),
      );
      expect(hidden).toEqual(unknown);
      expect(hidden).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'TOOL_NOT_AVAILABLE' } });
      await client.close();
    });

    it('lists everything at /all', async () => {
      const client = await connected(app, era, 'globex.bob', '/mcp/all');
      const { tools: listed } = await client.listTools();
      expect(listed.map(({ name }) => name)).toEqual(['shop__ping', 'shop__refund', 'shop__secret', 'tool_result']);
      await client.close();
    });
  });
});
