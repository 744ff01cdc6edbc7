import { byTurns } from '../support/tier.cjs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpSource } from '@tool-search/mcp';
import {
  ECHO,
  type Era,
  type Exchange,
  type Mischief,
  MisbehavingMcpServer,
  SOUND,
} from '../support/misbehaving-mcp-server.js';
import { startTrustingApp, type TrustingApp } from '../support/trusting-app.js';

/** Call timeout of the source that is used if no answer ever comes. */
const HASTY_MS = 300;
const SECRET = 'sk-live-hunter2-Sup3rSecret';
const REST = JSON.stringify(SOUND).slice(1, -1);
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const status =
  (code: number, headers: Record<string, string> = {}): Mischief =>
  ({ send }) =>
    send(code, 'text/html', `<html>${SECRET}</html>`, headers);
const answered =
  (result: object | { json: string }): Mischief =>
  (exchange) =>
    exchange.result(result);
/** A stream of messages, then the answer. */
const after =
  (before: (exchange: Exchange) => void): Mischief =>
  (exchange) => {
    before(exchange);
    exchange.event({ id: exchange.id, result: { ...SOUND, ...text('done') } });
    exchange.res.end();
  };
const times = (count: number, send: (n: number) => void) => Array.from({ length: count }, (_, n) => send(n));

const DEEP = '['.repeat(100_000) + ']'.repeat(100_000);
/** Server behaviours that fail a call, and the caller's error code. */
const FAILED: [string, string, Mischief][] = [
  [
    'structured content of another kind',
    'UPSTREAM_INVALID',
    answered({ content: [], structuredContent: { degrees: 'warm' } }),
  ],
  ['no structured content', 'UPSTREAM_INVALID', answered(text('21'))],
  [
    'structured content 100,000 levels deep',
    'UPSTREAM_INVALID',
    answered({
      json: `{${REST},"content":[],"structuredContent":{"degrees":1,"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    }),
  ],
  [
    'a text 100,000 levels deep',
    'UPSTREAM_INVALID',
    answered({ json: `{${REST},"structuredContent":{"degrees":21},"content":[{"type":"text","text":${DEEP}}]}` }),
  ],
  [
    'a text 100,000 levels deep, in an event that has to be mended',
    'UPSTREAM_INVALID',
    ({ id, res }) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      const result = `{${REST},"structuredContent":{"degrees":21},"content":[{"type":"text","text":${DEEP}}]}`;
      res.end(`data: {"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":null,"result":${result}}\n\n`);
    },
  ],
  ['content of an unknown kind', 'UPSTREAM_INVALID', answered({ content: [{ type: 'hologram', text: SECRET }] })],
  ['content that is no list', 'UPSTREAM_INVALID', answered({ content: 'all fine' })],
  ['no result', 'UPSTREAM_INVALID', answered({ json: 'null' })],
  ['text that is no JSON', 'UPSTREAM_INVALID', ({ send }) => send(200, 'application/json', `{${SECRET}`)],
  ['a page of a website', 'UPSTREAM_INVALID', status(200)],
  [
    'an answer to something else',
    'UPSTREAM_INVALID',
    ({ send }) => send(200, 'application/json', `{"jsonrpc":"2.0","id":987654,"result":{${REST},"content":[]}}`),
  ],
  [
    'an answer to something else, as a stream',
    'SOURCE_UNAVAILABLE',
    ({ event, res }) => (event({ id: 'not yours', result: { ...SOUND, ...text(SECRET) } }), void res.end()),
  ],
  [
    'a batch',
    'UPSTREAM_INVALID',
    ({ id, send }) =>
      send(200, 'application/json', JSON.stringify([{ jsonrpc: '2.0', id, result: { ...SOUND, ...text('1') } }])),
  ],
  [
    'another spelling of the keys',
    'UPSTREAM_INVALID',
    ({ id, send }) => send(200, 'application/json', JSON.stringify({ jsonrpc: '2.0', id, Method: 'x', Result: {} })),
  ],
  ['accepted, and nothing else', 'UPSTREAM_INVALID', ({ res }) => void res.writeHead(202).end()],
  [
    'an error with secrets',
    'TOOL_FAILED',
    ({ id, send }) =>
      send(
        200,
        'application/json',
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message: SECRET, data: SECRET } }),
      ),
  ],
  ['11 MiB', 'UPSTREAM_TOO_LARGE', answered(text('x'.repeat(11 * 1024 * 1024)))],
  ...[401, 403, 404, 429, 500, 503].map((code): [string, string, Mischief] => [
    `status ${code} with secrets`,
    'SOURCE_UNAVAILABLE',
    status(code),
  ]),
  ['nothing at all', 'TOOL_TIMEOUT', () => undefined],
  [
    'an answer after the deadline',
    'TOOL_TIMEOUT',
    ({ result }) => void setTimeout(() => result(text('late')), HASTY_MS + 200),
  ],
  [
    'bytes in drops',
    'TOOL_TIMEOUT',
    ({ res }) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => res.write(' '), 20);
      res.on('close', () => clearInterval(timer));
    },
  ],
  [
    'events without end',
    'TOOL_TIMEOUT',
    ({ event, res }) => {
      const timer = setInterval(() => event({ method: 'notifications/odd' }), 5);
      res.on('close', () => clearInterval(timer));
    },
  ],
  [
    'half an answer',
    'SOURCE_UNAVAILABLE',
    ({ res }) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' }).write('{"jsonrpc"');
      setImmediate(() => res.destroy());
    },
  ],
  [
    'half a stream',
    'SOURCE_UNAVAILABLE',
    ({ event, res }) => (event({ method: 'notifications/odd' }), void setImmediate(() => res.destroy())),
  ],
];

/** Server behaviours before or within an answer that must not fail the call. */
const BORNE: [string, Mischief][] = [
  ['2,000 pings', after(({ event }) => times(2_000, (n) => event({ id: `p${n}`, method: 'ping' })))],
  [
    '3,000 reports of progress',
    after(({ event, params }) =>
      times(3_000, (progress) =>
        event({
          method: 'notifications/progress',
          params: { progressToken: params['_meta']?.progressToken, progress },
        }),
      ),
    ),
  ],
  [
    '2,000 unknown notifications',
    after(({ event }) => times(2_000, () => event({ method: 'notifications/odd', params: { of: SECRET } }))),
  ],
  [
    'requests of its own',
    after(({ event }) => {
      event({ id: 's1', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
      event({ id: 's3', method: 'roots/list' });
      event({ id: 's4', method: 'tools/call', params: { name: 'healthy.echo' } });
    }),
  ],
  [
    'messages that are none',
    after(({ res, event }) => (event({}), void res.write('data: {not json\n\ndata: [1]\n\nid: \n\nretry: 0\n\n'))),
  ],
  ['the answer twice', after(({ event, id }) => event({ id, result: { ...SOUND, ...text('done') } }))],
  [
    'duplicate keys',
    answered({ json: `{${REST},"content":[],"content":[{"type":"text","text":"no","text":"done"}]}` }),
  ],
  [
    'text that is not UTF-8',
    ({ id, send }) => {
      const body = Buffer.from(
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${REST},"content":[{"type":"text","text":"done"}],"~":1}}`,
      );
      body[body.indexOf('~')] = 0xff;
      send(200, 'application/json', body);
    },
  ],
  [
    'another session',
    ({ id, send }) =>
      send(200, 'application/json', JSON.stringify({ jsonrpc: '2.0', id, result: { ...SOUND, ...text('done') } }), {
        'mcp-session-id': 'somebody-else',
      }),
  ],
];

const TURNS: readonly Era[] = ['2025-11-25', '2026-07-28'];

describe.each<Era>(TURNS)('a server that answers badly, protocol %s', (era) => {
  const odd = new MisbehavingMcpServer(era);
  const sound = new MisbehavingMcpServer(era);
  const others: Server[] = [];
  let app: TrustingApp;

  beforeAll(async () => {
    odd.tools = [
      { ...ECHO, listed: { ...ECHO.listed, name: 'any' } },
      {
        listed: {
          name: 'weather',
          description: 'Tells how warm it is.',
          inputSchema: { type: 'object' },
          outputSchema: { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] },
        },
        answer: () => ({ content: [], structuredContent: { degrees: 21 } }),
      },
    ];
    sound.tools = [{ ...ECHO, listed: { ...ECHO.listed, description: 'Healthy: says the words back.' } }];
    app = await startTrustingApp([
      new McpSource({ name: 'odd', url: await odd.start(), changes: 'trust' }),
      new McpSource({ name: 'hasty', url: odd.url, callTimeoutMs: HASTY_MS, changes: 'trust' }),
      new McpSource({ name: 'healthy', url: await sound.start() }),
    ]);
  });
  afterAll(async () => {
    for (const other of others) other.close();
    await app.close();
    await Promise.all([odd.stop(), sound.stop()]);
  });
  afterEach(async () => {
    odd.mischief = {};
    await app.until('odd', 'ready');
    expect(await app.call('odd.weather')).toMatchObject({ ok: true, structured: { degrees: 21 } });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each(byTurns(FAILED, TURNS.indexOf(era)))('fails the one call: %s', async (_, code, mischief) => {
    odd.mischief = { 'tools/call': mischief };
    const source = code === 'TOOL_TIMEOUT' ? 'hasty' : 'odd';
    const result = await app.meanwhile(() => app.call(`${source}.weather`));
    expect(result).toMatchObject({ ok: false, code, message: expect.any(String) });
    expect(JSON.stringify([result, app.events])).not.toContain(SECRET);
  });

  // In the later revision a server asks by its answer; a request of its own is dropped there.
  it('ends a call with a question that no user can be asked, where servers may ask', async () => {
    const params = { message: 'Your password?', requestedSchema: { type: 'object', properties: {} } };
    odd.mischief = { 'tools/call': after(({ event }) => event({ id: 's2', method: 'elicitation/create', params })) };
    const result = await app.meanwhile(() => app.call('odd.any', { words: '' }));
    expect(result).toMatchObject(era === '2025-11-25' ? { ok: false, code: 'INPUT_REQUIRED' } : { ok: true });
  });

  it.each(byTurns(BORNE, TURNS.indexOf(era)))('is not led astray by %s', async (_, mischief) => {
    odd.mischief = { 'tools/call': mischief };
    const progress = jest.fn();
    const before = odd.requests.length;
    const started = performance.now();
    expect(await app.meanwhile(() => app.call('odd.any', { words: '' }, progress))).toMatchObject({
      ok: true,
      content: [{ type: 'text', text: 'done' }],
    });
    // The client processes a limited number of messages per second; one second may already have begun.
    const seconds = 2 + Math.floor((performance.now() - started) / 1_000);
    expect(progress.mock.calls.length).toBeLessThanOrEqual(500 * seconds);
    const answers = odd.requests.slice(before).filter(({ method }) => method === undefined);
    expect(answers.length).toBeLessThanOrEqual(20 * seconds);
  });

  it('takes every kind of content there is', async () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: 'BBBB', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a' },
      { type: 'resource', resource: { uri: 'file:///a.txt', text: 'inside', mimeType: 'text/plain' } },
      { type: 'resource', resource: { uri: 'file:///a.bin', blob: 'CCCC' } },
    ];
    odd.mischief = { 'tools/call': answered({ content }) };
    expect(await app.call('odd.any')).toMatchObject({ ok: true, content });
  });

  it('passes no property on that would change a prototype', async () => {
    const structured = '{"degrees":1,"constructor":"Ferrari","__proto__":{"polluted":true}}';
    odd.mischief = { 'tools/call': answered({ json: `{${REST},"content":[],"structuredContent":${structured}}` }) };
    const result = await app.meanwhile(() => app.call('odd.weather'));
    expect(JSON.stringify(result)).not.toContain('__proto__');
    // A key that is only a word is harmless.
    const harmless = { degrees: 1, constructor: 'Ferrari' };
    odd.mischief = { 'tools/call': answered({ content: [], structuredContent: harmless }) };
    expect(await app.call('odd.weather')).toMatchObject({ ok: true, structured: harmless });
  });

  it('cuts a result of more than 1 MiB, and says so', async () => {
    odd.mischief = { 'tools/call': answered(text('x'.repeat(2 * 1024 * 1024))) };
    const result = await app.meanwhile(() => app.call('odd.any'));
    expect(result).toMatchObject({ ok: true, truncated: true });
    expect(JSON.stringify(result).length).toBeLessThan(1_100_000);
  });

  it('does not check structured content of a failed call', async () => {
    odd.mischief = { 'tools/call': answered({ ...text('no such place'), isError: true }) };
    expect(await app.call('odd.weather')).toMatchObject({
      ok: false,
      code: 'TOOL_FAILED',
      content: [{ text: 'no such place' }],
    });
  });

  it('follows no redirect, and sends nothing to its target', async () => {
    const seen: unknown[] = [];
    const other = createServer((req, res) => void (seen.push(req.url), res.end())).listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    others.push(other);
    for (const location of [
      'http://169.254.169.254/',
      `http://127.0.0.1:${(other.address() as AddressInfo).port}/`,
      '/mcp2',
    ]) {
      odd.mischief = { 'tools/call': status(307, { location }) };
      expect(await app.meanwhile(() => app.call('odd.any'))).toMatchObject({ ok: false, code: 'SOURCE_UNAVAILABLE' });
    }
    expect(seen).toEqual([]);
  });

  it('answers at once while the server is away, shows it, and comes back by itself', async () => {
    const calls = () => odd.requests.filter(({ method }) => method === 'tools/call').length;
    const down = status(503);
    odd.mischief = { 'tools/call': down, 'tools/list': down };
    const started = performance.now();
    for (let n = 0; n < 5; n++) expect(await app.call('odd.any')).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    const asked = calls();
    const refused = await app.meanwhile(() => Promise.all(Array.from({ length: 50 }, () => app.call('odd.any'))));
    expect(new Set(refused.map((result) => !result.ok && result.code))).toEqual(new Set(['SOURCE_UNAVAILABLE']));
    // At most one call per second passes the circuit breaker, to check whether the server is back.
    expect(calls() - asked).toBeLessThanOrEqual(Math.floor((performance.now() - started) / 1_000));
    expect(await app.until('odd', 'degraded')).toMatchObject({ code: 'SOURCE_UNAVAILABLE', tools: 2 });
    odd.mischief = {};
    await app.until('odd', 'ready');
    expect(await app.call('odd.any', { words: 'back' })).toMatchObject({ ok: true });
    expect(app.events.map(({ type }) => type)).toContain('source.degraded');
  });

  it('survives that the server is gone altogether', async () => {
    await odd.stop();
    await app.until('odd', 'degraded');
    expect(await app.meanwhile(() => app.call('odd.any'))).toMatchObject({ ok: false, code: 'SOURCE_UNAVAILABLE' });
    expect((await app.toolbox().search({ query: 'how warm it is' })).tools.map(({ name }) => name)).toContain(
      'odd.weather',
    );
    await odd.start();
    await app.until('odd', 'ready');
  });
});
