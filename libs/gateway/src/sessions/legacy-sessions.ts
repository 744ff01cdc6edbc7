import { randomUUID } from 'node:crypto';
import type { Server } from '@modelcontextprotocol/server';
import { isObject, TenantFairLru } from '@tool-search/core/internal';
import type { GatewayRequest } from '../gateway-request.js';
import { LEGACY_VERSIONS, type ListMemory, type McpServers } from '../mcp-server.js';
import type { GatewaySettings } from '../tool-gateway.options.js';
import { SessionTransport } from './session-transport.js';

/** A session of a client that speaks a revision before 2026-07-28. */
export interface LegacySession {
  readonly id: string;
  readonly tenantId: string;
  readonly principal: string;
  readonly route: string;
  /** As its client has said in its greeting: see the request. */
  readonly announcesApps: boolean;
  readonly server: Server;
  readonly transport: SessionTransport;
  readonly memory: ListMemory;
}

interface Entry {
  readonly session: LegacySession;
  usedAt: number;
  open: number;
}

/**
 * The legacy sessions of this process. When there are too many, the least recently used one of the tenant that has most
 * ends. A session holds a connection's state only; activations and approvals belong to
 * the caller, so a client that begins anew on another instance loses nothing.
 */
export class LegacySessions {
  /** By tenant and id, least recently used first. */
  readonly #sessions: TenantFairLru<Entry>;
  readonly #sweeper: NodeJS.Timeout;

  constructor(
    private readonly settings: Pick<GatewaySettings, 'sessions' | 'streams'>,
    private readonly servers: McpServers,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#sessions = new TenantFairLru(settings.sessions.max);
    this.#sweeper = setInterval(() => void this.sweep(), Math.min(settings.sessions.idleMs, 60_000)).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** The caller's session; undefined if there is none, it is another caller's, or of another URL. */
  find(
    id: string,
    { principal, context: { tenantId }, endpoint }: Pick<GatewayRequest, 'principal' | 'context' | 'endpoint'>,
  ): LegacySession | undefined {
    const entry = this.#sessions.get(tenantId, id);
    if (!entry || entry.session.principal !== principal || entry.session.route !== endpoint.route) return undefined;
    this.#sessions.set(tenantId, id, entry);
    entry.usedAt = this.now();
    return entry.session;
  }

  /** Keeps a session while one of its requests or streams is open. Returns the function that ends this use. */
  use({ id, tenantId }: LegacySession): () => void {
    const entry = this.#sessions.get(tenantId, id);
    if (entry) entry.open++;
    return () => {
      if (!entry) return;
      entry.open--;
      entry.usedAt = this.now();
    };
  }

  /** Begins a session. One whose `initialize` is refused has to be ended. */
  async begin(request: GatewayRequest): Promise<LegacySession> {
    const memory: ListMemory = {};
    const server = this.servers.create(request, memory);
    const id = randomUUID();
    const transport = new SessionTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => this.end(session),
      keepAliveMs: this.settings.streams.keepAliveMs,
      supportedProtocolVersions: LEGACY_VERSIONS,
    });
    const {
      principal,
      announcesApps,
      context: { tenantId },
      endpoint: { route },
    } = request;
    const session: LegacySession = { id, tenantId, principal, route, announcesApps, server, transport, memory };
    this.#keep(session);
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
    if (this.#sessions.delete(session.tenantId, session.id)) await closed(session);
  }

  /** Ends sessions without a request or stream for `idleMs`. */
  async sweep(): Promise<void> {
    const since = this.now() - this.settings.sessions.idleMs;
    for (const [, , { session, usedAt, open }] of this.#sessions.entries()) {
      if (open === 0 && usedAt <= since) await this.end(session);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#sessions.entries()].map(([, , { session }]) => this.end(session)));
  }

  // Nothing waits between the two bounds: parallel requests must not take the same room.
  #keep(session: LegacySession): void {
    const { id, tenantId, principal } = session;
    const own = [...this.#sessions.ofTenant(tenantId)].filter((each) => each.session.principal === principal);
    if (own[0] && own.length >= this.settings.sessions.maxPerCaller) void this.end(own[0].session);
    const goes = this.#sessions.set(tenantId, id, { session, usedAt: this.now(), open: 0 });
    if (goes) void closed(goes.session);
  }
}

async function closed({ server }: LegacySession): Promise<void> {
  await server.close().catch(() => undefined);
}
