import { Logger } from '@nestjs/common';
import { ADAPTERS, type GatewayApp, SECRET, startGatewayApp } from './support/gateway-app.js';
import {
  type Era,
  ERAS,
  initialize,
  legacy,
  LEGACY_VERSION,
  modern,
  MODERN_VERSION,
  send,
  WireCaller,
  type WireRequest,
} from './support/wire.js';

const LIMIT = 100_000;
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`;
/** Where the text of a body has the envelope of a modern message; nothing in a legacy one. */
const ENVELOPE = '/*envelope*/';
const rpc = (params: string) => `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`;
const called = (input: string, more = '') =>
  rpc(`{${ENVELOPE}${more}"name":"tool_call","arguments":{"name":"shop.echo","arguments":${input}}}`);
const withId = (id: string) => called('{}').replace('"id":7', `"id":${id}`);

/** The body of a client of an era. */
function bodyFor(era: Era, body: string | Buffer): string | Buffer {
  if (typeof body !== 'string') return body;
  const { _meta } = (modern('tools/list').body as { params: { _meta: object } }).params;
  return body.replaceAll(ENVELOPE, era === 'modern' ? `"_meta":${JSON.stringify(_meta)},` : '');
}

/** Bodies, the HTTP status, the code of JSON-RPC, and the code of the library. */
const BODIES: readonly (readonly [string, string | Buffer, number, number, string | undefined])[] = [
  ['larger than the limit', called(`{"a":"${'x'.repeat(LIMIT)}"}`), 413, -32600, 'ARGUMENTS_TOO_LARGE'],
  ['much larger than the limit', called(`{"a":"${'x'.repeat(40 * LIMIT)}"}`), 413, -32600, 'ARGUMENTS_TOO_LARGE'],
  ['of 40,000 nested lists', called(nested(40_000)), 413, -32600, 'ARGUMENTS_TOO_LARGE'],
  [
    'of 40,000 nested lists beside its arguments',
    called('{}', `"x":${nested(40_000)},`),
    413,
    -32600,
    'ARGUMENTS_TOO_LARGE',
  ],
  ['of 40,000 nested lists as its id', withId(nested(40_000)), 413, -32600, 'ARGUMENTS_TOO_LARGE'],
  ['of 40,000 lists that stay open', '['.repeat(40_000), 413, -32600, 'ARGUMENTS_TOO_LARGE'],
  ['of 9,000 keys', called(keys(9_000)), 413, -32600, 'ARGUMENTS_TOO_LARGE'],
  ['with a key twice', called('{"a":1,"\\u0061":2}'), 400, -32600, 'INVALID_REQUEST'],
  ['that is empty', '', 400, -32700, undefined],
  ['that is no JSON', `{${SECRET}`, 400, -32700, undefined],
  ['that is not UTF-8', Buffer.from(called('{"a":1}'), 'utf16le'), 400, -32700, undefined],
  ['that is a number', '7', 400, -32600, undefined],
  ['that is null', 'null', 400, -32600, undefined],
  ['that is a batch', `[${called('{}')},${called('{}')}]`, 400, -32600, undefined],
  ['that is an empty batch', '[]', 400, -32600, undefined],
  ['that is no message', '{"a":1}', 400, -32600, undefined],
  ['whose id is a list', withId('[7]'), 400, -32600, undefined],
  ['whose id is null', withId('null'), 400, -32600, undefined],
  ['of another JSON-RPC', called('{}').replace('2.0', '1.0'), 400, -32600, undefined],
  ['whose method is a list', called('{}').replace('"tools/call"', '["tools/call"]'), 400, -32600, undefined],
  ['that is a result and a request', called('{}').replace('"id":7', '"id":7,"result":{}'), 400, -32600, undefined],
];

const TWICE = `${MODERN_VERSION}, ${MODERN_VERSION}`;
const meta = (change: object) => ({ _meta: change });
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const with_ = (request: WireRequest, headers: Record<string, string>): WireRequest => ({
  ...request,
  headers: Object.fromEntries(Object.entries({ ...request.headers, ...headers }).filter(([, value]) => value !== '')),
});
const list = () => modern('tools/list');
const ping = () => modern('tools/call', { name: 'shop__ping', arguments: {} });

/** Requests of the modern era whose parts disagree or are unknown. */
const MODERN: readonly (readonly [string, () => WireRequest, number, number])[] = [
  ['another version in the header', () => with_(list(), { 'mcp-protocol-version': '2027-01-01' }), 400, -32020],
  ['a legacy version in the header', () => with_(list(), { 'mcp-protocol-version': LEGACY_VERSION }), 400, -32020],
  ['no version in the header', () => with_(list(), { 'mcp-protocol-version': '' }), 400, -32020],
  ['another method in the header', () => with_(list(), { 'mcp-method': 'tools/call' }), 400, -32020],
  ['no method in the header', () => with_(list(), { 'mcp-method': '' }), 400, -32020],
  ['another name in the header', () => with_(ping(), { 'mcp-name': 'shop__refund' }), 400, -32020],
  ['a name in the header in other letters', () => with_(ping(), { 'mcp-name': 'SHOP__PING' }), 400, -32020],
  ['two names in the header', () => with_(ping(), { 'mcp-name': 'shop__ping, shop__ping' }), 400, -32020],
  ['two versions in the header', () => with_(list(), { 'mcp-protocol-version': TWICE }), 400, -32020],
  ['no name in the header', () => with_(ping(), { 'mcp-name': '' }), 400, -32020],
  [
    'an unknown version',
    () => with_(modern('tools/list', meta({ [VERSION_KEY]: '2027-01-01' })), { 'mcp-protocol-version': '2027-01-01' }),
    400,
    -32022,
  ],
  [
    'a legacy version in the envelope',
    () =>
      with_(modern('tools/list', meta({ [VERSION_KEY]: LEGACY_VERSION })), { 'mcp-protocol-version': LEGACY_VERSION }),
    400,
    -32022,
  ],
  ['a version that is a number', () => modern('tools/list', meta({ [VERSION_KEY]: 7 })), 400, -32602],
  [
    'no envelope',
    () => ({
      headers: { 'mcp-protocol-version': MODERN_VERSION },
      body: { jsonrpc: '2.0', id: 7, method: 'tools/list' },
    }),
    400,
    -32602,
  ],
  ['an unknown method', () => modern('tools/destroy'), 404, -32601],
  ['an unknown method named like a member', () => modern('constructor'), 404, -32601],
  ['a method of the other era', () => modern('ping'), 404, -32601],
  ['initialize in an envelope', () => modern('initialize'), 404, -32601],
  ['a method that is not served', () => modern('resources/list'), 404, -32601],
];

/** Requests of a legacy session. */
const LEGACY: readonly (readonly [string, (session: string) => WireRequest, number, number])[] = [
  [
    'an unknown version in the header',
    (id) => with_(legacy('tools/list', {}, id), { 'mcp-protocol-version': '1999' }),
    400,
    -32000,
  ],
  [
    'the version of the other era in the header',
    (id) => with_(legacy('tools/list', {}, id), { 'mcp-protocol-version': MODERN_VERSION }),
    400,
    -32602,
  ],
  ['an unknown method', (id) => legacy('tools/destroy', {}, id), 200, -32601],
  ['an unknown method named like a member', (id) => legacy('constructor', {}, id), 200, -32601],
  ['a method of the other era', (id) => legacy('server/discover', {}, id), 200, -32601],
  ['a listen of the other era', (id) => legacy('subscriptions/listen', {}, id), 200, -32601],
  ['a method that is not served', (id) => legacy('resources/list', {}, id), 200, -32601],
  ['a second initialize', (id) => ({ ...initialize(), headers: { 'mcp-session-id': id } }), 400, -32600],
  ['a forged session', () => legacy('tools/list', {}, '00000000-0000-4000-8000-000000000000'), 404, -32001],
  ['a session named like a member', () => legacy('tools/list', {}, '__proto__'), 404, -32001],
  ['an empty session', () => legacy('tools/list', {}, ''), 404, -32001],
  ['a session of 10,000 characters', () => legacy('tools/list', {}, 'x'.repeat(10_000)), 404, -32001],
  ['no session', () => legacy('tools/list'), 400, -32600],
  ['no session and an unknown method', () => legacy('tools/destroy'), 400, -32600],
];

/** Parameters of a known method that are refused, in both eras. */
const PARAMETERS: readonly (readonly [string, string, object, number])[] = [
  ['a forged cursor', 'tools/list', { cursor: 'bm90IG91cnM' }, -32602],
  ['a cursor of a later format', 'tools/list', { cursor: Buffer.from('2 shop__ping').toString('base64url') }, -32602],
  [
    'a cursor with control characters',
    'tools/list',
    { cursor: Buffer.from('1 a\u0000\n').toString('base64url') },
    -32602,
  ],
  ['an empty cursor', 'tools/list', { cursor: '' }, -32602],
  ['a cursor of 50,000 characters', 'tools/list', { cursor: 'x'.repeat(50_000) }, -32602],
  ['a cursor that is a number', 'tools/list', { cursor: 7 }, -32602],
  ['no name of a tool', 'tools/call', { arguments: {} }, -32602],
  ['a name that is a list', 'tools/call', { name: ['shop__ping'] }, -32602],
  ['an unknown name', 'tools/call', { name: 'shop__nothing', arguments: {} }, -32602],
  ['a name like a member', 'tools/call', { name: 'constructor', arguments: {} }, -32602],
  ['a name of 5,000 characters', 'tools/call', { name: 'x'.repeat(5_000), arguments: {} }, -32602],
  ['arguments that are a list', 'tools/call', { name: 'shop__ping', arguments: [1] }, -32602],
];

/** Requests that are refused before their message is read. */
const OUTSIDE: readonly (readonly [string, WireRequest, number, string | undefined])[] = [
  ['a foreign origin', { headers: { origin: 'https://evil.example' } }, 403, 'FORBIDDEN'],
  ['an origin of a sandboxed page', { headers: { origin: 'null' } }, 403, 'FORBIDDEN'],
  ['a foreign host', { headers: { host: 'evil.example' } }, 403, 'FORBIDDEN'],
  ['a foreign host that begins like ours', { headers: { host: '127.0.0.1.evil.example' } }, 403, 'FORBIDDEN'],
  ['no token', { token: '' }, 401, 'UNAUTHENTICATED'],
  ['a revoked token', { token: 'acme.gone' }, 401, 'UNAUTHENTICATED'],
  ['a malformed token', { token: 'nobody' }, 401, 'UNAUTHENTICATED'],
  ['a body that is a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, undefined],
  ['an unknown profile', { path: '/mcp/p/nothing' }, 404, 'NOT_FOUND'],
  ['a profile named like a member', { path: '/mcp/p/constructor' }, 404, 'NOT_FOUND'],
];

describe.each(ADAPTERS)('bad input on %s', (adapter) => {
  let gateway: GatewayApp;
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);

  beforeAll(async () => {
    gateway = await startGatewayApp(adapter, {
      gateway: { maxBodyBytes: LIMIT, allowedHosts: ['127.0.0.1'], allowedOrigins: ['app.example'] },
    });
  });
  beforeEach(() => void gateway.revoked.add('acme.gone'));
  afterAll(() => gateway.app.close());
  afterEach(async () => {
    // Nothing was reported as our own fault, nothing reached a tool, and everybody else is served.
    expect(logged).not.toHaveBeenCalled();
    expect(gateway.shop.calls).toEqual([]);
    for (const era of ERAS) {
      const other = await WireCaller.of(gateway.url, era, { token: 'globex.bob' });
      expect(await other.names()).toContain('shop__ping');
    }
  });

  const CLIENTS = ['unknown', ...ERAS] as const;
  it.each(CLIENTS.flatMap((of) => BODIES.map(([what, ...rest]) => [of, what, ...rest] as const)))(
    'of a client whose era is %s: a body %s',
    async (of, _, body, status, rpcCode, code) => {
      const era = of === 'unknown' ? 'legacy' : of;
      const caller = of === 'unknown' ? undefined : await WireCaller.of(gateway.url, era);
      const { headers = {} } = caller?.request('tools/call', { name: 'tool_call' }) ?? {};
      const answer = await send(gateway.url, { headers, body: bodyFor(era, body) });
      expect([answer.status, answer.message]).toMatchObject([status, { jsonrpc: '2.0', error: { code: rpcCode } }]);
      expect(answer.message.error.data?.code).toBe(code);
      expect(answer.text).not.toContain(SECRET);
    },
  );

  it('a body without a length that grows past the limit', async () => {
    const { status, headers } = await send(gateway.url, { body: called(`"${'x'.repeat(LIMIT)}"`), isChunked: true });
    expect([status, headers.connection]).toEqual([413, 'close']);
  });

  it.each(MODERN)('%s', async (_, request, status, code) => {
    const sent = request();
    const answer = await send(gateway.url, sent);
    expect([answer.status, answer.message]).toMatchObject([
      status,
      { jsonrpc: '2.0', id: (sent.body as { id: number }).id, error: { code } },
    ]);
    if (code === -32022) expect(answer.message.error.data.supported).toEqual([MODERN_VERSION]);
  });

  it.each(LEGACY)('in a session: %s', async (_, request, status, code) => {
    const { session = '' } = await WireCaller.of(gateway.url, 'legacy');
    const answer = await send(gateway.url, request(session));
    expect([answer.status, answer.message]).toMatchObject([status, { jsonrpc: '2.0', error: { code } }]);
  });

  it.each(ERAS.flatMap((era) => PARAMETERS.map(([what, ...rest]) => [era, what, ...rest] as const)))(
    'from a %s client: %s',
    async (era, _, method, params, code) => {
      const caller = await WireCaller.of(gateway.url, era);
      const message = await caller.ask(method, params);
      expect(message).toMatchObject({ jsonrpc: '2.0', error: { code } });
      expect(JSON.stringify(message).length).toBeLessThan(2_000);
    },
  );

  it.each(ERAS.flatMap((era) => OUTSIDE.map(([what, ...rest]) => [era, what, ...rest] as const)))(
    'from a %s client: %s',
    async (era, _, outside, status, code) => {
      const request = era === 'modern' ? modern('tools/list') : initialize();
      const answer = await send(gateway.url, {
        ...request,
        ...outside,
        headers: { ...request.headers, ...outside.headers },
      });
      expect([answer.status, answer.message?.error?.data?.code]).toEqual([status, code]);
      expect(answer.message).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 + (status === 404 ? -1 : 0) } });
    },
  );

  const PLACES = OUTSIDE.filter(([, { path, headers }]) => path === undefined && !headers?.['content-type']);
  it.each(PLACES)('on the streams of both eras and at the end of a session: %s', async (_, outside, status, code) => {
    const caller = await WireCaller.of(gateway.url, 'legacy');
    const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const { headers = {} } = caller.request('');
    const requests = [listen, ...['GET', 'DELETE'].map((method): WireRequest => ({ method, headers }))];
    for (const request of requests) {
      const answer = await send(gateway.url, {
        ...request,
        ...outside,
        headers: { ...request.headers, ...outside.headers },
      });
      expect([answer.status, answer.message?.error?.data?.code]).toEqual([status, code]);
    }
    // The session goes on.
    expect(await caller.names()).toContain('shop__ping');
  });

  it('a page of an allowed origin is served', async () => {
    const request = modern('tools/list');
    const answer = await send(gateway.url, {
      ...request,
      headers: { ...request.headers, origin: 'https://app.example' },
    });
    expect(answer.status).toBe(200);
  });

  it.each(['PUT', 'PATCH', 'OPTIONS', 'TRACE', 'HEAD'])('the method %s', async (method) => {
    const answer = await send(gateway.url, { method });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
  });
});
