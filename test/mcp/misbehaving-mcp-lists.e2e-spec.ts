import { byTurns } from '../support/tier.cjs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpSource } from '@tool-search/mcp';
import { ECHO, type Era, type Mischief, MisbehavingMcpServer, SOUND } from '../support/misbehaving-mcp-server.js';
import { startTrustingApp, type TrustingApp } from '../support/trusting-app.js';

/** Load timeout of the source that is used if no usable answer ever comes. */
const HASTY_MS = 400;
const SECRET = 'sk-live-hunter2-Sup3rSecret';
const tool = (name: unknown, more: object = {}) => ({
  name,
  description: `Does ${String(name).slice(0, 20)}.`,
  inputSchema: { type: 'object' },
  ...more,
});
const list =
  (tools: unknown[], more: object = {}): Mischief =>
  ({ result }) =>
    result({ tools, ...more });
const status =
  (code: number, body = `<html>${SECRET}</html>`, headers: Record<string, string> = {}): Mischief =>
  ({ send }) =>
    send(code, 'text/html', body, headers);
const REST = JSON.stringify(SOUND).slice(1, -1);
const nested = (levels: number) => `{"not":`.repeat(levels) + '{}' + '}'.repeat(levels);

/** Endless server behaviours that exceed the load timeout. */
const ENDLESS: [string, Mischief][] = [
  [
    'a stream of small events without end',
    ({ event, res }) => {
      const timer = setInterval(
        () => event({ method: 'notifications/message', params: { level: 'info', data: 1 } }),
        5,
      );
      res.on('close', () => clearInterval(timer));
    },
  ],
  [
    'one event without end',
    async ({ res }) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: "');
      const more = Buffer.alloc(64 * 1024, 120);
      while (!res.destroyed) await new Promise<void>((done) => void (res.write(more), setImmediate(done)));
    },
  ],
  [
    'bytes in drops',
    ({ res }) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => res.write(' '), 20);
      res.on('close', () => clearInterval(timer));
    },
  ],
  ['nothing at all', () => undefined],
];

/** Invalid lists that fail the whole load, and the source's error code. */
const SPOILED: [string, string, Mischief][] = [
  ['a 51st page', 'SOURCE_LIMIT', ({ result }) => result({ tools: [], nextCursor: String(Math.random()) })],
  ['1,001 tools', 'SOURCE_LIMIT', list(Array.from({ length: 1_001 }, (_, n) => tool(`t${n}`)))],
  ['a body of 50 MiB', 'SOURCE_LIMIT', ({ send }) => send(200, 'application/json', Buffer.alloc(50 * 1024 * 1024, 32))],
  ['text that is no JSON', 'UPSTREAM_INVALID', ({ send }) => send(200, 'application/json', '{"jsonrpc":')],
  [
    'an answer to something else',
    'UPSTREAM_INVALID',
    ({ send }) => send(200, 'application/json', '{"jsonrpc":"2.0","id":987654,"result":{"tools":[]}}'),
  ],
  [
    'a batch',
    'UPSTREAM_INVALID',
    ({ id, send }) => send(200, 'application/json', JSON.stringify([{ jsonrpc: '2.0', id, result: { tools: [] } }])),
  ],
  [
    'another spelling of the keys',
    'UPSTREAM_INVALID',
    ({ id, send }) =>
      send(
        200,
        'application/json',
        JSON.stringify({ jsonrpc: '2.0', id, Method: 'tools/list', Result: { tools: [] } }),
      ),
  ],
  ['no list', 'UPSTREAM_INVALID', ({ result }) => result({ tools: 'none' })],
  ['no result', 'UPSTREAM_INVALID', ({ result }) => result({ json: 'null' })],
  [
    'an error with secrets',
    'UPSTREAM_INVALID',
    ({ id, send }) =>
      send(200, 'application/json', JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message: SECRET } })),
  ],
  ['accepted, and nothing else', 'UPSTREAM_INVALID', ({ res }) => void res.writeHead(202).end()],
  ['a page of a website', 'UPSTREAM_INVALID', status(200)],
  ...[401, 403, 404, 429, 500, 503].map((code): [string, string, Mischief] => [
    `status ${code} with secrets`,
    'SOURCE_UNAVAILABLE',
    status(code),
  ]),
  [
    'half an answer',
    'SOURCE_UNAVAILABLE',
    ({ res }) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' }).write('{"jsonrpc"');
      setImmediate(() => res.destroy());
    },
  ],
];

/** Invalid tools that are refused while the others are accepted, and the reported reason. */
const REFUSED: [string, RegExp, unknown[]][] = [
  ['the same name twice', /more than once/, [tool('twin', { title: 'A' }), tool('twin', { title: 'B' })]],
  ['no input schema', /must be a JSON Schema object/, [tool('bad', { inputSchema: null })]],
  ['a list as input schema', /must be a JSON Schema object/, [tool('bad', { inputSchema: [] })]],
  [
    'an unknown dialect',
    /not a supported dialect/,
    [tool('bad', { inputSchema: { type: 'object', $schema: 'https://evil.example/schema' } })],
  ],
  [
    'a header for credentials',
    /x-mcp-header names a header that no argument may set/,
    [
      tool('bad', {
        inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'Authorization' } } },
      }),
    ],
  ],
  [
    'a header with a line break',
    /x-mcp-header is no name/,
    [
      tool('bad', {
        inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A\r\nHost: evil' } } },
      }),
    ],
  ],
  ['a description of a megabyte', /larger than 262144 bytes/, [tool('bad', { description: 'd'.repeat(1_000_000) })]],
  ['a long description', /description is longer/, [tool('bad', { description: 'd'.repeat(100_000) })]],
  [
    'a schema that points elsewhere',
    /reference|\$ref/,
    [tool('bad', { inputSchema: { type: 'object', properties: { a: { $ref: 'http://169.254.169.254/' } } } })],
  ],
];

const TURNS: readonly Era[] = ['2025-11-25', '2026-07-28'];

describe.each<Era>(TURNS)('a server that lists badly, protocol %s', (era) => {
  const odd = new MisbehavingMcpServer(era);
  const sound = new MisbehavingMcpServer(era);
  const others: Server[] = [];
  let app: TrustingApp;

  beforeAll(async () => {
    sound.tools = [{ ...ECHO, listed: { ...ECHO.listed, description: 'Healthy: says the words back.' } }];
    const oddly = { url: await odd.start(), headers: { authorization: `Bearer ${SECRET}` }, changes: 'trust' } as const;
    app = await startTrustingApp([
      new McpSource({ name: 'odd', ...oddly }),
      new McpSource({ name: 'hasty', loadTimeoutMs: HASTY_MS, ...oddly }),
      new McpSource({ name: 'healthy', url: await sound.start() }),
    ]);
  });
  afterAll(async () => {
    for (const other of others) other.close();
    await app.close();
    await Promise.all([odd.stop(), sound.stop()]);
  });
  afterEach(async () => {
    // The source recovers by itself once the server behaves.
    odd.mischief = {};
    odd.tools = [ECHO];
    for (const name of ['odd', 'hasty']) await app.until(name, 'ready');
    await app.catalog.refresh('odd');
    expect(app.status('odd')).toMatchObject({ state: 'ready', tools: 1, refused: [] });
    expect(await app.call('odd.echo', { words: 'back' })).toMatchObject({ ok: true, content: [{ text: 'back' }] });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  const degrades = async (source: string, code: string, mischief: Mischief) => {
    const since = app.events.length;
    odd.mischief = { 'tools/list': mischief };
    await app.meanwhile(() => app.catalog.refresh(source));
    expect(app.status(source)).toMatchObject({ state: 'degraded', code, tools: 1, reason: expect.any(String) });
    const said = JSON.stringify([app.status(source), app.events.slice(since)]);
    expect(said).toContain('"source.degraded"');
    expect(said).not.toContain(SECRET);
    // The list is invalid, but its tools can still be called.
    const call = () => app.call(`${source}.echo`, { words: 'as before' });
    let called = await call();
    // The load timeout also covers reconnecting; on a busy machine it may be too short for that.
    while (source === 'hasty' && !called.ok) called = await call();
    expect(called).toMatchObject({ ok: true });
  };

  it.each(byTurns(SPOILED, TURNS.indexOf(era)))('keeps its last good tools: %s', (_, code, mischief) =>
    degrades('odd', code, mischief),
  );

  it.each(byTurns(ENDLESS, TURNS.indexOf(era)))('keeps its last good tools when its time is over: %s', (_, mischief) =>
    degrades('hasty', 'SOURCE_UNAVAILABLE', mischief),
  );

  it.each(byTurns(REFUSED, TURNS.indexOf(era)))('loses only the tool: %s', async (_, reason, tools) => {
    odd.tools = [ECHO, ...tools.map((listed) => ({ listed: listed as Record<string, unknown> }))];
    await app.meanwhile(() => app.catalog.refresh('odd'));
    const { state, tools: kept, refused } = app.status('odd');
    expect([state, kept, refused.length]).toEqual(['ready', 1, tools.length]);
    for (const each of refused) expect(each.reason).toMatch(reason);
  });

  it('loses only the tool that is nested 100,000 levels deep', async () => {
    odd.mischief = {
      'tools/list': ({ result }) =>
        result({
          json: `{${REST},"tools":[${JSON.stringify(ECHO.listed)},{"name":"deep","inputSchema":${nested(100_000)}}]}`,
        }),
    };
    await app.meanwhile(() => app.catalog.refresh('odd'));
    expect(app.status('odd')).toMatchObject({
      state: 'ready',
      tools: 1,
      refused: [{ name: 'deep', reason: expect.stringContaining('deeper') }],
    });
  });

  it('loses only the tool that reaches for a prototype', async () => {
    const evil =
      '{"name":"evil","inputSchema":{"type":"object","properties":{"__proto__":{"polluted":true}}},"__proto__":{"polluted":true}}';
    odd.mischief = {
      'tools/list': ({ result }) => result({ json: `{${REST},"tools":[${JSON.stringify(ECHO.listed)},${evil}]}` }),
    };
    await app.meanwhile(() => app.catalog.refresh('odd'));
    expect(app.status('odd')).toMatchObject({
      state: 'ready',
      tools: 1,
      refused: [{ name: 'evil', reason: expect.stringContaining('__proto__') }],
    });
  });

  it('takes the last of two keys of the same name, and text that is not UTF-8 as far as it goes', async () => {
    const json = `{${REST},"tools":[{"name":"first","name":"echo","inputSchema":{"type":"object"},"description":"Broken ~ text."}]}`;
    odd.mischief = {
      'tools/list': ({ id, send }) => {
        const body = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}`);
        body[body.indexOf('~')] = 0xff;
        send(200, 'application/json', body);
      },
    };
    await app.meanwhile(() => app.catalog.refresh('odd'));
    expect(app.status('odd').state).toBe('ready');
    expect(app.catalog.current().tools.find(({ name }) => name === 'odd.echo')?.description ?? '').not.toContain('~');
  });

  it('follows no redirect, and sends credentials only to its own server', async () => {
    const seen: string[] = [];
    const other = createServer((req, res) => void (seen.push(String(req.headers.authorization)), res.end())).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => other.once('listening', resolve));
    others.push(other);
    const { port } = other.address() as AddressInfo;
    const own = Number(new URL(odd.url).port);
    for (const location of [
      'http://169.254.169.254/latest/meta-data/',
      `http://127.0.0.1:${port}/`,
      `http://127.0.0.1:${own}/elsewhere`,
    ]) {
      odd.mischief = { 'tools/list': status(307, '', { location }) };
      const before = odd.requests.filter(({ method }) => method === 'tools/list').length;
      await app.meanwhile(() => app.catalog.refresh('odd'));
      expect(app.status('odd')).toMatchObject({
        state: 'degraded',
        code: 'SOURCE_UNAVAILABLE',
        reason: expect.stringContaining('redirect'),
      });
      expect(odd.requests.filter(({ method }) => method === 'tools/list').length).toBeGreaterThan(before);
    }
    expect(seen).toEqual([]);
  });

  it('asks once for many announcements', async () => {
    const loads = () => app.events.filter((event) => event.type === 'source.loaded' && event.source === 'odd').length;
    const before = loads();
    const started = performance.now();
    await app.meanwhile(async () => {
      for (let n = 0; n < 200 || loads() === before; n++) {
        if (n < 200) odd.announceChange();
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    // One load for the first announcement, and one for all announcements within the next second.
    expect(loads() - before).toBeLessThanOrEqual(2 + (performance.now() - started) / 1_000);
  });

  it('shortens a name of 200,000 characters, the same way every time', async () => {
    odd.tools = [ECHO, { listed: tool('n'.repeat(200_000)) }];
    await app.meanwhile(() => app.catalog.refresh('odd'));
    const { state, tools, refused } = app.status('odd');
    expect([state, tools, refused]).toEqual(['ready', 2, []]);
    const names = app.catalog.current().tools.map(({ name }) => name);
    expect(names).toContainEqual(expect.stringMatching(/^odd\.n+_[0-9a-f]{8}$/));
    expect(Math.max(...names.map((name) => name.length))).toBe(128);
  });

  it('believes no hint about what a tool does', async () => {
    odd.tools = [ECHO, { listed: tool('wipe', { annotations: { readOnlyHint: true, destructiveHint: false } }) }];
    await app.catalog.refresh('odd');
    expect(app.catalog.current().tools.find(({ name }) => name === 'odd.wipe')?.sideEffects).toBe('external');
  });
});
