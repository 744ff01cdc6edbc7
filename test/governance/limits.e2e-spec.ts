import { Controller, Get, type INestApplication, Inject, Post, Req, Res } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { RequiresTool, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { ToolLimits } from '@tool-search/core/operators';
import { FakeSource } from '@tool-search/core/testing';
import type { ServerResponse } from 'node:http';
import {
  ACME,
  GLOBEX,
  OPERATOR,
  type ReferenceServer,
  type RequestOptions,
  startReferenceServer,
} from '../support/reference-server.js';

const INVOICES = 'billing.list_invoices';
const HOUR = 3_600_000;

describe('limits over HTTP', () => {
  let server: ReferenceServer;
  const admin = (path: string, options: RequestOptions = {}) =>
    server.request(`/admin/tools/${path}`, { token: OPERATOR, ...options });
  const call = async (name: string, input: object, session: string, token = ACME) => {
    const options = { body: { name, arguments: input }, token, headers: { 'x-session-id': session } };
    const { status, body } = await server.request('/toolbox/call', options);
    return [status, body.ok ? 'ok' : body.code, body] as const;
  };

  const outcome = async (...of: Parameters<typeof call>) => (await call(...of)).slice(0, 2);

  beforeAll(async () => {
    const rules = [{ id: 'code', match: { tool: 'nothing.*' }, rate: { calls: 1, windowMs: 1000 } }];
    server = await startReferenceServer({ TOOL_SEARCH_LIMITS_RULES: JSON.stringify(rules) });
  });
  afterAll(async () => {
    delete process.env['TOOL_SEARCH_LIMITS_RULES'];
    await server?.close();
  });

  it('are set, shown, explained and removed by operators, and no session or bridge escapes them', async () => {
    const limit = { match: { tool: INVOICES }, per: ['user'], rate: { calls: 2, windowMs: HOUR } };
    const set = await admin('limits/invoices', { method: 'PUT', body: { limit, reason: 'slow today' } });
    expect([set.status, set.body]).toMatchObject([
      200,
      { limit: { id: 'invoices', hard: true }, stored: { reason: 'slow today' } },
    ]);
    expect(set.controlRevision).toBe(String(set.body.stored.revision));
    expect(await outcome(INVOICES, {}, 's1')).toEqual([200, 'ok']);
    expect(await outcome('tool_call', { name: INVOICES, arguments: {} }, 's2')).toEqual([200, 'ok']);
    for (const session of ['s1', 's2', 's3']) {
      const [status, code, refused] = await call(INVOICES, {}, session);
      expect([status, code, refused]).toMatchObject([200, 'LIMIT_REACHED', { limit: 'invoices' }]);
      expect(refused.retryAfterSeconds).toBeGreaterThan(3000);
    }
    expect(await outcome('tool_call', { name: INVOICES, arguments: {} }, 's4')).toEqual([200, 'LIMIT_REACHED']);
    expect(await outcome(INVOICES, {}, 's1', GLOBEX)).toEqual([200, 'ok']);

    const listed = await admin('limits?tenantId=acme&userId=ada');
    expect(listed.body.items).toMatchObject([
      { limit: { id: 'code' }, usage: { used: 0, max: 1, remaining: 1 } },
      { limit: { id: 'invoices' }, usage: { used: 2, max: 2, remaining: 0 } },
    ]);
    expect(listed.body.items[0]).not.toHaveProperty('stored');
    const first = (await admin('limits?limit=1')).body;
    const second = (await admin(`limits?limit=1&cursor=${first.next}`)).body;
    expect([first.items[0].limit.id, second.items[0].limit.id, second.next]).toEqual(['code', 'invoices', undefined]);

    const context = { tenantId: 'acme', userId: 'ada', plan: 'business' };
    const { layers } = (await admin('explain', { body: { tool: INVOICES, context } })).body;
    expect(layers.find(({ layer }: { layer: string }) => layer === 'limit')).toMatchObject({
      verdict: 'deny',
      rule: 'invoices',
    });

    const old = await admin('limits/invoices?reason=over&expectedRevision=99', { method: 'DELETE' });
    expect([old.status, old.body.code]).toEqual([409, 'REVISION_CONFLICT']);
    expect((await admin('limits/invoices?reason=over', { method: 'DELETE' })).status).toBe(200);
    expect((await admin('limits/invoices?reason=over', { method: 'DELETE' })).status).toBe(404);
    expect((await admin('limits/code?reason=over', { method: 'DELETE' })).body.code).toBe('STATIC_POLICY');
    expect(await outcome(INVOICES, {}, 's1')).toEqual([200, 'ok']);
    const { items } = (await admin('audit?action=limit.')).body;
    expect(items.map(({ action, subject }: Record<string, string>) => [action, subject])).toEqual([
      ['limit.removed', 'invoices'],
      ['limit.set', 'invoices'],
    ]);
    expect((await admin('audit/verify')).body).toMatchObject({ valid: true });
  });

  it.each([
    [{ rate: { calls: 1, windowMs: 1 } }, 'windowMs'],
    [{ rate: { calls: 1, windowMs: 1000 }, unknown: 1 }, 'unknown'],
    [{}, 'exactly one'],
    [{ budget: { of: 'euros', max: 1, every: 'day' } }, 'unit of cost'],
  ])('are refused with the reason: %j', async (limit, reason) => {
    const { status, body } = await admin('limits/bad', { method: 'PUT', body: { limit, reason: 'a test' } });
    expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(body.detail).toContain(reason);
  });
});

/** Responses that are open until a test ends them. */
const open: ServerResponse[] = [];

@Controller()
class Routes {
  constructor(@Inject(ToolSearchService) private readonly service: ToolSearchService) {}

  @Get('export')
  @RequiresTool('crm.export')
  export() {
    return 'exported';
  }

  @Get('stream')
  @RequiresTool({ tag: 'slow' })
  stream(@Res() response: ServerResponse & { raw?: ServerResponse }) {
    const raw = response.raw ?? response;
    raw.write('begun');
    open.push(raw);
  }

  @Post('call')
  call(@Req() { headers }: { headers: Record<string, string> }) {
    return this.service.open({ tenantId: 'acme', userId: headers['x-user'] ?? 'ada' }).call('crm.export', {});
  }
}

const compiled = () =>
  Test.createTestingModule({
    imports: [
      ToolSearchModule.forRoot({
        context: ({ headers }: { headers: Record<string, string> }) => ({
          tenantId: 'acme',
          userId: headers['x-user'] ?? 'ada',
        }),
        sources: [new FakeSource('crm', ['export', { name: 'watch', tags: ['slow'] }])],
        limits: {
          rules: [
            { id: 'exports', match: { tool: 'crm.export' }, per: ['user'], rate: { calls: 2, windowMs: HOUR } },
            { id: 'watching', match: { tag: 'slow' }, concurrency: { calls: 1 } },
          ],
        },
      }),
    ],
    controllers: [Routes],
  })
    .setLogger(false as never)
    .compile();

const ADAPTERS: readonly (readonly [name: string, create: () => Promise<INestApplication>])[] = [
  ['Express', async () => (await compiled()).createNestApplication()],
  ['Fastify', async () => (await compiled()).createNestApplication<NestFastifyApplication>(new FastifyAdapter())],
];

describe.each(ADAPTERS)('a route that requires a tool, on %s', (_, create) => {
  let app: INestApplication;
  let url: string;
  beforeAll(async () => {
    app = await create();
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());
  const get = (path: string, user: string, signal?: AbortSignal) =>
    fetch(`${url}/${path}`, { headers: { 'x-user': user }, ...(signal && { signal }) });
  const watching = async () => {
    const [, limit] = await app.get(ToolLimits).list({ limit: 9 });
    return limit?.usage?.used;
  };
  const until = async (used: number) => {
    while ((await watching()) !== used) await new Promise(setImmediate);
  };

  it('is refused with 429 and Retry-After, and its requests count as calls of the tool', async () => {
    const called = await fetch(`${url}/call`, { method: 'POST', headers: { 'x-user': 'eve' } });
    expect(await called.json()).toMatchObject({ ok: true });
    expect(await (await get('export', 'eve')).text()).toBe('exported');
    const refused = await get('export', 'eve');
    const problem = (await refused.json()) as Record<string, unknown>;
    expect([refused.status, problem]).toMatchObject([429, { code: 'LIMIT_REACHED', limit: 'exports' }]);
    expect(refused.headers.get('retry-after')).toBe(String(problem.retryAfterSeconds));
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    const again = await fetch(`${url}/call`, { method: 'POST', headers: { 'x-user': 'eve' } });
    expect(await again.json()).toMatchObject({ ok: false, code: 'LIMIT_REACHED', limit: 'exports' });
    expect((await get('export', 'bob')).status).toBe(200);
  });

  it('holds a call until its response is sent, or its connection is gone', async () => {
    const first = await get('stream', 'ada');
    expect(await watching()).toBe(1);
    expect((await get('stream', 'bob')).status).toBe(429);
    open.splice(0).forEach((response) => response.end());
    expect(await first.text()).toBe('begun');
    await until(0);
    const leaving = new AbortController();
    await get('stream', 'bob', leaving.signal);
    expect(await watching()).toBe(1);
    leaving.abort();
    await until(0);
    open.splice(0).forEach((response) => response.end());
  });
});
