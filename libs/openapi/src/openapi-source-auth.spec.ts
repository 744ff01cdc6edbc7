import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { ToolCall, ToolContext } from '@tool-search/core';
import fc from 'fast-check';
import { OpenApiSource, type OpenApiSourceOptions } from './index.js';

const { signal } = new AbortController();
const call: ToolCall = { id: 'call', signal, deadline: Date.now() + 60_000, progress: () => undefined };
const ada: ToolContext = { tenantId: 'acme', userId: 'ada' };
const error = (code: string, hint?: string) =>
  expect.objectContaining({ code, ...(hint === undefined ? {} : { hint: expect.stringContaining(hint) }) });

describe('credentials', () => {
  let server: Server;
  let baseUrl: string;
  let seen: { url: string; headers: IncomingMessage['headers'] }[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push({ url: request.url ?? '', headers: request.headers });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  beforeEach(() => {
    seen = [];
  });

  const securitySchemes = {
    token: { type: 'http', scheme: 'Bearer' },
    login: { type: 'http', scheme: 'basic' },
    digest: { type: 'http', scheme: 'digest' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    query: { type: 'apiKey', in: 'query', name: 'api_key' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
    cookie2: { type: 'apiKey', in: 'cookie', name: 'csrf' },
    oauth: { type: 'oauth2', flows: {} },
    oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example.com' },
    host: { type: 'apiKey', in: 'header', name: 'Host' },
    hop: { type: 'apiKey', in: 'header', name: 'Transfer-Encoding' },
  };
  const documentOf = (security: unknown, more: object = {}) => ({
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    components: { securitySchemes },
    paths: {
      '/thing': {
        get: {
          operationId: 'thing',
          security,
          parameters: [
            { name: 'filter', in: 'query', schema: { type: 'object' }, style: 'form', explode: true },
            { name: 'X-Key', in: 'header' },
            { name: 'api_key', in: 'query' },
          ],
        },
      },
    },
    ...more,
  });
  const made = async (security: unknown, options: Partial<OpenApiSourceOptions>) => {
    const source = new OpenApiSource({ name: 'api', document: documentOf(security), baseUrl, ...options });
    await source.load(signal);
    return source;
  };
  const run = async (
    security: unknown,
    auth: OpenApiSourceOptions['auth'],
    options: Partial<OpenApiSourceOptions> = {},
    context = ada,
    input: object = {},
  ) => (await made(security, { auth, ...options })).call('thing', input, context, call);

  it.each<[string, OpenApiSourceOptions['auth'], object]>([
    ['token', { token: 't0ken' }, { headers: { authorization: 'Bearer t0ken' } }],
    ['login', { login: { username: 'ada', password: 'pa:ss' } }, { headers: { authorization: 'Basic YWRhOnBhOnNz' } }],
    ['key', { key: 'k' }, { headers: { 'x-key': 'k' } }],
    ['query', { query: 'a b&c=d' }, { url: '/thing?api_key=a%20b%26c%3Dd' }],
    ['cookie', { cookie: 'abc' }, { headers: { cookie: 'sid=abc' } }],
    ['oauth', { oauth: () => 'o' }, { headers: { authorization: 'Bearer o' } }],
    ['oidc', { oidc: async () => 'i' }, { headers: { authorization: 'Bearer i' } }],
  ])('of the scheme "%s" travel where the document says', async (scheme, auth, expected) => {
    await run([{ [scheme]: [] }], auth);
    expect(seen).toMatchObject([expected]);
  });

  it('of several schemes travel together', async () => {
    await run([{ cookie: [], cookie2: [], key: [] }], { cookie: 'a', cookie2: 'b', key: 'k' });
    expect(seen[0]?.headers).toMatchObject({ cookie: 'sid=a; csrf=b', 'x-key': 'k' });
  });

  it('are those of the first alternative that is complete', async () => {
    await run([{ token: [], key: [] }, { query: [] }, { login: [] }], { key: 'k', query: 'q' });
    expect(seen).toMatchObject([{ url: '/thing?api_key=q' }]);
    expect(seen[0]?.headers).not.toHaveProperty('x-key');
  });

  it('may be missing where the operation also goes without, and are sent where they are there', async () => {
    await run([{}, { token: [] }], {});
    await run([{}, { token: [] }], { token: 't0ken' });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer t0ken']);
  });

  it.each<[string, unknown, OpenApiSourceOptions['auth']]>([
    ['nothing is set', [{ token: [] }], undefined],
    ['one of two is', [{ token: [], key: [] }], { token: 't0ken' }],
    ['the user has none', [{ token: [] }], { token: () => undefined }],
    ['the scheme is not known', [{ nothing: [] }], { nothing: 'x' }],
    ['the scheme cannot be sent', [{ digest: [] }], { digest: 'x' }],
    ['the scheme would steer the request', [{ host: [] }, { hop: [] }], { host: 'evil', hop: 'chunked' }],
    ['the credential does not fit its scheme', [{ login: [] }], { login: 'ada' }],
    ['a cookie would hold another one', [{ cookie: [] }], { cookie: 'a; admin=1' }],
    ['a header would hold another one', [{ key: [] }], { key: 'a\r\nhost: evil' }],
    ['the function throws', [{ token: [] }], { token: () => Promise.reject(new Error('secret-1')) }],
  ])('are asked of the operator, and nothing is sent, when %s', async (_, security, auth) => {
    const failed = await run(security, auth).catch((thrown: unknown) => thrown);
    expect(failed).toEqual(error('SOURCE_UNAVAILABLE', 'for the operator'));
    expect(JSON.stringify(failed)).not.toMatch(/secret-1|evil|admin=1/);
    expect(seen).toEqual([]);
  });

  it('that stand in headers count, and headers without auth are the own affair of who sets them', async () => {
    await run([{ token: [] }], {}, { headers: { authorization: 'Own x' } });
    await run([{ token: [] }], undefined, { headers: () => ({ 'x-own': '1' }) });
    expect(seen.map(({ headers }) => [headers.authorization, headers['x-own']])).toEqual([
      ['Own x', undefined],
      [undefined, '1'],
    ]);
  });

  it('are asked for at every call, for that user', async () => {
    const asked: unknown[] = [];
    const auth = { token: ({ userId }: ToolContext) => (asked.push(userId), userId === 'eve' ? undefined : userId) };
    const source = await made([{ token: [] }], { auth });
    const as = (userId: string) => source.call('thing', {}, { tenantId: 'acme', userId }, call);
    await as('ada');
    await as('bob');
    await expect(as('eve')).rejects.toEqual(error('SOURCE_UNAVAILABLE'));
    await as('ada');
    expect(asked).toEqual(['ada', 'bob', 'eve', 'ada']);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer ada', 'Bearer bob', 'Bearer ada']);
  });

  it.each<[string, Partial<OpenApiSourceOptions>]>([
    ['header', { headers: () => ({ authorization: 'Bearer s3cr3t\nx' }) }],
    ['bearer', { auth: { token: 's3cr3t\nx' } }],
    ['key', { auth: { key: 's3cr3t\nx' } }],
    ['cookie', { auth: { cookie: 's3cr3t;x' } }],
  ])('that cannot be sent (%s) are quoted in no error and no log', async (_, options) => {
    const source = await made([{ token: [] }, { key: [] }, { cookie: [] }], options);
    const thrown = await source.call('thing', {}, ada, call).catch((reason: unknown) => reason);
    expect(thrown).toEqual(error('SOURCE_UNAVAILABLE'));
    expect(inspect(thrown, { depth: 20, showHidden: true })).not.toContain('s3cr3t');
    expect(seen).toEqual([]);
  });

  it('never come from arguments', async () => {
    const source = await made([{ key: [], query: [] }], { auth: { key: 'k', query: 'q' } });
    const [tool] = await source.load(signal);
    expect(Object.keys(tool?.inputSchema?.['properties'] as object)).toEqual(['filter']);
    await expect(source.call('thing', { filter: { api_key: 'mine' } }, ada, call)).rejects.toEqual(
      error('INVALID_ARGUMENTS'),
    );
    await source.call('thing', { filter: { a: '1' }, 'X-Key': 'mine', authorization: 'mine' }, ada, call);
    expect(seen).toMatchObject([{ url: '/thing?a=1&api_key=q', headers: { 'x-key': 'k' } }]);
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
  });

  it("stay at the source's own origin", async () => {
    const elsewhere = documentOf([{ token: [] }], { servers: [{ url: 'https://api.example.com' }] }) as {
      paths: { '/thing': { get: { servers?: object[] } } };
    };
    elsewhere.paths['/thing'].get.servers = [{ url: baseUrl }];
    const options = { document: elsewhere, baseUrl: undefined, egress: { allow: ['127.0.0.1'] } };
    await expect(run([], { token: 't0ken' }, options)).rejects.toEqual(error('SOURCE_UNAVAILABLE', 'baseUrl'));
    expect(seen).toEqual([]);
  });

  it('whose name the document does not have are reported as typing errors', async () => {
    const source = await made([], {
      auth: { tokne: 'x' },
      alwaysLoaded: ['thnig'],
      include: ['thing', { tags: ['a'] }],
    });
    expect(source.leftOut().map(({ name }) => name)).toEqual([
      'include {"tags":["a"]}',
      'alwaysLoaded "thnig"',
      'auth "tokne"',
    ]);
  });

  it('whatever the arguments: host, number of segments and credentials stay', async () => {
    const path = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const parameters = [path, { name: 'q', in: 'query' }, { name: 'X-Trace', in: 'header' }];
    const document = documentOf([], { paths: { '/a/{id}/b': { get: { operationId: 'thing', parameters } } } });
    const source = await made([], { document, headers: { authorization: 'Bearer operator' } });
    const nasty = fc.constantFrom(
      '..',
      '%2e%2e',
      '/',
      '\\',
      '//evil',
      '?x=1',
      '#',
      '@evil',
      ':',
      '\r\n',
      '\0',
      '%00',
      '％2f',
    );
    const text = fc
      .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 4 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (id, q, trace) => {
        seen = [];
        await source.call('thing', { id, q, 'X-Trace': trace }, ada, call).catch((failed: unknown) => {
          expect(failed).toEqual(error('INVALID_ARGUMENTS'));
        });
        for (const { url, headers } of seen) {
          const { pathname, searchParams } = new URL(url, baseUrl);
          expect(pathname.split('/')).toHaveLength(4);
          expect(decodeURIComponent(pathname.split('/')[2] ?? '')).toBe(id);
          expect([...searchParams.keys()]).toEqual(['q']);
          expect(headers.authorization).toBe('Bearer operator');
          expect(`http://${headers.host}`).toBe(baseUrl);
        }
      }),
      { numRuns: 100 },
    );
  });
});
