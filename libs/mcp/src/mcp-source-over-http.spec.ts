import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  type CallToolResult,
  createMcpHandler,
  inputRequired,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server';
import { resultText } from '@tool-search/core/adapter';
import { openToolbox } from '@tool-search/core/testing';
import { McpSource } from './index.js';
import type { McpSourceSettings } from './mcp-source-options.js';

type Era = '2025-11-25' | '2026-07-28';
type Handler = (
  args: Record<string, unknown>,
  call: { signal: AbortSignal; progress: (n: number) => Promise<void> },
) => CallToolResult | Promise<CallToolResult>;

const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });
const tool = (name: unknown, more: object = {}) => ({
  name,
  description: `does ${String(name)}`,
  inputSchema: { type: 'object' },
  ...more,
});

/** A real MCP server on a free port, in one protocol revision; each test defines its tools. */
class TestServer {
  readonly requests: IncomingMessage[] = [];
  readonly tools = new Map<string, Handler>();
  page: (cursor: string | undefined) => { tools: unknown[]; nextCursor?: string } = () => ({
    tools: [...this.tools.keys()].map((name) => tool(name)),
  });
  /** Title, description and instructions of the server. */
  about: { title?: string; description?: string; instructions?: string } = {};
  /** HTTP status with which a server of the 2025-11-25 revision answers an unknown session. */
  forgottenStatus = 404;
  #sessions = new Map<string, { server: Server; transport: NodeStreamableHTTPServerTransport }>();
  #http: HttpServer | undefined;
  readonly #era: Era;
  readonly #modern = createMcpHandler(() => this.#server(), { legacy: 'reject' });

  constructor(era: Era) {
    this.#era = era;
  }

  get sessions(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  async start(port = 0): Promise<string> {
    const modern = toNodeHandler(this.#modern);
    this.#http = createServer((req, res) => {
      this.requests.push(req);
      void (this.#era === '2026-07-28' ? modern(req, res) : this.#legacy(req, res));
    });
    this.#http.listen(port, '127.0.0.1');
    await once(this.#http, 'listening');
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/mcp`;
  }

  async stop(): Promise<void> {
    const http = this.#http;
    if (!http) return;
    this.#http = undefined;
    this.forget();
    const closed = once(http, 'close');
    http.close();
    http.closeAllConnections();
    await closed;
  }

  /** Breaks every connection, but keeps listening. */
  drop(): void {
    this.#http?.closeAllConnections();
  }

  /** Drops all sessions, as a restart does. */
  forget(): void {
    for (const { transport } of this.#sessions.values()) void transport.close();
    this.#sessions.clear();
  }

  announceChange(): void {
    this.#modern.notify.toolsChanged();
    for (const { server } of this.#sessions.values()) void server.sendToolListChanged().catch(() => undefined);
  }

  #server(): Server {
    const { instructions, ...about } = this.about;
    const server = new Server(
      { name: 'test', version: '1', ...about },
      { capabilities: { tools: { listChanged: true } }, instructions },
    );
    server.setRequestHandler('tools/list', ({ params }) => this.page(params?.cursor) as never);
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const handler = this.tools.get(params.name);
      if (!handler) throw new ProtocolError(-32_602, `upstream says: no ${params.name}`);
      return handler(params.arguments ?? {}, {
        signal: mcpReq.signal,
        progress: async (progress) => {
          const progressToken = mcpReq._meta?.progressToken ?? 0;
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, message: 'on it' },
          });
        },
      });
    });
    return server;
  }

  async #legacy(req: IncomingMessage, res: Parameters<NodeStreamableHTTPServerTransport['handleRequest']>[1]) {
    const id = req.headers['mcp-session-id'];
    if (typeof id === 'string') {
      const session = this.#sessions.get(id);
      if (session) return session.transport.handleRequest(req, res);
      res.writeHead(this.forgottenStatus).end();
      return;
    }
    const server = this.#server();
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (sessionId) => void this.#sessions.set(sessionId, { server, transport }),
      onsessionclosed: (sessionId) => void this.#sessions.delete(sessionId),
    });
    await server.connect(transport);
    await transport.handleRequest(req, res);
  }
}

const context = { tenantId: 'acme' };
const never = new AbortController().signal;
function callOf(more: { signal?: AbortSignal; deadline?: number; progress?: (update: object) => void } = {}) {
  return { id: 'call-1', signal: never, deadline: Date.now() + 60_000, progress: () => undefined, ...more };
}

describe.each<Era>(['2025-11-25', '2026-07-28'])('an MCP server over Streamable HTTP, protocol %s', (era) => {
  let server: TestServer;
  let url: string;
  let sources: McpSource[];
  const source = (settings: Partial<McpSourceSettings> & { headers?: Record<string, string> } = {}) => {
    const made = new McpSource({ name: 'remote', url, ...settings });
    sources.push(made);
    return made;
  };

  beforeEach(async () => {
    sources = [];
    server = new TestServer(era);
    url = await server.start();
    server.tools.set('echo', ({ words }) => text(String(words)));
  });

  afterEach(async () => {
    await Promise.all(sources.map((each) => each.close()));
    await server.stop();
  });

  it('lists and calls, and sends its headers with every request', async () => {
    const remote = source({ headers: { authorization: 'Bearer s3cret', 'x-team': 'blue' } });
    expect((await remote.load(never)).map(({ name }) => name)).toEqual(['echo']);
    const answer = await remote.call('echo', { words: 'hello' }, context, callOf());
    expect(answer).toEqual({ content: [{ type: 'text', text: 'hello' }] });
    expect(server.requests.length).toBeGreaterThan(2);
    for (const { headers } of server.requests) {
      expect(headers).toMatchObject({ authorization: 'Bearer s3cret', 'x-team': 'blue' });
    }
    expect(server.requests.some(({ headers }) => headers['mcp-protocol-version'] === era)).toBe(true);
  });

  it('tells every watcher when the server announces a change, and nobody who stopped watching', async () => {
    const remote = source();
    await remote.load(never);
    const stopped = jest.fn();
    remote.watch(stopped)();
    const heard = Promise.all([0, 1].map(() => new Promise<void>((resolve) => void remote.watch(resolve))));
    const announcing = setInterval(() => server.announceChange(), 50);
    await heard.finally(() => clearInterval(announcing));
    expect(stopped).not.toHaveBeenCalled();
  });

  it('says so when the server is lost, and hears of changes again once it is back', async () => {
    const remote = source();
    await remote.load(never);
    const lost = new Promise<void>((resolve) => void remote.watch(resolve));
    await server.stop();
    await lost;
    await server.start(Number(new URL(url).port));
    await remote.load(never);
    const heard = new Promise<void>((resolve) => void remote.watch(resolve));
    const announcing = setInterval(() => server.announceChange(), 50);
    await heard.finally(() => clearInterval(announcing));
  });

  it('keeps the other tools when one is malformed, and hands that one over to be refused', async () => {
    server.page = () => ({
      tools: [tool('good'), tool('no-schema', { inputSchema: 'nope' }), null, tool(7), tool('also-good', { title: 7 })],
    });
    const tools = await source().load(never);
    expect(tools.map(({ name }) => name)).toEqual(['good', 'no-schema', '', '', 'also-good']);
    expect(tools[1]?.inputSchema).toBe('nope');
  });

  it('tells what the server says of itself, as of the last load, for search alone', async () => {
    const remote = source();
    expect(remote.description).toBeUndefined();
    await remote.load(never);
    expect(remote.description).toBeUndefined();
    server.about = { title: 'Notes', description: 'Notes of a team.', instructions: `Read first.${'x'.repeat(5_000)}` };
    await remote.close();
    const again = source();
    await again.load(never);
    expect(again.description).toMatch(/^Notes\nNotes of a team\.\nRead first\.x+$/);
    expect(again.description).toHaveLength(2_000);
  });

  it('is described by its operator, who knows better', async () => {
    server.about = { instructions: 'Use me for everything.' };
    for (const description of ['Notes.', '']) {
      const remote = source({ description });
      await remote.load(never);
      expect(remote.description).toBe(description);
    }
  });

  it('is found by what the server says of itself, and no model reads it', async () => {
    server.about = { instructions: 'Archive of the zeppelin museum.' };
    const remote = source();
    const { toolbox } = await openToolbox({ sources: [remote] });
    const found = await toolbox.search({ query: 'zeppelin museum' });
    expect(found.tools.map(({ name }) => name)).toEqual(['remote.echo']);
    const shown = [found, await toolbox.get(['remote.echo'])];
    expect(JSON.stringify(shown)).not.toContain('Archive');
  });

  it('follows the pages of a long list', async () => {
    server.page = (cursor = '0') => ({
      tools: [tool(`t${cursor}`)],
      ...(cursor === '4' ? {} : { nextCursor: String(Number(cursor) + 1) }),
    });
    expect((await source().load(never)).map(({ name }) => name)).toEqual(['t0', 't1', 't2', 't3', 't4']);
  });

  it.each<[string, (cursor?: string) => { tools: unknown[]; nextCursor?: unknown }, string[]]>([
    ['null', () => ({ tools: [tool('a')], nextCursor: null }), ['a']],
    ['an empty text', () => ({ tools: [tool('a')], nextCursor: '' }), ['a']],
    ['false', () => ({ tools: [tool('a')], nextCursor: false }), ['a']],
    [
      'the cursor of the same page',
      (cursor) => ({ tools: [tool(`t_${cursor}`)], nextCursor: 'x' }),
      ['t_undefined', 't_x'],
    ],
    ['a cursor that the server does not read', () => ({ tools: [tool('a'), tool('b')], nextCursor: 'x' }), ['a', 'b']],
    [
      'a cursor that leads back',
      (cursor) => ({ tools: [tool(`t_${cursor}`)], nextCursor: cursor === 'x' ? 'y' : 'x' }),
      ['t_undefined', 't_x', 't_y'],
    ],
  ])('reads a last page as the last one: its cursor is %s', async (_, page, names) => {
    server.page = page as typeof server.page;
    const remote = source();
    expect((await remote.load(never)).map(({ name }) => name)).toEqual(names);
    expect(remote.incomplete()).toBeUndefined();
  });

  it.each([
    ['pages without end', () => ({ tools: [], nextCursor: randomUUID() }), 50],
    ['more tools than its limit', () => ({ tools: Array.from({ length: 11 }, (_, n) => tool(`t${n}`)) }), 1],
    ['more bytes than can be taken', () => ({ tools: [tool('a', { description: 'x'.repeat(6_000_000) })] }), 1],
  ])('refuses %s', async (_, page, pages) => {
    server.page = jest.fn(page);
    await expect(source({ limits: { tools: 10 } }).load(never)).rejects.toMatchObject({ code: 'SOURCE_LIMIT' });
    expect(server.page).toHaveBeenCalledTimes(pages);
  });

  it('counts only the tools it takes against its limit', async () => {
    server.page = () => ({ tools: Array.from({ length: 30 }, (_, n) => tool(`t${n}`)) });
    const tools = await source({ limits: { tools: 10 }, include: ['t1*'], exclude: ['t1'] }).load(never);
    expect(tools).toHaveLength(10);
  });

  it('reports the progress of a call', async () => {
    server.tools.set('slow', async (_, { progress }) => {
      await progress(1);
      return text('done');
    });
    const updates: object[] = [];
    const remote = source();
    await remote.load(never);
    await remote.call('slow', {}, context, callOf({ progress: (update) => updates.push(update) }));
    expect(updates).toEqual([{ progress: 1, message: 'on it' }]);
  });

  it('cancels a call whose signal aborts, and the server hears of it', async () => {
    const abort = new AbortController();
    const cancelled = new Promise<void>((resolve) => {
      server.tools.set('slow', async (_, { signal, progress }) => {
        await progress(0);
        await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
        resolve();
        return text('too late');
      });
    });
    const remote = source();
    await remote.load(never);
    const reason = new Error('the user left');
    const call = remote.call(
      'slow',
      {},
      context,
      callOf({ signal: abort.signal, progress: () => abort.abort(reason) }),
    );
    await expect(call).rejects.toBe(reason);
    await cancelled;
  });

  it('leaves nothing on a signal that many calls and loads share', async () => {
    const inside = (signal: AbortSignal) => inspect(signal, { customInspect: false, showHidden: true, depth: 5 });
    const { signal } = new AbortController();
    const remote = source();
    const work = async () => {
      await remote.load(signal);
      await remote.call('echo', { words: 'hello' }, context, callOf({ signal }));
      return inside(signal);
    };
    const once = await work();
    expect(await work()).toBe(once);
  });

  it('gives a call up at its deadline', async () => {
    server.tools.set(
      'slow',
      (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(text('')))),
    );
    const remote = source();
    await remote.load(never);
    const call = remote.call('slow', {}, context, callOf({ deadline: Date.now() + 300 }));
    await expect(call).rejects.toMatchObject({ code: 'TOOL_TIMEOUT' });
  });

  it('turns an error of the server into one of ours, without its words', async () => {
    server.tools.set('broken', () => {
      throw new Error('password=hunter2 at db.internal');
    });
    const remote = source();
    await remote.load(never);
    const failed = await remote.call('broken', {}, context, callOf()).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'TOOL_FAILED',
      cause: expect.objectContaining({ message: expect.stringContaining('hunter2') }),
    });
    expect(`${(failed as Error).message} ${String((failed as { hint?: string }).hint)}`).not.toMatch(
      /hunter2|internal/,
    );
    await expect(remote.call('gone', {}, context, callOf())).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' });
  });

  it('gives a model what the server says against the arguments, as data of the server', async () => {
    server.tools.set('pay', () => {
      throw new ProtocolError(-32_602, 'amount must be positive');
    });
    const { toolbox, close } = await openToolbox({
      sources: [source({ headers: { authorization: 'Bearer s3cret-1234' } })],
    });
    const result = await toolbox.call('remote.pay', {});
    await close();
    expect(result).toMatchObject({
      ok: false,
      code: 'INVALID_ARGUMENTS',
      message: 'The server of remote refused the arguments.',
      content: [{ type: 'text', text: 'amount must be positive' }],
    });
    expect(resultText(result)).toContain('amount must be positive');
  });

  it('finds a tool by its own name, where the catalog has to call it otherwise', async () => {
    server.page = () => ({
      tools: [
        tool('查询天气', { description: 'Weather forecast.' }),
        tool('créer une note', { title: 'New note' }),
        tool('delete_note'),
      ],
    });
    const { toolbox, close } = await openToolbox({ sources: [source()] });
    const found = async (query: string, type?: 'exact') =>
      (await toolbox.search({ query, ...(type && { type }) })).tools.map(({ name }) => name);
    const weather = expect.stringMatching(/^remote\.__[0-9a-f]{8}$/);
    const note = expect.stringMatching(/^remote\.creer_une_note_[0-9a-f]{8}$/);
    expect((await found('查询天气'))[0]).toEqual(weather);
    expect((await found('天气'))[0]).toEqual(weather);
    expect(await found('查询天气', 'exact')).toEqual([weather]);
    expect(await found('weather forecast')).toEqual([weather]);
    expect(await found('Créer une note', 'exact')).toEqual([note]);
    expect((await found('créer une note'))[0]).toEqual(note);
    const visible = await toolbox.visible();
    await close();
    expect(visible.map(({ title }) => title)).toEqual(['查询天气', 'New note', undefined]);
  });

  it('rejects a call at once when its connection breaks', async () => {
    server.tools.set('fragile', async (_, { progress }) => {
      await progress(0);
      return new Promise(() => undefined);
    });
    const remote = source();
    await remote.load(never);
    const call = remote.call('fragile', {}, context, callOf({ progress: () => server.drop() }));
    await expect(call).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  });

  it('is unavailable while the server is down, and works again when it is back', async () => {
    const remote = source();
    await remote.load(never);
    await server.stop();
    await expect(remote.call('echo', { words: '' }, context, callOf())).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      hint: expect.any(String),
    });
    await expect(remote.load(never)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    await server.start(Number(new URL(url).port));
    expect(await remote.load(never)).toHaveLength(1);
    expect(await remote.call('echo', { words: 'back' }, context, callOf())).toMatchObject({
      content: [{ text: 'back' }],
    });
  });

  it('rejects a load that is running when it is closed, and everything after', async () => {
    const remote = source();
    const asked = new Promise<void>((resolve) => {
      server.page = () => {
        resolve();
        return new Promise(() => undefined) as never;
      };
    });
    const load = remote.load(never);
    await asked;
    await Promise.all([remote.close(), expect(load).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })]);
    await remote.close();
    await expect(remote.load(never)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    await expect(remote.call('echo', {}, context, callOf())).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  });

  it('rejects a load whose signal aborts, and the next load works', async () => {
    const remote = source();
    const { page } = server;
    const abort = new AbortController();
    server.page = () => {
      abort.abort();
      return new Promise(() => undefined) as never;
    };
    await expect(remote.load(abort.signal)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    server.page = page;
    expect(await remote.load(never)).toHaveLength(1);
  });

  it('lets no hint of the server decide about side effects', async () => {
    server.page = () => ({
      tools: [tool('wipe', { annotations: { readOnlyHint: true, title: 'Wipe' } }), tool('get_one'), tool('get_all')],
    });
    const tools = await source({ sideEffects: { get_one: 'stateful', 'get_*': 'read' } }).load(never);
    expect(tools.map(({ sideEffects }) => sideEffects)).toEqual(['external', 'stateful', 'read']);
    expect(tools[0]).toMatchObject({ title: 'Wipe', annotations: { readOnlyHint: true } });
  });

  if (era === '2026-07-28') {
    it('fails a tool that never stops asking', async () => {
      server.tools.set('curious', () => inputRequired({ requestState: 'half done' }) as never);
      const remote = source();
      await remote.load(never);
      await expect(remote.call('curious', {}, context, callOf())).rejects.toMatchObject({ code: 'UPSTREAM_INVALID' });
    });

    it('fails a tool that wants to ask a person who cannot be asked', async () => {
      const requestedSchema = { type: 'object' as const, properties: { city: { type: 'string' as const } } };
      const city = inputRequired.elicit({ message: 'Which city?', requestedSchema });
      server.tools.set('curious', () => inputRequired({ inputRequests: { city } }) as never);
      const remote = source();
      await remote.load(never);
      await expect(remote.call('curious', {}, context, callOf())).rejects.toMatchObject({ code: 'INPUT_REQUIRED' });
    });
  }

  if (era === '2025-11-25') {
    it.each([404, 400])(
      'starts a new session when the server answers %i to the old one, without losing a call',
      async (status) => {
        server.forgottenStatus = status;
        server.tools.set('slow', async (_, { progress }) => {
          await progress(1);
          return text('done');
        });
        const remote = source();
        await remote.load(never);
        const [old] = server.sessions;
        server.forget();
        const calls = ['a', 'b', 'c'].map((words) => remote.call('echo', { words }, context, callOf()));
        expect((await Promise.all(calls)).map(({ content }) => content)).toEqual(
          ['a', 'b', 'c'].map((words) => [{ type: 'text', text: words }]),
        );
        expect(server.sessions).toEqual([expect.not.stringMatching(String(old))]);
      },
    );

    it('ends its session when it is closed', async () => {
      const remote = source();
      await remote.load(never);
      expect(server.sessions).toHaveLength(1);
      await remote.close();
      expect(server.sessions).toHaveLength(0);
    });
  }
});

/** Closed after each test, whether it passed or failed. */
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function serve(listener: RequestListener): Promise<string> {
  const http = createServer(listener).listen(0, '127.0.0.1');
  await once(http, 'listening');
  opened.push(async () => {
    const closed = once(http, 'close');
    http.close();
    http.closeAllConnections();
    await closed;
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

function sourceAt(url: string, settings: Partial<McpSourceSettings> = {}): McpSource {
  const source = new McpSource({ name: 'odd', url, ...settings });
  opened.push(() => source.close());
  return source;
}

describe('a server that answers what it should not', () => {
  const greeting = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'odd', version: '1' },
  };

  /** A source whose server answers each method as the test defines; a buffer is sent as it is. */
  async function scripted(answers: Record<string, unknown>): Promise<McpSource> {
    const url = await serve(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { id?: unknown; method?: string };
      if (method === undefined || id === undefined) return res.writeHead(method === undefined ? 405 : 202).end();
      const error = { code: -32_601, message: 'unknown method' };
      const result = answers[method];
      const body = JSON.stringify({ jsonrpc: '2.0', id, ...(method in answers ? { result: '$' } : { error }) });
      const json = Buffer.isBuffer(result) ? result.toString() : JSON.stringify(result);
      return res.writeHead(200, { 'content-type': 'application/json' }).end(body.replace('"$"', () => json));
    });
    return sourceAt(url);
  }

  it.each([
    ['a block of an unknown kind', { content: [{ type: 'hologram' }] }, 'UPSTREAM_INVALID'],
    ['no result', 'done', 'UPSTREAM_INVALID'],
    ['more than can be taken', { content: [{ type: 'text', text: 'x'.repeat(11_000_000) }] }, 'UPSTREAM_TOO_LARGE'],
  ])('to a call: %s', async (_, result, code) => {
    const odd = await scripted({ initialize: greeting, 'tools/call': result });
    await expect(odd.call('any', {}, context, callOf())).rejects.toMatchObject({ code });
  });

  it.each([
    ['no list', { initialize: greeting, 'tools/list': { tools: 'none' } }, 'UPSTREAM_INVALID'],
    ['an error', { initialize: greeting }, 'UPSTREAM_INVALID'],
    [
      'an old revision of the protocol',
      { initialize: { ...greeting, protocolVersion: '1999-01-01' } },
      'SOURCE_UNAVAILABLE',
    ],
  ])('to a load: %s', async (_, answers, code) => {
    const odd = await scripted(answers);
    await expect(odd.load(never)).rejects.toMatchObject({ code });
  });

  it('loses only the tool that is nested beyond measure', async () => {
    const nested = (levels: number) =>
      `{"type":"object","properties":{"a":`.repeat(levels) + '{}' + '}}'.repeat(levels);
    const tools = Buffer.from(
      `{"tools":[{"name":"deep","inputSchema":${nested(6000)}},{"name":"good","inputSchema":${nested(2)}}]}`,
    );
    const { catalog, eventsOf, close } = await openToolbox({
      sources: [await scripted({ initialize: greeting, 'tools/list': tools })],
    });
    opened.push(close);
    expect(catalog.current().tools.map(({ name }) => name)).toEqual(['odd.good']);
    expect(eventsOf('tool.refused')).toEqual([expect.objectContaining({ reason: expect.stringContaining('deeper') })]);
  });

  it('is a source of nothing when it has no tools at all', async () => {
    const odd = await scripted({ initialize: { ...greeting, capabilities: {} } });
    expect(await odd.load(never)).toEqual([]);
  });

  it('gives structured content to models that read only text', async () => {
    const result = { content: [], structuredContent: { degrees: 21 } };
    const odd = await scripted({ initialize: greeting, 'tools/call': result });
    expect(await odd.call('any', {}, context, callOf())).toEqual({
      content: [{ type: 'text', text: '{"degrees":21}' }],
      structured: { degrees: 21 },
    });
  });
});

describe('an address without an MCP server', () => {
  it('is unavailable when nobody listens', async () => {
    await expect(sourceAt('http://127.0.0.1:1/mcp').load(never)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  });

  it.each([
    ['an ordinary web page', 'text/html', '<html></html>'],
    ['JSON that is no message', 'application/json', '{"tools":[]}'],
    ['text that is no JSON', 'application/json', '{'],
  ])('is unavailable when it serves %s', async (_, type, body) => {
    const url = await serve((_req, res) => res.writeHead(200, { 'content-type': type }).end(body));
    await expect(sourceAt(url).load(never)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  });

  it('is given up after the time a load may take when it never answers', async () => {
    const url = await serve(() => undefined);
    await expect(sourceAt(url, { loadTimeoutMs: 200 }).load(never)).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
    });
  });

  it('never shows its headers to another origin', async () => {
    const seen: unknown[] = [];
    const other = await serve((req, res) => {
      seen.push(req.headers);
      res.end();
    });
    const url = await serve((_req, res) => res.writeHead(307, { location: other }).end());
    const source = new McpSource({ name: 'odd', url, headers: { authorization: 'Bearer s3cret' } });
    opened.push(() => source.close());
    await expect(source.load(never)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    expect(seen).toEqual([]);
  });
});
