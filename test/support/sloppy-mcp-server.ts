import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Era } from './misbehaving-mcp-server.js';

/** Sets a member of the answers to a method, or leaves it out if there is no value. */
export interface Change {
  readonly method: string;
  /** From the envelope on, such as `['result', 'tools', '0', 'title']`. */
  readonly path: readonly string[];
  readonly value?: unknown;
}

export interface SloppyOptions {
  readonly era: Era;
  readonly changes: readonly Change[];
  /** Whether a page that is not the first one is answered with this error. */
  readonly brokenPage?: { readonly code: number; readonly message: string };
}

/** A JSON-RPC message. */
export type Wire = Record<string, any>;

/**
 * A server whose answers can be changed. Returns the function that answers a message with messages, the response last.
 * It needs nothing else of this file: a child process runs its text. The tool `lose` makes it forget its session.
 */
export function sloppyServer({ era, changes, brokenPage }: SloppyOptions): (message: Wire) => Wire[] {
  const isModern = era === '2026-07-28';
  const sound = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  const info = {
    name: 'sloppy',
    version: '1.0.0',
    title: 'Sloppy',
    description: 'Notes.',
    websiteUrl: 'https://a.example',
  };
  const capabilities = {
    experimental: { more: {} },
    logging: {},
    completions: {},
    tools: { listChanged: false },
    resources: { subscribe: false, listChanged: false },
    prompts: { listChanged: false },
  };
  const annotations = { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' };
  const icons = [{ src: 'https://a.example/icon.png', mimeType: 'image/png', sizes: ['48x48'] }];
  const words = { type: 'object', properties: { words: { type: 'string' } } };
  const toolOf = (name: string) => ({
    name,
    title: `The ${name}`,
    description: `Does ${name}.`,
    inputSchema: words,
    annotations: { title: name, readOnlyHint: true },
    icons,
    execution: { taskSupport: 'forbidden' },
    _meta: { more: 1 },
  });
  const answers: Record<string, (params: Wire) => Wire> = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities,
      serverInfo: info,
      instructions: 'Read first.',
      _meta: { more: 1 },
    }),
    'server/discover': () => ({
      ...sound,
      supportedVersions: ['2026-07-28'],
      capabilities,
      instructions: 'Read first.',
      _meta: { 'io.modelcontextprotocol/serverInfo': info },
    }),
    ping: () => ({}),
    'tools/list': ({ cursor }) =>
      cursor === undefined
        ? { ...sound, tools: [toolOf('echo'), toolOf('lose')], nextCursor: 'second', _meta: { more: 1 } }
        : { ...sound, tools: [toolOf('shout')], _meta: { more: 1 } },
    'tools/call': ({ arguments: args }) => ({
      ...sound,
      content: [{ type: 'text', text: String(args?.words), annotations, _meta: { more: 1 } }],
      structuredContent: { words: args?.words },
      isError: false,
      _meta: { more: 1 },
    }),
    'resources/list': () => ({
      ...sound,
      resources: [
        { uri: 'note://a', name: 'a', title: 'A', mimeType: 'text/plain', size: 1, annotations, icons, _meta: {} },
      ],
      _meta: { more: 1 },
    }),
    'resources/templates/list': () => ({
      ...sound,
      resourceTemplates: [
        { uriTemplate: 'book://{id}', name: 'book', title: 'Book', mimeType: 'text/plain', annotations, icons },
      ],
    }),
    'resources/read': ({ uri }) => ({
      ...sound,
      contents: [{ uri, mimeType: 'text/plain', text: 'inside', annotations, _meta: { more: 1 } }],
      _meta: { more: 1 },
    }),
    'prompts/list': () => ({
      ...sound,
      prompts: [
        {
          name: 'greet',
          title: 'Greet',
          description: 'Greets.',
          icons,
          _meta: {},
          arguments: [{ name: 'who', description: 'Whom.', required: false, title: 'Who' }],
        },
      ],
    }),
    'prompts/get': ({ arguments: args }) => ({
      ...sound,
      description: 'A greeting.',
      messages: [
        { role: 'user', content: { type: 'text', text: `Hello ${args?.who}`, annotations, _meta: { more: 1 } } },
      ],
      _meta: { more: 1 },
    }),
    'completion/complete': () => ({
      ...sound,
      completion: { values: ['ada', 'bob'], total: 2, hasMore: false },
      _meta: { more: 1 },
    }),
  };
  let isLost = false;
  const change = (message: Wire, method: string): Wire => {
    const changed = JSON.parse(JSON.stringify(message)) as Wire;
    for (const { method: of, path, ...to } of changes) {
      if (of !== method) continue;
      let at: any = changed;
      for (const name of path.slice(0, -1)) at = typeof at === 'object' && at !== null ? at[name] : undefined;
      const last = path[path.length - 1] as string;
      if (typeof at !== 'object' || at === null) continue;
      // A copy: a later change may change what an earlier one has set.
      if ('value' in to) at[last] = structuredClone(to.value);
      else delete at[last];
    }
    return changed;
  };
  return ({ id, method, params = {} }) => {
    if (id === undefined) return [];
    const failed = (code: number, message: string) => [{ jsonrpc: '2.0', id, error: { code, message } }];
    if (isLost) return failed(-32_001, 'Session not found');
    const isKnown = method === 'initialize' ? !isModern : method === 'server/discover' ? isModern : true;
    const answer = answers[method as string];
    if (!answer || !isKnown) return failed(-32_601, 'Method not found');
    if (method === 'tools/list' && params.cursor !== undefined && brokenPage)
      return failed(brokenPage.code, brokenPage.message);
    if (method === 'tools/call' && params.name === 'lose') isLost = true;
    const progressToken = params._meta?.progressToken;
    const news =
      method === 'tools/call' && progressToken !== undefined
        ? [
            change(
              {
                jsonrpc: '2.0',
                method: 'notifications/progress',
                params: { progressToken, progress: 1, total: 2, message: 'half', _meta: { more: 1 } },
              },
              'notifications/progress',
            ),
          ]
        : [];
    return [...news, change({ jsonrpc: '2.0', id, result: answer(params) }, method as string)];
  };
}

/** The text of a child process, for `node -e`, that answers over stdio. */
export function sloppyChild(options: SloppyOptions): string {
  return `
    const answer = (${sloppyServer.toString()})(${JSON.stringify(options)});
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      for (const message of answer(JSON.parse(line))) process.stdout.write(JSON.stringify(message) + '\\n');
    });`;
}

/** How a server answers a request of a session that it has forgotten. */
export interface Loss {
  readonly status: number;
  /** The body; a JSON-RPC error gets the id of the request. */
  readonly error?: { readonly code: number; readonly message: string };
}

/** The server over Streamable HTTP. */
export class SloppyHttpServer {
  options: SloppyOptions;
  /** Whether answers are event streams. */
  isStream = false;
  loss: Loss = { status: 404 };
  /** Whether the server forgets its session at each page that is not the first one. */
  lostPage = false;
  /** Names of all methods that were asked, oldest first. */
  readonly asked: string[] = [];
  #http: Server | undefined;
  #modern = sloppyServer({ era: '2026-07-28', changes: [] });
  readonly #sessions = new Map<string, ReturnType<typeof sloppyServer>>();

  constructor(era: Era) {
    this.options = { era, changes: [] };
  }

  async start(): Promise<string> {
    this.#http = createServer((req, res) => void this.#handle(req, res).catch(() => res.destroy()));
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/mcp`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#http!, 'close');
    this.#http!.close();
    this.#http!.closeAllConnections();
    await closed;
  }

  /** Starts anew with these changes. */
  change(options: Partial<SloppyOptions>): void {
    this.options = { ...this.options, ...options };
    this.#modern = sloppyServer(this.options);
    this.forget();
  }

  /** Forgets all sessions, as a restart does. */
  forget(): void {
    this.#sessions.clear();
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    if (req.method !== 'POST') return void res.writeHead(req.method === 'DELETE' ? 200 : 405).end();
    const message = JSON.parse(Buffer.concat(chunks).toString()) as Wire;
    this.asked.push(message['method'] as string);
    const headers: Record<string, string> = {};
    if (this.lostPage && message['params']?.cursor !== undefined) this.forget();
    const answer = this.#answerOf(message, req.headers['mcp-session-id'], headers);
    if (!answer) return this.#lose(message, res);
    const messages = answer(message);
    if (messages.length === 0) return void res.writeHead(202).end();
    const isStream = this.isStream || messages.length > 1;
    res.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json', ...headers });
    if (!isStream) return void res.end(JSON.stringify(messages[0]));
    for (const each of messages) res.write(`event: message\ndata: ${JSON.stringify(each)}\n\n`);
    res.end();
  }

  #answerOf(message: Wire, session: unknown, headers: Record<string, string>) {
    if (this.options.era === '2026-07-28' || message['method'] === 'server/discover') return this.#modern;
    if (typeof session === 'string') return this.#sessions.get(session);
    if (message['method'] !== 'initialize') return undefined;
    const id = randomUUID();
    headers['mcp-session-id'] = id;
    const made = sloppyServer(this.options);
    this.#sessions.set(id, made);
    return made;
  }

  #lose({ id }: Wire, res: ServerResponse): void {
    const { status, error } = this.loss;
    res.writeHead(status, { 'content-type': error ? 'application/json' : 'text/plain' });
    res.end(error && JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error }));
  }
}
