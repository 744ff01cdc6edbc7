import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/server';
import { isObject } from '@tool-search/core/source';
import type { GatewayRequest } from '../gateway-request.js';
import { RpcRefusal } from '../http/rpc-refusal.js';
import { LEGACY_VERSIONS, type ListMemory, type McpServers } from '../mcp-server.js';
import type { GatewaySettings } from '../tool-gateway.options.js';
import { SessionTransport } from './session-transport.js';

/** A session of a client that speaks a revision before 2026-07-28. */
export interface LegacySession {
  readonly id: string;
  readonly principal: string;
  readonly route: string;
  readonly server: Server;
  readonly transport: SessionTransport;
  readonly memory: ListMemory;
}

/**
 * The legacy sessions of this process. A session holds a connection's state only; activations and approvals belong to
 * the caller, so a client that begins anew on another instance loses nothing.
 */
export class LegacySessions {
  /** Least recently used first. */
  readonly #sessions = new Map<string, { readonly session: LegacySession; usedAt: number; open: number }>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(
    private readonly settings: Pick<GatewaySettings, 'sessions' | 'streams'>,
    private readonly servers: McpServers,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#sweeper = setInterval(() => void this.sweep(), Math.min(settings.sessions.idleMs, 60_000)).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** The caller's session; undefined if there is none, it is another caller's, or of another URL. */
  find(id: string, { principal, endpoint }: Pick<GatewayRequest, 'principal' | 'endpoint'>): LegacySession | undefined {
    const entry = this.#sessions.get(id);
    if (!entry || entry.session.principal !== principal || entry.session.route !== endpoint.route) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, entry);
    entry.usedAt = this.now();
    return entry.session;
  }

  /** Keeps a session while one of its requests or streams is open. Returns the function that ends this use. */
  use({ id }: LegacySession): () => void {
    const entry = this.#sessions.get(id);
    if (entry) entry.open++;
    return () => {
      if (!entry) return;
      entry.open--;
      entry.usedAt = this.now();
    };
  }

  /**
   * Begins a session. One whose `initialize` is refused has to be ended.
   *
   * @throws RpcRefusal 503 when this process has no room
   */
  async begin(request: GatewayRequest): Promise<LegacySession> {
    const memory: ListMemory = {};
    // Nothing waits until the session is kept: parallel requests must not take the same room.
    this.#makeRoom(request.principal);
    const server = this.servers.create(request, memory);
    const id = randomUUID();
    const transport = new SessionTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => this.end(session),
      keepAliveMs: this.settings.streams.keepAliveMs,
      supportedProtocolVersions: LEGACY_VERSIONS,
    });
    const { principal, endpoint } = request;
    const session: LegacySession = { id, principal, route: endpoint.route, server, transport, memory };
    this.#sessions.set(id, { session, usedAt: this.now(), open: 0 });
    await server.connect(transport);
    return session;
  }

  /** Ends the stream of a request that its client has cancelled. */
  async cancelled({ transport }: LegacySession, message: unknown): Promise<void> {
    const params = isObject(message) ? message['params'] : undefined;
    const id = isObject(params) ? params['requestId'] : undefined;
    if (typeof id === 'string' || typeof id === 'number') await transport.forget(id);
  }

  /** Ends a session with its streams. */
  async end(session: LegacySession): Promise<void> {
    if (!this.#sessions.delete(session.id)) return;
    await session.server.close().catch(() => undefined);
  }

  /** Ends sessions without a request or stream for `idleMs`. */
  async sweep(): Promise<void> {
    const since = this.now() - this.settings.sessions.idleMs;
    for (const { session, usedAt, open } of this.#sessions.values()) {
      if (open === 0 && usedAt <= since) await this.end(session);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#sessions.values()].map(({ session }) => this.end(session)));
  }

  #makeRoom(principal: string): void {
    const { maxPerCaller, max } = this.settings.sessions;
    const own = [...this.#sessions.values()].filter(({ session }) => session.principal === principal);
    if (own[0] && own.length >= maxPerCaller) void this.end(own[0].session);
    else if (this.#sessions.size >= max) throw noRoom();
  }
}

function noRoom(): RpcRefusal {
  return new RpcRefusal(503, -32603, 'This server has no room for another session.', 'RATE_LIMITED', undefined, {
    'Retry-After': '30',
  });
}
