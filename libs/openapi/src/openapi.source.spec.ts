import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { ToolCall, ToolContext, ToolDeclaration } from '@tool-search/core';
import { OpenApiSource, type OpenApiSourceOptions } from './index.js';

const context: ToolContext = { tenantId: 'acme' };
const { signal } = new AbortController();
const error = (code: string) => expect.objectContaining({ name: 'ToolSearchError', code });
const callWith = (abort: AbortSignal): ToolCall => ({
  id: 'call',
  signal: abort,
  deadline: 0,
  progress: () => undefined,
});

const string = { schema: { type: 'string' } };
const param = (name: string, place: string, more: object = {}) => ({ name, in: place, ...string, ...more });
const json = (schema: object) => ({ required: true, content: { 'application/json': { schema } } });
const pets = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://api.example.com/v1' }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        tags: ['Pets'],
        parameters: [
          param('tag', 'query', { schema: { type: 'array', items: { type: 'string' } } }),
          param('X-Trace', 'header'),
        ],
      },
      post: {
        operationId: 'pets/create',
        tags: ['Pets', 'Admin Area'],
        requestBody: json({
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, age: { type: 'integer' } },
        }),
      },
    },
    '/pets/{id}': {
      delete: { operationId: 'deletePet', tags: ['admin area'], parameters: [param('id', 'path', { required: true })] },
    },
    '/broken': { get: { operationId: 'broken', parameters: [{ $ref: 'https://example.com/p.json' }] } },
  },
};
const source = (options: Partial<OpenApiSourceOptions> = {}) =>
  new OpenApiSource({ name: 'pets', document: pets, ...options });
const load = async (options: Partial<OpenApiSourceOptions> = {}): Promise<readonly ToolDeclaration[]> =>
  source(options).load(signal);
const namesOf = async (options: Partial<OpenApiSourceOptions>) => (await load(options)).map(({ name }) => name);

describe('loading', () => {
  it('makes one tool of each operation, and one bad operation spoils no other', async () => {
    const loaded = source();
    const tools = await loaded.load(signal);
    expect(tools.map(({ name, sideEffects, tags }) => ({ name, sideEffects, tags }))).toEqual([
      { name: 'list_pets', sideEffects: 'read', tags: ['pets'] },
      { name: 'pets_create', sideEffects: 'write', tags: ['pets', 'admin-area'] },
      { name: 'delete_pet', sideEffects: 'write', tags: ['admin-area'] },
    ]);
    expect(loaded.report).toEqual({
      refused: [{ operation: 'GET /broken', reason: expect.stringContaining('outside the document') }],
      amended: [],
      shortened: [],
      unused: [],
    });
  });

  it.each<[string, Partial<OpenApiSourceOptions>, string[]]>([
    ['include', { include: ['list_*', 'delete_pet'] }, ['list_pets', 'delete_pet']],
    ['exclude', { exclude: ['*delete*'] }, ['list_pets', 'pets_create']],
    ['exclude before include', { include: ['*pet'], exclude: ['delete_*'] }, []],
    ['tags, in any spelling', { include: [{ tags: ['ADMIN area'] }] }, ['pets_create', 'delete_pet']],
    ['method', { include: [{ methods: ['get', 'DELETE'] }] }, ['list_pets', 'delete_pet']],
    ['path', { include: [{ paths: ['/pets/*'] }] }, ['delete_pet']],
    ['operation id', { include: [{ operationIds: ['pets/*', 'listPets'] }] }, ['list_pets', 'pets_create']],
    ['filters of which all parts match', { include: [{ tags: ['pets'], methods: ['POST'] }] }, ['pets_create']],
    ['globs and filters in one list', { include: ['list_*', { methods: ['DELETE'] }] }, ['list_pets', 'delete_pet']],
    ['filters that exclude', { exclude: [{ methods: ['POST', 'DELETE'] }] }, ['list_pets']],
    ['nothing to include', { include: [] }, []],
  ])('chooses by %s', async (_, options, expected) => {
    expect(await namesOf(options)).toEqual(expected);
  });

  it('tells what the document says of itself, in plain words, unless the operator does', async () => {
    const info = { title: 'Pets', summary: 'A shop.', description: 'Buy [pets](https://example.com).\n\nAnd sell.' };
    const described = async (options: Partial<OpenApiSourceOptions>) => {
      const loaded = source(options);
      await loaded.load(signal);
      return loaded.description;
    };
    expect(await described({ document: { ...pets, info } })).toBe('Pets\nA shop.\nBuy pets.\n\nAnd sell.');
    expect(await described({ document: { ...pets, info: { title: 7 } } })).toBeUndefined();
    expect(await described({ document: { ...pets, info: undefined } })).toBeUndefined();
    expect(await described({ description: 'Animals.' })).toBe('Animals.');
    expect(await described({ description: '' })).toBe('');
  });

  it('leaves the document as it is', async () => {
    const before = JSON.stringify(pets);
    await load();
    expect(JSON.stringify(pets)).toBe(before);
    expect(Object.isFrozen(pets.paths)).toBe(false);
  });

  it('tells the catalog what it needs to know', () => {
    expect(source()).toMatchObject({ name: 'pets', loading: 'deferred', limits: { tools: 5000 } });
    expect(
      source({ loading: 'always', callTimeoutMs: 10, limits: { tools: 2, schemaBytes: 100 }, owner: 'acme' }),
    ).toMatchObject({
      loading: 'always',
      callTimeoutMs: 10,
      limits: { tools: 2, schemaBytes: 100 },
      owner: 'acme',
    });
  });

  it('puts tools into the namespace it was given, and keeps canonical names legal', async () => {
    expect((await load({ namespace: 'shop' }))[0]).toMatchObject({ namespace: 'shop', name: 'list_pets' });
    const document = { ...pets, paths: { '/a': { get: { operationId: 'x'.repeat(300) } } } };
    const [tool] = await load({ document });
    expect(`pets.${tool?.name}`).toHaveLength(128);
  });

  it('refuses more operations than its limit, unless they are filtered', async () => {
    await expect(load({ limits: { tools: 2 } })).rejects.toEqual(error('SOURCE_LIMIT'));
    expect(await load({ limits: { tools: 2 }, include: ['list_*'] })).toHaveLength(1);
  });

  it('refuses a document of more operations than can be looked at in time, whatever is chosen', async () => {
    const paths = Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`/p${i}`, { get: {} }]));
    await expect(load({ document: { ...pets, paths }, include: ['get_p1'] })).rejects.toEqual(error('SOURCE_LIMIT'));
  });

  it('says of tools what the application says, in its words', async () => {
    const [list, create] = await load({
      tags: ['shop'],
      sideEffects: { 'list_*': 'pure', '*': 'external' },
      alwaysLoaded: ['list_pets'],
      examples: { pets_create: [{ args: { name: 'Rex' } }] },
    });
    expect(list).toMatchObject({ tags: ['pets', 'shop'], sideEffects: 'pure', loading: 'always' });
    expect(create).toMatchObject({ sideEffects: 'external', examples: [{ args: { name: 'Rex' } }] });
    expect(create).not.toHaveProperty('loading');
  });

  it('leaves out what asks for it', async () => {
    const paths = { '/a': { get: { 'x-tool-search': false }, post: { operationId: 'b' } } };
    expect(await namesOf({ document: { ...pets, paths } })).toEqual(['b']);
  });

  it('reports parts of a document with names that no part may have', async () => {
    const document = JSON.parse(
      '{"openapi":"3.1.0","servers":[{"url":"https://a.example"}],"paths":{"/a":{"get":{}}},"components":{"schemas":{"__proto__":{"type":"string"}}}}',
    ) as object;
    const loaded = source({ document });
    expect(await loaded.load(signal)).toHaveLength(1);
    expect(loaded.leftOut()).toEqual([{ name: 'schemas __proto__', reason: expect.stringContaining('this name') }]);
  });

  it('does not expose what the operator or a security scheme provides', async () => {
    const document = {
      ...pets,
      components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'tag' } } },
    };
    const [list] = await load({ document, headers: { 'x-trace': '1' } });
    expect(list?.inputSchema).toMatchObject({ properties: {} });
    expect(Object.keys(list?.inputSchema?.['properties'] as object)).toEqual([]);
  });

  it.each<[string, Partial<OpenApiSourceOptions>, string]>([
    ['no server', { document: { ...pets, servers: undefined } }, 'INVALID_CONFIGURATION'],
    ['a relative server', { document: { ...pets, servers: [{ url: '/v1' }] } }, 'INVALID_CONFIGURATION'],
    ['Swagger 1', { document: { swagger: '1.2', paths: {} } }, 'UPSTREAM_INVALID'],
    ['no file', { document: '/no/such/file.json' }, 'SOURCE_UNAVAILABLE'],
  ])('fails with %s', async (_, options, code) => {
    await expect(load(options)).rejects.toEqual(error(code));
  });

  it('gives up with the reason of its signal', async () => {
    const reason = new Error('enough');
    await expect(source().load(AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('survives hostile texts anywhere in a document', async () => {
    const operation = JSON.parse(
      '{"operationId":"__proto__","summary":"${process.exit()}","tags":["__proto__"],"parameters":[{"name":"__proto__","in":"query","schema":{"type":"string"}}]}',
    ) as object;
    const document = { ...pets, paths: { '/__proto__': { get: operation }, '/constructor/{prototype}': { get: {} } } };
    expect(await namesOf({ document })).toEqual(['proto', 'get_constructor_prototype']);
    expect(Object.keys({}.constructor.prototype as object)).toEqual([]);
  });
});

describe('what cannot be sent', () => {
  const upload = { requestBody: { content: { 'application/zip': {} } } };
  const paths = {
    '/a': { post: upload, put: upload, options: {}, get: { requestBody: { required: true, content: {} } } },
    '/b': { post: upload, trace: {} },
  };

  it('is reported once for each reason, with the number of operations', async () => {
    const loaded = source({ document: { ...pets, paths } });
    expect((await loaded.load(signal)).map(({ name }) => name)).toEqual(['post_a', 'put_a', 'post_b']);
    expect(loaded.leftOut()).toEqual([
      { name: 'OPTIONS /a', reason: 'its method concerns the connection', count: 2 },
      { name: 'GET /a', reason: 'it requires a body, which GET does not have' },
      { name: 'POST /a', reason: expect.stringContaining('application/zip'), count: 3, isOffered: true },
    ]);
    expect(loaded.report.amended).toHaveLength(3);
    expect(loaded.report.refused).toHaveLength(3);
  });

  it('is not reported for operations that are not chosen', async () => {
    const loaded = source({ document: { ...pets, paths }, include: ['put_a'] });
    await loaded.load(signal);
    expect(loaded.report.amended).toEqual([{ operation: 'PUT /a', reason: expect.any(String) }]);
  });
});

describe('options', () => {
  it.each<[string, object]>([
    ['no name', { name: '' }],
    ['a name that no tool may begin with', { name: 'my pets' }],
    ['a name that leaves no room for a tool', { name: 'x'.repeat(65) }],
    ['a namespace that no tool may begin with', { namespace: 'my pets' }],
    ['a namespace that leaves no room for a tool', { namespace: 'x'.repeat(65) }],
    ['no document', { document: null }],
    ['a base URL that is none', { baseUrl: '/v1' }],
    ['a glob that no name matches', { include: ['List*'] }],
    ['an exclusion that no name matches', { exclude: ['pets.delete'] }],
    ['a bound of zero', { maxResponseBytes: 0 }],
    ['a bound that is no number', { maxDocumentBytes: Number.NaN }],
    ['a header with a line break', { headers: { a: 'secret\nb' } }],
  ])('refuse %s', (_, options) => {
    expect(() => source(options)).toThrow(error('INVALID_CONFIGURATION'));
  });

  it('keep headers out of every log', () => {
    const made = source({ headers: { authorization: 's3cret' } });
    expect(`${inspect(made, { depth: 9, showHidden: true })} ${JSON.stringify(made)}`).not.toContain('s3cret');
  });

  it('never repeat a header that they refuse', () => {
    expect(() => source({ headers: { a: 'secret\nb' } })).not.toThrow(/secret/);
  });
});

describe('calling over HTTP', () => {
  interface Wire {
    readonly method?: string;
    readonly url?: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }
  let server: Server;
  let baseUrl: string;
  let seen: Wire[];
  let answer: (response: ServerResponse) => void;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method, url, headers } = request;
        seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
        answer(response);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  beforeEach(() => {
    seen = [];
    answer = sending({ ok: true });
  });

  const sending =
    (body: unknown, status = 200, headers: Record<string, string> = {}) =>
    (response: ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
  const call = async (name: string, input: unknown, options: Partial<OpenApiSourceOptions> = {}, abort = signal) => {
    const loaded = source({ baseUrl, ...options });
    await loaded.load(signal);
    return loaded.call(name, input, context, callWith(abort));
  };
  const textOf = ({ content }: Awaited<ReturnType<typeof call>>) =>
    content.map((block) => (block.type === 'text' ? block.text : '')).join();

  it('sends a GET with lists and headers', async () => {
    answer = sending([{ id: 1 }]);
    const result = await call(
      'list_pets',
      { tag: ['a', 'b c'], 'X-Trace': 't1' },
      { headers: { authorization: 'Bearer operator' } },
    );
    expect(seen).toEqual([
      {
        method: 'GET',
        url: '/v1/pets?tag=a&tag=b%20c',
        body: '',
        headers: expect.objectContaining({ 'x-trace': 't1', authorization: 'Bearer operator' }),
      },
    ]);
    expect(seen[0]?.headers).not.toHaveProperty('content-type');
    expect(result).toEqual({ content: [{ type: 'text', text: '[{"id":1}]' }], structured: [{ id: 1 }] });
  });

  it('sends a POST with a JSON body', async () => {
    await call('pets_create', { name: 'Rex', age: 3 });
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/v1/pets',
        body: '{"name":"Rex","age":3}',
        headers: expect.objectContaining({ 'content-type': 'application/json' }),
      },
    ]);
  });

  it('sends a DELETE to one encoded segment, and says that an empty answer is a success', async () => {
    answer = (response) => response.writeHead(204).end();
    expect(textOf(await call('delete_pet', { id: 'a/b?c' }))).toBe('HTTP 204 No Content, without content');
    expect(seen).toMatchObject([{ method: 'DELETE', url: '/v1/pets/a%2Fb%3Fc', body: '' }]);
  });

  it('sends methods of OpenAPI 3.2, and those that a document adds', async () => {
    const body = json({ type: 'object', properties: { a: {} } });
    const paths = {
      '/find': {
        query: { operationId: 'find', requestBody: body },
        additionalOperations: { COPY: { operationId: 'copy' }, 'a b': {}, Connect: {}, get: { operationId: 'read' } },
      },
    };
    const document = { ...pets, openapi: '3.2.0', paths };
    const loaded = source({ document });
    const tools = await loaded.load(signal);
    expect(tools.map(({ name, sideEffects }) => [name, sideEffects])).toEqual([
      ['find', 'read'],
      ['copy', 'write'],
      ['read', 'read'],
    ]);
    expect(loaded.report.refused).toHaveLength(2);
    await call('find', { a: 1 }, { document });
    await call('copy', {}, { document });
    expect(seen).toMatchObject([
      { method: 'QUERY', url: '/v1/find', body: '{"a":1}' },
      { method: 'COPY', url: '/v1/find' },
    ]);
  });

  it('sends the fields of a multipart form, and XML as the text that it is', async () => {
    const schema = {
      type: 'object',
      properties: {
        'na"me': { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        meta: { type: 'object' },
        csv: { type: 'string' },
        photo: { type: 'string', format: 'binary' },
      },
    };
    const paths = {
      '/form': {
        post: {
          operationId: 'form',
          requestBody: {
            content: { 'multipart/form-data': { schema, encoding: { csv: { contentType: 'text/csv' } } } },
          },
        },
      },
      '/xml': { post: { operationId: 'xml', requestBody: { content: { 'application/xml': { schema } } } } },
    };
    const document = { ...pets, paths };
    await call('form', { na_me: 'Zoë\r\n--x', tags: ['a', 'b'], meta: { a: 1 }, csv: 'a,b' }, { document });
    const { headers, body } = seen[0] as Wire;
    expect(body).not.toContain('photo');
    const form = await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
    expect([...form.keys()]).toEqual(['na"me', 'tags', 'tags', 'meta', 'csv']);
    expect(form.get('na"me')).toBe('Zoë\r\n--x');
    expect(form.getAll('tags')).toEqual(['a', 'b']);
    expect(body).toContain('name="meta"\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n');
    expect(body).toContain('name="csv"\r\nContent-Type: text/csv\r\n\r\na,b\r\n');
    await call('xml', { body: '<pet/>' }, { document });
    expect(seen[1]).toMatchObject({ body: '<pet/>', headers: { 'content-type': 'application/xml' } });
  });

  it('reads an answer by its charset, and tells where a created thing is', async () => {
    answer = (response) => {
      response.writeHead(201, { 'content-type': 'application/json; charset=utf-16le', location: '/v1/pets/7' });
      response.end(Buffer.from('{"name":"Zoë"}', 'utf16le'));
    };
    const result = await call('pets_create', { name: 'x' });
    expect(result.structured).toEqual({ name: 'Zoë' });
    expect(textOf(result)).toBe('{"name":"Zoë"},[Location: /v1/pets/7]');
  });

  it('sends nothing for arguments that do not fit', async () => {
    await expect(call('delete_pet', { id: '../admin' })).rejects.toEqual(error('INVALID_ARGUMENTS'));
    expect(seen).toEqual([]);
  });

  it('asks the operator for headers at each call, and only for that context', async () => {
    await call('list_pets', {}, { headers: async ({ tenantId }) => ({ authorization: `Bearer ${tenantId}` }) });
    expect(seen[0]?.headers.authorization).toBe('Bearer acme');
    const headers = () => Promise.reject(new Error('token secret-1234'));
    await expect(call('list_pets', {}, { headers })).rejects.toEqual(error('SOURCE_UNAVAILABLE'));
    await expect(call('list_pets', {}, { headers })).rejects.not.toThrow(/secret/);
    expect(seen).toHaveLength(1);
  });

  it('keeps credentials from another origin that the document names', async () => {
    const document = { ...pets, paths: { '/pets': { get: { operationId: 'listPets', servers: [{ url: baseUrl }] } } } };
    const headers = { authorization: 'Bearer operator' };
    await call('list_pets', {}, { document, baseUrl: undefined, headers, egress: { allow: ['127.0.0.1'] } });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([400, 401, 404, 409, 422])('answers a status of %d as an error of the tool', async (status) => {
    answer = sending({ message: 'no such pet' }, status);
    const result = await call('list_pets', {});
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(new RegExp(`^HTTP ${status} [A-Z].*\\n\\{"message":"no such pet"\\}$`));
  });

  it('says when to try again', async () => {
    answer = sending({ message: 'slow down' }, 429, { 'retry-after': '30' });
    expect(textOf(await call('list_pets', {}))).toMatch(/^HTTP 429 Too Many Requests; retry after 30 seconds\n/);
  });

  it('bounds what an error says and leaves out pages of HTML', async () => {
    answer = sending({ message: 'x'.repeat(10_000) }, 400);
    expect(textOf(await call('list_pets', {})).length).toBeLessThan(2100);
    answer = sending('<h1>Traceback</h1>', 500, { 'content-type': 'text/html' });
    expect(textOf(await call('list_pets', {}))).toBe('HTTP 500 Internal Server Error');
  });

  it.each([200, 401, 403])('strikes credentials out of an answer of %d that echoes them', async (status) => {
    const headers = { Authorization: 'Bearer s3cret-token', 'X-Api-Key': 'k3y-of-operator', 'X-Version': '2022-11-28' };
    answer = (response) =>
      sending({ headers: seen[0]?.headers, token: 's3cret-token', version: '2022-11-28' }, status)(response);
    const text = JSON.stringify(await call('list_pets', {}, { headers }));
    expect(text).not.toMatch(/s3cret|k3y-of/);
    expect(text).toContain('[removed]');
    expect(text).toContain('2022-11-28');
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect of %d', async (status) => {
    answer = (response) => response.writeHead(status, { location: `${baseUrl}/elsewhere` }).end('moved');
    await expect(call('list_pets', {}, { headers: { authorization: 'Bearer operator' } })).rejects.toEqual(
      error('UPSTREAM_INVALID'),
    );
    expect(seen).toHaveLength(1);
  });

  it('cuts a response that is too large, says so, and ends the transfer', async () => {
    let closed: Promise<unknown> | undefined;
    answer = (response) => {
      closed = once(response, 'close');
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = () => {
        while (!response.destroyed && response.write('["' + 'x'.repeat(10_000)));
        response.once('drain', write);
      };
      write();
    };
    const result = await call('list_pets', {}, { maxResponseBytes: 1000 });
    expect(result).not.toHaveProperty('structured');
    expect(textOf(result)).toMatch(/^\["x{998}\n\[cut: the response is longer than 1000 bytes\]$/);
    await closed;
  });

  it('cuts no character in half', async () => {
    answer = sending('ü'.repeat(10), 200, { 'content-type': 'text/plain; charset=utf-8' });
    expect(textOf(await call('list_pets', {}, { maxResponseBytes: 5 }))).toMatch(/^üü\n/);
    expect(textOf(await call('list_pets', {}, { maxResponseBytes: 20 }))).toBe('ü'.repeat(10));
  });

  it.each<[string, string, string, string]>([
    ['text', 'text/csv', 'a,b', 'a,b'],
    ['JSON that is none', 'application/json', '{"a":', '{"a":'],
    ['bytes', 'application/pdf', 'xxxx', 'HTTP 200 OK: 4 bytes of application/pdf'],
    ['bytes of a type that is none', 'x y', 'xxxx', 'HTTP 200 OK: 4 bytes of unknown type'],
  ])('reads %s', async (_, type, body, expected) => {
    answer = sending(body, 200, { 'content-type': type });
    const result = await call('list_pets', {});
    expect(textOf(result)).toBe(expected);
    expect(result).not.toHaveProperty('structured');
  });

  it('hands images over as images, and says what it is when one is too large', async () => {
    answer = sending('xxxx', 200, { 'content-type': 'image/PNG; a=b' });
    const { content } = await call('list_pets', {});
    expect(content).toEqual([{ type: 'image', data: 'eHh4eA==', mimeType: 'image/png' }]);
    expect(textOf(await call('list_pets', {}, { maxResponseBytes: 3 }))).toBe(
      'HTTP 200 OK: more than 3 bytes of image/PNG',
    );
  });

  it('shortens long answers to as many tokens as it may, JSON as JSON and text as text, or not at all', async () => {
    const list = Array.from({ length: 500 }, (_, id) => ({ id, name: `pet ${id}` }));
    answer = sending(list);
    const { content, structured } = await call('list_pets', {}, { maxResponseTokens: 100 });
    expect(structured).toEqual([...list.slice(0, 15), '[485 more left out]']);
    expect(content).toEqual([
      { type: 'text', text: JSON.stringify(structured) },
      { type: 'text', text: expect.stringMatching(/^\[cut: /) },
    ]);
    expect(await call('list_pets', {}, { maxResponseTokens: 0 })).toMatchObject({ structured: list });
    answer = sending('x'.repeat(1000), 200, { 'content-type': 'text/plain' });
    expect(textOf(await call('list_pets', {}, { maxResponseTokens: 100 }))).toMatch(
      /^x{429}\n\[cut: the first 429 of 1000 characters\]$/,
    );
  });

  it('strikes out the beginning of a credential at which an answer is cut', async () => {
    const headers = { authorization: 'Bearer s3cret-token' };
    answer = sending('you sent s3cret-token', 200, { 'content-type': 'text/plain' });
    expect(textOf(await call('list_pets', {}, { headers, maxResponseBytes: 15 }))).toMatch(/^you sent \[removed\]\n/);
  });

  it('reads dialects of JSON, and none that is nested beyond measure', async () => {
    answer = sending({ a: 1 }, 200, { 'content-type': 'application/vnd.github.v3+json; charset=utf-8' });
    expect(await call('list_pets', {})).toMatchObject({ structured: { a: 1 } });
    answer = sending('['.repeat(5000) + ']'.repeat(5000));
    expect(await call('list_pets', {})).not.toHaveProperty('structured');
  });

  it('gives up with the reason of the signal: before, while waiting, and while reading', async () => {
    const reason = new Error('deadline');
    await expect(call('list_pets', {}, {}, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(seen).toEqual([]);

    const waiting = new AbortController();
    answer = () => waiting.abort(reason);
    await expect(call('list_pets', {}, {}, waiting.signal)).rejects.toBe(reason);

    const reading = new AbortController();
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{', () => reading.abort(reason));
    };
    await expect(call('list_pets', {}, {}, reading.signal)).rejects.toBe(reason);
  });

  it('says that the API cannot be reached when it breaks off or is not there', async () => {
    answer = (response) => response.destroy();
    await expect(call('list_pets', {})).rejects.toEqual(error('SOURCE_UNAVAILABLE'));
    answer = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => response.destroy());
    };
    await expect(call('list_pets', {})).rejects.toEqual(error('SOURCE_UNAVAILABLE'));

    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    await expect(call('list_pets', {}, { baseUrl: `http://127.0.0.1:${port}` })).rejects.toEqual(
      error('SOURCE_UNAVAILABLE'),
    );
  });

  it('knows only the tools it loaded', async () => {
    await expect(source({ baseUrl }).call('list_pets', {}, context, callWith(signal))).rejects.toEqual(
      error('SOURCE_UNAVAILABLE'),
    );
    for (const name of ['broken', '__proto__', 'LIST_PETS']) {
      await expect(call(name, {})).rejects.toEqual(error('TOOL_NOT_AVAILABLE'));
    }
  });

  it('keeps calling by its last good load when a later one fails', async () => {
    const document: Record<string, unknown> = { ...pets };
    const loaded = source({ baseUrl, document });
    await loaded.load(signal);
    delete document['paths'];
    await expect(loaded.load(signal)).rejects.toEqual(error('UPSTREAM_INVALID'));
    await loaded.call('list_pets', {}, context, callWith(signal));
    expect(seen).toHaveLength(1);
    await loaded.close();
  });
});
