import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  Server,
  type ServerCapabilities,
} from '@modelcontextprotocol/server';

/** The two supported protocol revisions. */
export type Era = '2025-11-25' | '2026-07-28';

/** A request of a client, to be answered by a test. */
export interface Exchange {
  readonly id: unknown;
  readonly method: string;
  readonly params: Record<string, any>;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Sends text as the complete response. */
  readonly send: (status: number, type: string, body: string | Buffer, headers?: Record<string, string>) => void;
  /** Sends a result in a valid envelope; a JSON string is inserted unchanged. */
  readonly result: (result: object | { readonly json: string }) => void;
  /** Sends one event of a stream. The first event starts the stream. */
  readonly event: (message: object) => void;
}

/** Answers one request in a test. */
export type Mischief = (exchange: Exchange) => void | Promise<void>;

/** A tool of the server: its listed definition and its answer to a call. */
export interface ServedTool {
  readonly listed: Record<string, unknown>;
  readonly answer?: (args: Record<string, unknown>, headers: Headers | undefined) => CallToolResult;
}

/** Fields of every result in the newer revision, lists included. The older revision ignores them. */
export const SOUND = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** A tool that returns its input. */
export const ECHO: ServedTool = {
  listed: {
    name: 'echo',
    description: 'Says the words back.',
    inputSchema: { type: 'object', properties: { words: { type: 'string' } } },
  },
  answer: ({ words }) => ({ content: [{ type: 'text', text: String(words) }] }),
};

/**
 * A real MCP server over Streamable HTTP, for one protocol revision. Behaves correctly unless a test replaces the
 * answer to a method.
 */
export class MisbehavingMcpServer {
  tools: ServedTool[] = [ECHO];
  about: { title?: string; description?: string; instructions?: string } = {};
  /** Capabilities beside tools. A test answers their methods by `mischief`. */
  capabilities: ServerCapabilities = {};
  /** Replaced answers by method. */
  mischief: Record<string, Mischief> = {};
  /** All received requests, oldest first. */
  readonly requests: { readonly method: string | undefined; readonly headers: IncomingMessage['headers'] }[] = [];
  #url: string | undefined;
  #http: HttpServer | undefined;
  readonly #sessions = new Map<string, { server: Server; transport: NodeStreamableHTTPServerTransport }>();
  readonly #modern = createMcpHandler(({ requestInfo }) => this.#server(requestInfo?.headers), { legacy: 'reject' });
  readonly #modernNode = toNodeHandler(this.#modern);

  constructor(private readonly era: Era) {}

  get url(): string {
    return this.#url ?? '';
  }

  async start(): Promise<string> {
    const port = this.#url === undefined ? 0 : Number(new URL(this.#url).port);
    this.#http = createServer((req, res) => {
      // A client may abort a request; the server must survive that.
      this.#handle(req, res).catch(() => res.destroy());
    });
    this.#http.listen(port, '127.0.0.1');
    await once(this.#http, 'listening');
    this.#url = `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/mcp`;
    return this.#url;
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

  /** Drops all sessions, like a restart. */
  forget(): void {
    for (const { transport } of this.#sessions.values()) void transport.close();
    this.#sessions.clear();
  }

  announceChange(): void {
    this.#modern.notify.toolsChanged();
    for (const { server } of this.#sessions.values()) void server.sendToolListChanged().catch(() => undefined);
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const message = chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString()) as any);
    this.requests.push({ method: message?.method, headers: req.headers });
    const mischief = this.mischief[message?.method ?? ''];
    if (mischief) return mischief(exchangeOf(message, req, res));
    if (this.era === '2026-07-28') return this.#modernNode(req, res, message);
    return this.#legacy(req, res, message);
  }

  async #legacy(req: IncomingMessage, res: ServerResponse, message: unknown): Promise<void> {
    const id = req.headers['mcp-session-id'];
    if (typeof id === 'string') {
      const session = this.#sessions.get(id);
      if (!session) return void res.writeHead(404).end();
      return session.transport.handleRequest(req, res, message);
    }
    const server = this.#server(new Headers(req.headers as Record<string, string>));
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (sessionId) => void this.#sessions.set(sessionId, { server, transport }),
      onsessionclosed: (sessionId) => void this.#sessions.delete(sessionId),
    });
    await server.connect(transport);
    await transport.handleRequest(req, res, message);
  }

  #server(headers: Headers | undefined): Server {
    const { instructions, ...about } = this.about;
    const server = new Server(
      { name: 'odd', version: '1', ...about },
      { capabilities: { ...this.capabilities, tools: { listChanged: true } }, instructions },
    );
    server.setRequestHandler('tools/list', () => ({ tools: this.tools.map(({ listed }) => listed) }) as never);
    server.setRequestHandler('tools/call', ({ params }, { http }) => {
      const tool = this.tools.find(({ listed }) => listed['name'] === params.name);
      if (!tool?.answer) throw new ProtocolError(-32_602, `no ${params.name}`);
      const own = (http as { req?: Request } | undefined)?.req?.headers;
      return tool.answer(params.arguments ?? {}, own ?? headers);
    });
    return server;
  }
}

function exchangeOf(message: any, req: IncomingMessage, res: ServerResponse): Exchange {
  const { id, method, params = {} } = message;
  const send: Exchange['send'] = (status, type, body, headers = {}) =>
    void res.writeHead(status, { 'content-type': type, ...headers }).end(body);
  return {
    id,
    method,
    params,
    req,
    res,
    send,
    result: (result) => {
      const own = 'json' in result ? String(result.json) : JSON.stringify({ ...SOUND, ...result });
      send(200, 'application/json', `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${own}}`);
    },
    event: (event) => {
      if (!res.headersSent) res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...event })}\n\n`);
    },
  };
}
