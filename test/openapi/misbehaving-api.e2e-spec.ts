import { lookup } from 'node:dns';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  Tool,
  ToolCatalog,
  ToolEvents,
  type ToolEventOf,
  ToolSearchModule,
  ToolSearchService,
  type ToolResult,
} from '@tool-search/core';
import { OpenApiSource, type OpenApiSourceOptions } from '@tool-search/openapi';
import { BEHAVIOURS, INNER_SECRET, type Misbehaviour, MisbehavingHttpApi } from '../support/misbehaving-http-api.js';

jest.mock('node:dns', () => {
  const dns = jest.requireActual<typeof import('node:dns')>('node:dns');
  return { ...dns, lookup: jest.fn(dns.lookup) };
});

/** Call timeout of the source that is used if no answer ever comes. */
const HASTY_MS = 300;
const TOKEN = 'tok-5up3r-s3cr3t-0f-the-operator';
const KEY = 'k3y/with+odd=characters';

class ClockTools {
  @Tool({ description: 'Tell the time.', sideEffects: 'read' })
  now() {
    return new Date(0).toISOString();
  }
}

async function start(...sources: OpenApiSource[]) {
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => ({ tenantId: 't' }),
        sources,
        catalog: { bootWaitMs: 600_000 },
        tuning: { catalog: { retryMinMs: 50, retryMaxMs: 200, refreshEveryMs: 50 } },
      }),
    ],
    providers: [ClockTools],
  })
  class App {}
  const module = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  // Logs are not part of this test.
  module.useLogger(false);
  const app = await module.init();
  const call = (name: string, input: object = {}, tenantId = 't', whole = false): Promise<ToolResult> =>
    app.get(ToolSearchService).open({ tenantId }).call(name, input, { whole });
  const statusOf = (source: string) =>
    app
      .get(ToolCatalog)
      .sources()
      .find((status) => status.source === source);
  return { app, call, statusOf, close: () => app.close() };
}

type Running = Awaited<ReturnType<typeof start>>;

const textOf = (result: ToolResult) => JSON.stringify('content' in result ? result.content : result);

describe('an HTTP API that misbehaves', () => {
  let api: MisbehavingHttpApi;
  let running: Running;

  // Each test has its own source, so that one test does not open the circuit breaker of another.
  const sourceFor = (name: string, options: Partial<OpenApiSourceOptions> = {}) =>
    new OpenApiSource({
      name,
      document: api.document({
        components: {
          securitySchemes: {
            token: { type: 'http', scheme: 'bearer' },
            key: { type: 'apiKey', in: 'query', name: 'api_key' },
          },
        },
        security: [{ token: [], key: [] }],
      }),
      baseUrl: api.url,
      auth: { token: TOKEN, key: () => KEY },
      callTimeoutMs: 60_000,
      maxResponseBytes: 300_000,
      ...options,
    });

  beforeAll(async () => {
    api = await MisbehavingHttpApi.start();
    running = await start(sourceFor('api'), sourceFor('hasty', { callTimeoutMs: HASTY_MS }));
  });
  beforeEach(() => {
    api.seen.length = 0;
  });
  afterEach(async () => {
    // After every test: other tools, and the healthy tools of the same API, still work.
    expect(await running.call('clock.now')).toMatchObject({ ok: true });
    expect(await running.call('api.fine')).toMatchObject({ ok: true, structured: { fine: true } });
  });
  afterAll(async () => {
    await running?.close();
    await api?.stop();
  });

  const misbehave = (name: Misbehaviour) => running.call(`api.${name}`);

  it.each<[Misbehaviour, string]>([
    ['never', 'TOOL_TIMEOUT'],
    ['drip', 'TOOL_TIMEOUT'],
    ['close_before', 'SOURCE_UNAVAILABLE'],
    ['close_within', 'SOURCE_UNAVAILABLE'],
    ['false_gzip', 'SOURCE_UNAVAILABLE'],
    ['huge_header', 'SOURCE_UNAVAILABLE'],
    ['bad_chunks', 'SOURCE_UNAVAILABLE'],
    ['no_http', 'SOURCE_UNAVAILABLE'],
    ['switched', 'SOURCE_UNAVAILABLE'],
    ['to_metadata', 'UPSTREAM_INVALID'],
    ['to_localhost', 'UPSTREAM_INVALID'],
    ['to_file', 'UPSTREAM_INVALID'],
    ['unauthorized', 'TOOL_FAILED'],
    ['forbidden', 'TOOL_FAILED'],
    ['not_found', 'TOOL_FAILED'],
    ['conflict', 'TOOL_FAILED'],
    ['unprocessable', 'TOOL_FAILED'],
    ['plain_trace', 'TOOL_FAILED'],
    ['slow_down', 'TOOL_FAILED'],
    ['crash', 'TOOL_FAILED'],
    ['crash_page', 'TOOL_FAILED'],
    ['overloaded', 'TOOL_FAILED'],
    ['echo_refused', 'TOOL_FAILED'],
  ])('that does "%s" is answered with %s, within the deadline and without what is inside', async (name, code) => {
    const source = code === 'TOOL_TIMEOUT' ? 'hasty' : 'api';
    const result = await running.call(`${source}.${name}`);
    expect(result).toMatchObject({ ok: false, code });
    const said = JSON.stringify(result);
    for (const inner of [
      INNER_SECRET,
      'hunter2',
      'node_modules',
      '/srv/app',
      'SELECT',
      TOKEN,
      KEY,
      '169.254',
      'etc/passwd',
    ])
      expect(said).not.toContain(inner);
    expect(said).not.toContain(encodeURIComponent(KEY));
    // Exactly one request: the redirect was not followed. On a slow machine the short deadline may end before it is sent.
    const seen = api.seen.map(({ url }) => url.split('?')[0]);
    expect(source === 'hasty' && seen.length === 0 ? [`/${name}`] : seen).toEqual([`/${name}`]);
  });

  it('says what a model can act on: what was wrong, and when to come back', async () => {
    expect(textOf(await misbehave('unprocessable'))).toContain('too old');
    expect(textOf(await misbehave('plain_trace'))).toContain('age is too old');
    expect(textOf(await misbehave('slow_down'))).toContain('retry after 7 seconds');
    expect(textOf(await misbehave('crash'))).toBe('[{"type":"text","text":"HTTP 500 Internal Server Error"}]');
  });

  it.each<Misbehaviour>(['endless', 'gzip_bomb'])('that sends without end ("%s") is cut at the bound', async (name) => {
    const result = await misbehave(name);
    expect(result).toMatchObject({ ok: true });
    expect(textOf(result)).toContain('[cut: ');
    expect(textOf(result).length).toBeLessThan(40_000);
  });

  it.each<Misbehaviour>(['not_json', 'deep', 'bad_utf8', 'nul', 'wrong_type', 'cookie'])(
    'that answers with "%s" is read as far as it goes',
    async (name) => {
      const result = await misbehave(name);
      expect(result).toMatchObject({ ok: true });
      expect(textOf(result)).not.toMatch(/(?![\t\n\r])\p{Cc}|\\u0000|\\u001b|stolen/u);
      if (name === 'not_json' || name === 'deep' || name === 'nul') expect(result).not.toHaveProperty('structured');
    },
  );

  it('cannot reach a prototype', async () => {
    const result = await misbehave('proto');
    expect(result).toMatchObject({ ok: true, structured: { a: { b: 1 } } });
    expect(JSON.stringify(result)).not.toContain('polluted');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each<Misbehaviour>(['echo', 'echo_escaped', 'echo_refused'])(
    'that echoes credentials ("%s") does not get them through',
    async (name) => {
      const said = JSON.stringify(await misbehave(name));
      expect(api.seen[0]).toMatchObject({
        url: `/${name}?api_key=${encodeURIComponent(KEY)}`,
        headers: { authorization: `Bearer ${TOKEN}` },
      });
      for (const form of [TOKEN, KEY, encodeURIComponent(KEY)]) expect(said).not.toContain(form);
      expect(said).toContain('[removed]');
    },
  );

  it('that answers with more than a model can read is shortened, and stays JSON', async () => {
    const shown = (await misbehave('many')) as Extract<ToolResult, { ok: true }>;
    const [shortest, remark] = shown.content as unknown as { text: string }[];
    expect([JSON.parse(shortest!.text), shown.handle]).toEqual([expect.any(Array), expect.any(String)]);
    expect(remark!.text).toMatch(/^\[cut: /);
    const result = (await running.call('api.many', {}, 't', true)) as Extract<ToolResult, { ok: true }>;
    const [first, note] = result.content as unknown as { text: string }[];
    expect(JSON.parse(first!.text)).toEqual(result.structured);
    expect(first!.text.length).toBeLessThan(8000 * 4.3);
    expect((result.structured as unknown[]).at(-1)).toMatch(/^\[\d+ more left out\]$/);
    expect(note!.text).toMatch(/^\[cut: /);
  });
});

describe('an HTTP API that is down', () => {
  it('is left alone after five failures, shown as degraded, and back by itself', async () => {
    const api = await MisbehavingHttpApi.start();
    const source = new OpenApiSource({ name: 'api', document: api.document(), baseUrl: api.url });
    const { app, call, statusOf, close } = await start(source);
    try {
      const events = app.get(ToolEvents);
      const next = <T extends 'source.degraded' | 'source.loaded'>(type: T) =>
        new Promise<ToolEventOf<T>>((resolve) => {
          const stop = events.on(type, (event) => {
            if ((event as { source: string }).source !== 'api') return;
            stop();
            resolve(event);
          });
        });
      const degraded = next('source.degraded');
      // A fixed clock: the second before the next probe never passes, even on a slow machine.
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
      api.flaky = 'overloaded';
      for (let i = 0; i < 3; i++) expect(await call('api.flaky')).toMatchObject({ code: 'TOOL_FAILED' });
      api.flaky = 'close_before';
      for (let i = 0; i < 2; i++) expect(await call('api.flaky')).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
      const before = api.seen.length;
      const refused = await Promise.all(Array.from({ length: 50 }, () => call('api.close_within')));
      for (const result of refused) expect(result).toMatchObject({ ok: false, code: 'SOURCE_UNAVAILABLE' });
      // The circuit breaker admits a probe now and then; a slow machine admits more of them.
      expect(api.seen.length - before).toBeLessThan(10);
      expect(await degraded).toMatchObject({ source: 'api', code: 'SOURCE_UNAVAILABLE' });
      expect(statusOf('api')).toMatchObject({ state: 'degraded', tools: Object.keys(BEHAVIOURS).length + 1 });
      expect(await call('clock.now')).toMatchObject({ ok: true });
      clock.mockRestore();
      api.flaky = 'fine';
      await next('source.loaded');
      expect(await call('api.flaky')).toMatchObject({ ok: true });
    } finally {
      await close();
      await api.stop();
    }
  });

  it('is not considered down because one of its tools is slow for one user', async () => {
    const api = await MisbehavingHttpApi.start();
    const source = new OpenApiSource({ name: 'api', document: api.document(), baseUrl: api.url, callTimeoutMs: 300 });
    const { call, statusOf, close } = await start(source);
    try {
      for (let round = 0; round < 2; round++) {
        const slow = await Promise.all(Array.from({ length: 7 }, () => call('api.never')));
        for (const result of slow) expect(result).toMatchObject({ code: 'TOOL_TIMEOUT' });
      }
      let fine = await call('api.fine', {}, 'another');
      // This call may also be slow on a busy machine; a call that was never sent has another code.
      while (!fine.ok && fine.code === 'TOOL_TIMEOUT') fine = await call('api.fine', {}, 'another');
      expect(fine).toMatchObject({ ok: true });
      expect(statusOf('api')).toMatchObject({ state: 'ready' });
    } finally {
      await close();
      await api.stop();
    }
  });

  it('is not taken for one because it refuses calls', async () => {
    const api = await MisbehavingHttpApi.start();
    const source = new OpenApiSource({ name: 'api', document: api.document(), baseUrl: api.url });
    const { call, close } = await start(source);
    try {
      for (let i = 0; i < 7; i++) expect(await call('api.crash')).toMatchObject({ code: 'TOOL_FAILED' });
      for (let i = 0; i < 7; i++) expect(await call('api.forbidden')).toMatchObject({ code: 'TOOL_FAILED' });
      expect(await call('api.fine')).toMatchObject({ ok: true });
    } finally {
      await close();
      await api.stop();
    }
  });
});

describe('addresses that are refused', () => {
  const document = (url: string) => ({
    openapi: '3.1.0',
    info: { title: 'Inside', version: '1' },
    servers: [{ url }],
    paths: { '/fine': { get: { operationId: 'fine' } } },
  });

  it.each([
    'http://169.254.169.254/latest',
    'http://localhost:9',
    'http://127.0.0.1:9',
    'http://2130706433:9',
    'http://[::1]:9',
    'http://[::ffff:169.254.169.254]',
    'http://10.1.2.3',
    'http://api.localhost',
  ])('a document that names %s as its server brings no tool', async (url) => {
    const { statusOf, call, close } = await start(new OpenApiSource({ name: 'inside', document: document(url) }));
    try {
      expect(statusOf('inside')).toMatchObject({
        state: 'ready',
        tools: 0,
        refused: [{ name: 'GET /fine', reason: expect.stringContaining('not public') }],
      });
      expect(await call('clock.now')).toMatchObject({ ok: true });
    } finally {
      await close();
    }
  });

  it('a host name of this machine is not connected to, unless it is allowed', async () => {
    const real = jest.requireActual<typeof import('node:dns')>('node:dns').lookup;
    jest
      .mocked(lookup)
      .mockImplementation(((host: string, options: object, callback: (...args: unknown[]) => void) =>
        host === 'inside.example'
          ? callback(null, [{ address: '127.0.0.1', family: 4 }])
          : (real as (...args: unknown[]) => void)(host, options, callback)) as never);
    const api = await MisbehavingHttpApi.start();
    const named = (name: string, allow: string[]) =>
      new OpenApiSource({ name, document: document(`http://inside.example:${api.port}`), egress: { allow } });
    const { call, close } = await start(named('named', []), named('allowed', ['inside.example']));
    try {
      const refused = await call('named.fine');
      expect(refused).toMatchObject({ ok: false, code: 'SOURCE_UNAVAILABLE' });
      expect(JSON.stringify(refused)).not.toMatch(/127\.0\.0\.1|inside\.example/);
      expect(api.seen).toEqual([]);
      expect(await call('allowed.fine')).toMatchObject({ ok: true });
    } finally {
      await close();
      await api.stop();
    }
  });

  it("not even by the base URL of a tenant's own source", () => {
    const own = () => new OpenApiSource({ name: 'own', owner: 'acme', document: {}, baseUrl: 'http://localhost:80' });
    expect(own).toThrow(/not public/);
  });
});
