import { type BeforeApplicationShutdown, Inject, Injectable, Logger, Optional } from '@nestjs/common';
import type { RequestId, Server, Tool } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ControlPlane, ToolEvents, ToolSearchError, ToolSearchService, type ToolContext } from '@tool-search/core';
import { ToolTracing } from '@tool-search/core/internal';
import type { Readable, Writable } from 'node:stream';
import { Confirmations } from '../approvals/confirmations.js';
import { UsedConfirmations } from '../approvals/used-confirmations.js';
import { type Endpoint, Endpoints, exposureOf, narrowedTo, principalOf } from '../endpoint.js';
import type { GatewayRequest } from '../gateway-request.js';
import { type ListMemory, McpServers } from '../mcp-server.js';
import { LIST_NOTICES, listDigests } from '../streams/list-digests.js';
import { LIST_EVENTS, OpenStreams } from '../streams/open-streams.js';
import { GATEWAY_SESSION, GATEWAY_SETTINGS } from '../tokens.js';
import type { GatewaySettings } from '../tool-gateway.options.js';
import { instructionsFor } from '../tools/instructions.js';
import { toolList } from '../tools/tool-list.js';
import { ClosingTransport } from './closing-transport.js';

/** How a client over standard input and output is served. */
export interface StdioOptions {
  /** The list to serve, as in a URL of the gateway: `''`, `all`, or `p/<profile>`. @default '' */
  readonly route?: string;
  /** @default the standard input of this process */
  readonly input?: Readable;
  /** @default the standard output of this process; nothing else may write to it */
  readonly output?: Writable;
}

/** What is known of a message beside its caller. */
type StdioMessage = Pick<GatewayRequest, 'isLegacy' | 'announcesApps' | 'exactNumbers'>;

/** Before a client has said anything. */
const FIRST: StdioMessage = { isLegacy: true, announcesApps: false, exactNumbers: false };

/** One client, until it or `close()` ends the connection. */
export interface StdioConnection {
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  /** Ends the connection; running calls are cancelled. */
  close(): Promise<void>;
}

/**
 * Serves one client over standard input and output, in both protocol eras: for applications that an MCP client starts.
 * The process that starts the application is the caller, so there are no guards.
 *
 * ```ts
 * const app = await NestFactory.createApplicationContext(AppModule, { logger: toStandardError });
 * await app.get(StdioGateway).serve({ tenantId: 'local', userId: 'ada' }).closed;
 * ```
 */
@Injectable()
export class StdioGateway implements BeforeApplicationShutdown {
  readonly #logger = new Logger('StdioGateway');
  readonly #servers: McpServers;
  readonly #streams: OpenStreams;
  readonly #open = new Set<StdioConnection>();

  constructor(
    @Inject(GATEWAY_SETTINGS) settings: GatewaySettings,
    @Inject(Endpoints) private readonly endpoints: Endpoints,
    @Inject(ToolSearchService) private readonly service: ToolSearchService,
    @Inject(ControlPlane) plane: ControlPlane,
    @Inject(ToolEvents) events: ToolEvents,
    @Optional() @Inject(ToolTracing) tracing?: ToolTracing,
  ) {
    const used = new UsedConfirmations(plane, settings.confirm.forMs);
    this.#servers = new McpServers(settings, new Confirmations(settings, used), tracing);
    this.#streams = new OpenStreams(settings.streams);
    for (const type of LIST_EVENTS) events.on(type, () => this.#streams.changed());
  }

  /**
   * Serves a client. Its activations and approvals belong to the context's session, or to the session `mcp`, which the
   * endpoints over HTTP use too.
   *
   * @throws ToolSearchError `NOT_FOUND` for an unknown route; `INVALID_CONTEXT`, `INVALID_SESSION`
   */
  serve(context: ToolContext, { route = '', input, output }: StdioOptions = {}): StdioConnection {
    // Checks the context and the route before the first message.
    this.#request(context, route);
    const transport = new ClosingTransport(input, output);
    let follow: Promise<() => void> | undefined;
    const forget = () => void follow?.then((stop) => stop()).catch(() => undefined);
    const handle = serveStdio(
      async ({ era }) => {
        // A client may ask in the newer era first, and then begin again in the older one.
        forget();
        const isLegacy = era === 'legacy';
        const request = (id?: RequestId) =>
          this.#request(context, route, {
            isLegacy,
            announcesApps: transport.announcesApps,
            exactNumbers: id !== undefined && transport.lines.take(id),
          });
        const memory: ListMemory = {};
        const first = request();
        const kinds = await first.toolbox.items.kinds();
        const greeting = { ...first, kinds, instructions: await instructionsFor(first) };
        const server = this.#servers.create(greeting, isLegacy ? memory : undefined, request);
        follow = this.#follow(
          server,
          () => request(),
          () => handle.close(),
        );
        return server;
      },
      { transport, onerror: ({ message }) => this.#logger.warn(message) },
    );
    const connection = { closed: transport.closed, close: () => handle.close() };
    this.#open.add(connection);
    void transport.closed.then(() => {
      forget();
      this.#open.delete(connection);
    });
    return connection;
  }

  /**
   * The list that a client of this context is shown first, if it is no host of MCP Apps.
   *
   * @throws ToolSearchError `NOT_FOUND` for an unknown route; `INVALID_CONTEXT`, `INVALID_SESSION`
   */
  async listed(context: ToolContext, route = ''): Promise<readonly Tool[]> {
    const { toolbox, endpoint } = this.#request(context, route);
    return (await toolList(toolbox, endpoint)).tools;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#servers.close();
    await this.#streams.close();
    await Promise.all([...this.#open].map((connection) => connection.close()));
  }

  #endpoint(route: string): Endpoint {
    const endpoint = this.endpoints.of(route);
    if (endpoint) return endpoint;
    throw new ToolSearchError('NOT_FOUND', `The gateway serves nothing under ${JSON.stringify(route)}.`, {
      hint: "Take '', 'all', or 'p/' with the name of a profile.",
    });
  }

  /** A message's own request: its toolbox sees the tools and rights as of now. */
  #request(context: ToolContext, route: string, message: StdioMessage = FIRST): GatewayRequest {
    const { isLegacy, announcesApps } = message;
    const endpoint = this.#endpoint(route);
    const inSession = { ...context, sessionId: context.sessionId ?? GATEWAY_SESSION };
    const toolbox = this.service.open(inSession, exposureOf(endpoint, isLegacy));
    return {
      endpoint,
      context: inSession,
      principal: principalOf(inSession),
      toolbox: narrowedTo(endpoint, toolbox, announcesApps),
      method: undefined,
      ...message,
      again: async () => this.#request(context, route, message),
      atEndpoint: async () => this.#request(context, route, { ...message, exactNumbers: false }),
    };
  }

  /** Tells the client of changes of its list. Returns the function that stops it. */
  async #follow(server: Server, request: () => GatewayRequest, end: () => Promise<void>): Promise<() => void> {
    // Asynchronous, because a request fails once its profile is removed or decisions are unknown.
    const digests = async () => listDigests(request());
    const recheck = () => Promise.resolve();
    // A list that cannot be read yet counts as changed once it can.
    const seen = await digests().catch(() => ({ tools: '', resources: '', prompts: '' }));
    return this.#streams.add({ digests, recheck, notify: (list) => LIST_NOTICES[list](server), end }, seen);
  }
}
