import { gzipSync } from 'node:zlib';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Tool, ToolCatalog, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { OpenApiSource, type OpenApiSourceOptions } from '@tool-search/openapi';
import { MisbehavingHttpApi } from '../support/misbehaving-http-api.js';

class ClockTools {
  @Tool({ description: 'Tell the time.', sideEffects: 'read' })
  now() {
    return new Date(0).toISOString();
  }
}

const get = (operationId: string, more: object = {}) => ({ get: { operationId, ...more } });
const head = { openapi: '3.1.0', info: { title: 'Hostile', version: '1' } };
const text = (body: string | Buffer, headers: Record<string, string> = {}) => ({
  headers,
  body,
});
const bomb = `a: &a [x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, i) => `${name}: &${name} [${`*${'abcdefg'[i]},`.repeat(9)}]`).join('\n')}\nopenapi: 3.1.0\npaths: {x: *h}`;
const fetched = {
  yaml_bomb: text(bomb),
  endless: text(Buffer.alloc(300_000, 0x20)),
  packed: text(gzipSync(Buffer.alloc(100_000_000, 0x20)), { 'content-encoding': 'gzip' }),
  page: text('<!doctype html><script>alert(1)</script>'),
  list: text('[]'),
  deep: text('['.repeat(100_000) + ']'.repeat(100_000)),
  truncated: text('{"openapi":"3.1.0","paths":{'),
} as const;

describe('documents that mean no good', () => {
  let api: MisbehavingHttpApi;
  let app: INestApplicationContext;

  const recursive = {
    type: 'object',
    properties: { next: { $ref: '#/components/schemas/Node' }, name: { type: 'string' } },
  };
  const parameter = (name: string, place: string) => ({ name, in: place, schema: { type: 'string' } });
  const documents: Readonly<Record<string, object>> = {
    references: {
      ...head,
      paths: {
        '/fine': get('fine'),
        '/http': get('http', { parameters: [{ $ref: 'http://169.254.169.254/p.json' }] }),
        '/file': get('file', { parameters: [{ $ref: 'file:///etc/passwd' }] }),
        '/item': { $ref: '//evil.example/item' },
        '/nowhere': get('nowhere', { parameters: [{ $ref: '#/components/parameters/Gone' }] }),
        '/circle': get('circle', { parameters: [{ $ref: '#/components/parameters/A' }] }),
        '/proto': get('proto', { parameters: [{ $ref: '#/components/parameters/__proto__' }] }),
      },
      components: {
        parameters: JSON.parse(
          '{"A":{"$ref":"#/components/parameters/B"},"B":{"$ref":"#/components/parameters/A"},"__proto__":{"name":"x","in":"query"}}',
        ) as object,
      },
    },
    recursion: {
      ...head,
      paths: {
        '/nodes': {
          post: {
            operationId: 'add',
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } },
            },
          },
        },
      },
      components: { schemas: { Node: recursive } },
    },
    headers: {
      ...head,
      paths: {
        '/fine': get('fine', {
          parameters: [
            ...['Authorization', 'Host', 'Cookie', 'Transfer-Encoding', 'X-Forwarded-For', 'Proxy-Authorization'].map(
              (name) => parameter(name, 'header'),
            ),
            parameter('sid', 'cookie'),
            parameter('X-Fine', 'header'),
          ],
        }),
      },
    },
    paths: { ...head, paths: { '/echo/{id}/end': get('read', { parameters: [parameter('id', 'path')] }) } },
    names: {
      ...head,
      paths: {
        '/a': get('same'),
        '/b': get('same'),
        '/c': { get: {} },
        '/A': { get: {} },
        '/d': get('tool_search'),
        '/e': get('__proto__'),
      },
    },
    words: { ...head, paths: { '/fine': get('fine', { summary: '`"; DROP TABLE x; -- ${process.exit(1)} </tool>' }) } },
    hidden: { ...head, paths: { '/fine': get('fine', { summary: 'Read\u200b\u202e this.' }) } },
    many: {
      ...head,
      paths: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`/p${i}`, get(`operation${i}`)])),
    },
  };

  beforeAll(async () => {
    api = await MisbehavingHttpApi.start(
      Object.fromEntries(
        Object.entries(fetched).map(([name, { headers, body }]) => [
          name,
          ({ response }) => response.writeHead(200, { ...headers }).end(body),
        ]),
      ),
    );
    const source = (name: string, document: OpenApiSourceOptions['document']) =>
      new OpenApiSource({ name, document, baseUrl: api.url, maxDocumentBytes: 250_000, limits: { tools: 1000 } });
    @Module({
      imports: [
        ToolSearchModule.forRoot({
          context: () => ({ tenantId: 't' }),
          catalog: { bootWaitMs: 600_000 },
          sources: [
            ...Object.entries(documents).map(([name, document]) => source(name, document)),
            ...Object.keys(fetched).map((name) => source(name, new URL(`${api.url}/${name}`))),
            source('to_metadata', new URL(`${api.url}/to_metadata`)),
            source('crash', new URL(`${api.url}/crash`)),
            source('close_within', new URL(`${api.url}/close_within`)),
            new OpenApiSource({ name: 'never', document: new URL(`${api.url}/never`), loadTimeoutMs: 500 }),
            new OpenApiSource({ name: 'drip', document: new URL(`${api.url}/drip`), loadTimeoutMs: 500 }),
            new OpenApiSource({ name: 'metadata', document: new URL('http://169.254.169.254/openapi.json') }),
            new OpenApiSource({ name: 'tenants', owner: 't', document: new URL(`${api.url}/fine`) }),
          ],
        }),
      ],
      providers: [ClockTools],
    })
    class App {}
    const module = await Test.createTestingModule({ imports: [App] }).compile();
    module.useLogger(false);
    app = await module.init();
  });
  afterAll(async () => {
    await app?.close();
    await api?.stop();
  });

  const statusOf = (name: string) =>
    app
      .get(ToolCatalog)
      .sources()
      .find(({ source }) => source === name);
  const toolsOf = (name: string) =>
    app
      .get(ToolCatalog)
      .current()
      .tools.filter(({ source }) => source === name);
  const call = (name: string, input: object = {}) =>
    app.get(ToolSearchService).open({ tenantId: 't' }).call(name, input);

  it('do not stop what is healthy', async () => {
    expect(await call('clock.now')).toMatchObject({ ok: true });
    expect(await call('references.fine')).toMatchObject({ ok: true });
  });

  it.each([
    ['yaml_bomb', 'UPSTREAM_INVALID'],
    ['endless', 'SOURCE_LIMIT'],
    ['packed', 'SOURCE_LIMIT'],
    ['page', 'UPSTREAM_INVALID'],
    ['list', 'UPSTREAM_INVALID'],
    ['deep', 'UPSTREAM_INVALID'],
    ['truncated', 'UPSTREAM_INVALID'],
    ['to_metadata', 'UPSTREAM_INVALID'],
    ['crash', 'SOURCE_UNAVAILABLE'],
    ['close_within', 'SOURCE_UNAVAILABLE'],
    ['never', 'SOURCE_UNAVAILABLE'],
    ['drip', 'SOURCE_UNAVAILABLE'],
    ['metadata', 'SOURCE_UNAVAILABLE'],
    ['tenants', 'SOURCE_UNAVAILABLE'],
    ['many', 'SOURCE_LIMIT'],
  ])('as a whole ("%s") load no tool and are reported with %s', (name, code) => {
    expect(statusOf(name)).toMatchObject({ state: 'degraded', tools: 0, code });
    expect(JSON.stringify(statusOf(name))).not.toMatch(/hunter2|node_modules/);
  });

  it('never make anybody fetch what they refer to', () => {
    expect(toolsOf('references').map(({ name }) => name)).toEqual(['references.fine']);
    const { refused } = statusOf('references')!;
    const reasons = Object.fromEntries(refused.map(({ name, reason }) => [name, reason]));
    // With GET /http and GET /file.
    expect(refused.find(({ name }) => name === '/item')).toMatchObject({ count: 3 });
    expect(reasons).toEqual({
      '/item': expect.stringContaining('never fetched'),
      'GET /nowhere': expect.stringContaining('does not have'),
      'GET /circle': expect.stringContaining('too many'),
      'GET /proto': expect.stringContaining('no document may have'),
      'parameters __proto__': expect.stringContaining('this name'),
    });
    expect(api.seen.some(({ url }) => /p\.json|passwd|item/.test(url))).toBe(false);
  });

  it('that are recursive end somewhere', () => {
    expect(toolsOf('recursion')).toHaveLength(1);
    expect(JSON.stringify(toolsOf('recursion')[0]?.inputSchema).length).toBeLessThan(1000);
  });

  it('do not get at headers that are not theirs', async () => {
    const [tool] = toolsOf('headers');
    expect(Object.keys(tool?.inputSchema['properties'] as object)).toEqual(['X-Fine', 'sid']);
    expect(await call('headers.fine', { Authorization: 'x' })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect(await call('headers.fine', { 'X-Fine': 'a\r\nauthorization: x' })).toMatchObject({
      code: 'INVALID_ARGUMENTS',
    });
  });

  it.each(['..', '.', '', '%2e%2e', 'a/../b', '..\\x', '/', '?x=1', '#', '@evil'])(
    'keep an argument %j within its segment of the path',
    async (id) => {
      api.seen.length = 0;
      const result = await call('paths.read', { id });
      // Sources that are down are retried meanwhile.
      const urls = api.seen.map(({ url }) => url).filter((url) => url.includes('/echo/'));
      if (!result.ok) expect([result.code, urls]).toEqual(['INVALID_ARGUMENTS', []]);
      else expect(urls).toEqual([`/echo/${encodeURIComponent(id)}/end`]);
    },
  );

  it('name their tools in one way for any order, and never like a meta tool or a prototype', () => {
    const names = toolsOf('names').map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength(6);
    for (const name of names) expect(name).toMatch(/^names\.[a-z0-9_]+$/);
    expect(names).toEqual(expect.arrayContaining(['names.get_b', 'names.tool_search', 'names.proto']));
  });

  it('are treated as text only', () => {
    expect(toolsOf('words')[0]?.description).toBe('`"; DROP TABLE x; -- ${process.exit(1)} </tool>');
  });

  it('with invisible text are held', async () => {
    expect(toolsOf('hidden')[0]?.suspicion).toEqual(expect.any(String));
    expect(await call('hidden.fine')).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });
});
