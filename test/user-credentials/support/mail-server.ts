import { createPublicKey, type JsonWebKey, randomUUID, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

/** The revisions of the protocol that a server can speak. */
export type Era = 'legacy' | 'modern';

/** An MCP server that answers only with an access token that its provider has issued for it. */
export class MailServer {
  /** Tokens that were sent, in their order; `''` for none. */
  readonly tokens: string[] = [];
  /** Tokens that are not accepted, whatever they say. */
  readonly refused = new Set<string>();
  /** Whether the tools are listed without a token. */
  listsForAll = true;
  url = '';
  readonly #modern = createMcpHandler(() => this.#server(this.#user), { legacy: 'reject' });
  readonly #sessions = new Map<string, { user: string; transport: NodeStreamableHTTPServerTransport }>();
  #user = '';
  #http: HttpServer | undefined;

  #keys: readonly JsonWebKey[] = [];

  constructor(
    private issuer: string,
    private readonly era: Era,
  ) {}

  async start(): Promise<this> {
    await this.moveTo(this.issuer);
    this.#http = createServer((request, response) => void this.#answer(request, response));
    // A busy machine accepts late: the default queue of 511 connections would reset some of 1,000.
    this.#http.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
    await once(this.#http, 'listening');
    this.url = `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/mcp`;
    return this;
  }

  /** Names another provider, and accepts only tokens of that one. */
  async moveTo(issuer: string): Promise<void> {
    const { keys } = (await (await fetch(`${issuer}/jwks`)).json()) as { keys: JsonWebKey[] };
    this.issuer = issuer;
    this.#keys = keys;
  }

  async stop(): Promise<void> {
    await this.#modern.close();
    this.#http?.closeAllConnections();
    this.#http?.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    if (request.url === '/.well-known/oauth-protected-resource/mcp') {
      const metadata = { resource: this.url, authorization_servers: [this.issuer], scopes_supported: ['mail'] };
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body: unknown = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    this.tokens.push(token);
    const user = this.#verified(token);
    const isCall = (body as { method?: string } | undefined)?.method === 'tools/call';
    if (user === undefined && (token !== '' || isCall || !this.listsForAll)) {
      const metadata = `${new URL(this.url).origin}/.well-known/oauth-protected-resource/mcp`;
      return response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
    }
    if (this.era === 'modern') {
      this.#user = user ?? '';
      return toNodeHandler(this.#modern)(request, response, body);
    }
    const known = this.#sessions.get(String(request.headers['mcp-session-id']));
    // A session belongs to the user who began it.
    if (known)
      return known.user === (user ?? '')
        ? known.transport.handleRequest(request, response, body)
        : response.writeHead(404).end();
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void this.#sessions.set(id, { user: user ?? '', transport }),
    });
    await this.#server(user ?? '').connect(transport);
    return transport.handleRequest(request, response, body);
  }

  /** The user of a token that the provider has signed for this server, and that is valid now. */
  #verified(token: string): string | undefined {
    const [head = '', body = '', signature = ''] = token.split('.');
    const isSigned = this.#keys.some((jwk) => {
      const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
      return verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'));
    });
    if (!isSigned || this.refused.has(token)) return undefined;
    const { iss, aud, exp, sub } = JSON.parse(Buffer.from(body, 'base64url').toString());
    return iss === this.issuer && aud === this.url && exp * 1000 > Date.now() ? sub : undefined;
  }

  #server(user: string): Server {
    const server = new Server({ name: 'mail', version: '1' }, { capabilities: { tools: {} } });
    const inputSchema = { type: 'object' as const };
    server.setRequestHandler('tools/list', () => ({
      tools: [{ name: 'inbox', description: 'Reads the mailbox of the user.', inputSchema }],
    }));
    server.setRequestHandler('tools/call', () => ({
      // A careless server: its answers echo the token.
      content: [{ type: 'text', text: `mailbox of ${user}, opened with ${this.tokens.at(-1)}` }],
    }));
    return server;
  }
}
