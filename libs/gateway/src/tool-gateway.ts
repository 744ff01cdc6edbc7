import type { ServerResponse } from 'node:http';
import {
  type BeforeApplicationShutdown,
  type ExecutionContext,
  Inject,
  Injectable,
  Logger,
  Optional,
} from '@nestjs/common';
import { createMcpHandler, InMemoryServerEventBus, isJsonContentType } from '@modelcontextprotocol/server';
import { ControlPlane, ToolEvents, ToolSearchService } from '@tool-search/core';
import { isObject, ToolTracing } from '@tool-search/core/internal';
import { announcedApps } from './announced-apps.js';
import { Confirmations } from './approvals/confirmations.js';
import { UsedConfirmations } from './approvals/used-confirmations.js';
import { type Endpoint, Endpoints, exposureOf, narrowedTo, principalOf } from './endpoint.js';
import { type GatewayRequest, gatewayRequest, linkGatewayRequest } from './gateway-request.js';
import { checkOrigin } from './http/check-origin.js';
import { GuardRecheck } from './http/guard-recheck.js';
import { bodyOf, NO_BODY, type RequestBody } from './http/request-body.js';
import { RpcRefusal } from './http/rpc-refusal.js';
import { soundRequest } from './http/sound-request.js';
import { isLegacy } from './http/is-legacy.js';
import { refusalOfError } from './http/refusal-of-error.js';
import { sendResponse } from './http/send-response.js';
import { type NodeExchange, nodeExchange, webRequest, whenClosed } from './http/web-request.js';
import { ResourceSubscriptions } from './items/resource-subscriptions.js';
import { followedUris } from './items/followed-uris.js';
import { McpServers } from './mcp-server.js';
import { type LegacySession, LegacySessions } from './sessions/legacy-sessions.js';
import { LIST_NOTICES, type ListDigests, listDigests } from './streams/list-digests.js';
import { LIST_EVENTS, OpenStreams, type OpenStream } from './streams/open-streams.js';
import { GATEWAY_SESSION, GATEWAY_SETTINGS } from './tokens.js';
import type { GatewaySettings } from './tool-gateway.options.js';
import { instructionsFor } from './tools/instructions.js';
import { checkReadCalls } from './tools/read-calls.js';

const METHODS = ['POST', 'GET', 'DELETE'];
/** Of a server that is asked for tools only: it declares nothing, so it may pass on logs wherever a source has them. */
const LOGS_ONLY: ReadonlySet<'logging'> = new Set(['logging']);

/** What is known of a message before its caller is. */
interface Arrived extends Pick<GatewayRequest, 'method' | 'exactNumbers'> {
  /** The legacy session that it names. */
  readonly sessionId: string | null;
  /** What it says of its client; undefined where its session knows that. */
  readonly announcesApps: boolean | undefined;
}

interface Watched {
  readonly response: ServerResponse;
  readonly request: GatewayRequest;
  /** Of the lists when the stream was opened. */
  readonly digests: ListDigests;
}

/** Serves MCP requests of both protocol eras with the toolbox of their caller. */
@Injectable()
export class ToolGateway implements BeforeApplicationShutdown {
  readonly #logger = new Logger('ToolGateway');
  readonly #servers: McpServers;
  readonly #sessions: LegacySessions;
  readonly #streams: OpenStreams;
  readonly #modern: ReturnType<typeof createMcpHandler>;
  /** Exchanges until their last byte: a call may go on after its stream has begun. */
  readonly #running = new Set<Promise<unknown>>();
  #isClosing = false;

  constructor(
    @Inject(GATEWAY_SETTINGS) private readonly settings: GatewaySettings,
    @Inject(Endpoints) private readonly endpoints: Endpoints,
    @Inject(ToolSearchService) private readonly service: ToolSearchService,
    @Inject(GuardRecheck) private readonly guards: GuardRecheck,
    @Inject(ControlPlane) plane: ControlPlane,
    @Inject(ToolEvents) events: ToolEvents,
    @Optional() @Inject(ToolTracing) tracing?: ToolTracing,
  ) {
    checkReadCalls(service.metaKinds, settings);
    const used = new UsedConfirmations(plane, settings.confirm.forMs);
    this.#servers = new McpServers(settings, new Confirmations(settings, used), tracing);
    this.#sessions = new LegacySessions(settings, this.#servers);
    this.#streams = new OpenStreams(settings.streams);
    this.#modern = this.#handler();
    for (const type of LIST_EVENTS) events.on(type, () => this.#streams.changed());
    if (plane.store.isShared && settings.stateKey === undefined) {
      this.#logger.warn(
        'Several instances may share this store, and stateKey is not set: a confirmation that another instance asked ' +
          'for is refused. Set the same stateKey on all instances',
      );
    }
  }

  /**
   * Answers a request. Called by the controller, after the guards.
   *
   * @param route `''`, `all`, or `p/<profile>`
   */
  async serve(execution: ExecutionContext, route: string): Promise<void> {
    const http = execution.switchToHttp();
    const exchange = nodeExchange(http.getRequest<object>(), http.getResponse<object>());
    const work = this.#exchanged(exchange, execution, route);
    this.#running.add(work);
    await work.finally(() => this.#running.delete(work));
  }

  async #exchanged(exchange: NodeExchange, execution: ExecutionContext, route: string): Promise<void> {
    const { contentType, body } = bodyOf(exchange.request);
    const id = 'value' in body && isObject(body.value) ? body.value['id'] : undefined;
    let response: Response;
    try {
      checkOrigin(exchange.request, this.settings);
      if (this.#isClosing) throw closing();
      const { method = '' } = exchange.request;
      if (!METHODS.includes(method)) throw notAllowed();
      const web = webRequest(exchange, contentType);
      response = await this.#answer(web, exchange, execution, route, method === 'POST' ? body : NO_BODY);
    } catch (error) {
      response = refusalOfError(error, this.#logger).response(id);
    }
    await sendResponse(response, exchange.response, this.settings.streams.stalledMs);
  }

  async #answer(
    web: Request,
    exchange: NodeExchange,
    execution: ExecutionContext,
    route: string,
    body: RequestBody,
  ): Promise<Response> {
    const endpoint = this.#endpoint(route);
    if ('refusal' in body) throw body.refusal;
    const { exactNumbers } = body;
    const value = soundRequest(body.value);
    const method = isObject(value) ? value['method'] : undefined;
    const legacy = await isLegacy(web, value);
    const sessionId = legacy ? web.headers.get('mcp-session-id') : null;
    const announcesApps = sessionId === null ? announcedApps(value) : undefined;
    const arrived = { method, exactNumbers, sessionId, announcesApps };
    const identified = await this.#identified(execution, endpoint, legacy, arrived);
    // Not in the SDK's factory of servers, which would answer an error without its code.
    const isGreeting = method === (legacy ? 'initialize' : 'server/discover');
    const request = {
      ...identified,
      kinds: servesItems(method, legacy) ? await identified.toolbox.items.kinds() : LOGS_ONLY,
      ...(isGreeting && { instructions: await instructionsFor(identified) }),
    };
    linkGatewayRequest(web, request);
    if (web.method !== 'POST') return this.#ofSession(web, exchange, request);
    if (!isJsonContentType(web.headers.get('content-type'))) {
      throw new RpcRefusal(415, -32600, 'Send the message as application/json.');
    }
    if (value === undefined) throw new RpcRefusal(400, -32700, 'Parse error: the body is empty.');
    if (Array.isArray(value)) throw new RpcRefusal(400, -32600, 'Send one message in a request, not a batch.');
    if (legacy) return this.#legacy(web, value, exchange, request);
    if (method === 'subscriptions/listen') return this.#listen(web, value, exchange, request);
    return this.#modern.fetch(web, { parsedBody: value });
  }

  async #identified(
    execution: ExecutionContext,
    endpoint: Endpoint,
    isLegacy: boolean,
    message: Arrived,
  ): Promise<GatewayRequest> {
    const toolbox = this.service.openForExecution(execution, GATEWAY_SESSION, exposureOf(endpoint, isLegacy));
    const context = await toolbox.context();
    const principal = principalOf(context);
    const { method, exactNumbers, sessionId } = message;
    const session = sessionId === null ? undefined : this.#sessions.find(sessionId, { principal, context, endpoint });
    // A client that is not known has announced nothing.
    const announcesApps = message.announcesApps ?? session?.announcesApps ?? false;
    const opened = async (newest: Endpoint) => {
      // The session may have ended since.
      const now = await this.#identified(execution, newest, isLegacy, { ...message, sessionId: null, announcesApps });
      if (now.principal !== principal) throw new Error('The request is of another caller now.');
      return now;
    };
    const again = async () => {
      await this.guards.run(execution);
      return opened(this.#endpoint(endpoint.route));
    };
    const atEndpoint = async () => {
      const newest = this.#endpoint(endpoint.route);
      return newest === endpoint ? request : opened(newest);
    };
    const request: GatewayRequest = {
      endpoint,
      isLegacy,
      announcesApps,
      context,
      principal,
      toolbox: narrowedTo(endpoint, toolbox, announcesApps),
      method,
      exactNumbers,
      again,
      atEndpoint,
    };
    return request;
  }

  /** @throws RpcRefusal 404 for an unknown profile; ToolSearchError `GATE_CLOSED` */
  #endpoint(route: string): Endpoint {
    const endpoint = this.endpoints.of(route);
    if (endpoint) return endpoint;
    throw new RpcRefusal(404, -32601, 'There is no such endpoint.', 'NOT_FOUND');
  }

  async #legacy(
    web: Request,
    message: unknown,
    { response }: NodeExchange,
    request: GatewayRequest,
  ): Promise<Response> {
    const id = web.headers.get('mcp-session-id');
    if (id !== null) {
      const session = this.#session(id, request);
      whenClosed(response, this.#sessions.use(session));
      const answer = await session.transport.handleRequest(web, { parsedBody: message });
      if (answer.ok && request.method === 'notifications/cancelled') await this.#sessions.cancelled(session, message);
      return answer;
    }
    if (request.method !== 'initialize') {
      throw new RpcRefusal(400, -32600, 'Send initialize first, then the Mcp-Session-Id of its answer.');
    }
    const session = await this.#sessions.begin(request);
    const answer = await session.transport.handleRequest(web, { parsedBody: message });
    if (session.transport.sessionId === undefined) await this.#sessions.end(session);
    return answer;
  }

  /** GET opens the stream of a legacy session, DELETE ends the session. */
  async #ofSession(web: Request, { response }: NodeExchange, request: GatewayRequest) {
    const id = web.headers.get('mcp-session-id');
    if (id === null) throw notAllowed();
    const session = this.#session(id, request);
    const { transport, server } = session;
    if (web.method === 'DELETE') return transport.handleRequest(web);
    whenClosed(response, this.#sessions.use(session));
    let end: OpenStream['end'] = () => void response.destroy();
    whenClosed(
      response,
      this.#streams.reserve(request, () => end()),
    );
    const digests = await listDigests(request);
    const answer = await transport.handleRequest(web);
    if (answer.ok) {
      end = () => transport.closeStandaloneSSEStream();
      this.#watch({ response, request, digests }, (list) => LIST_NOTICES[list](server), end);
    }
    return answer;
  }

  /** A stream of a client without a session. It has a bus of its own, because one of the SDK reaches every caller. */
  async #listen(
    web: Request,
    message: unknown,
    { response }: NodeExchange,
    request: GatewayRequest,
  ): Promise<Response> {
    let end: OpenStream['end'] = () => void response.destroy();
    whenClosed(
      response,
      this.#streams.reserve(request, () => end()),
    );
    const digests = await listDigests(request);
    // Its handler would be closed already.
    if (response.destroyed) return new Response(null, { status: 499 });
    const handler = this.#handler();
    whenClosed(response, () => void handler.close());
    const answer = await handler.fetch(web, { parsedBody: message });
    if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      end = () => handler.close();
      this.#watch({ response, request, digests }, (list) => handler.notify[`${list}Changed`](), end);
      const resources = new ResourceSubscriptions((uri) => handler.notify.resourceUpdated(uri));
      whenClosed(response, () => resources.close());
      // What the caller does not see is left out without a word.
      for (const uri of followedUris(message)) void resources.add(request, uri).catch(() => undefined);
    }
    return answer;
  }

  #watch({ response, request, digests }: Watched, notify: OpenStream['notify'], end: OpenStream['end']): void {
    let current = request;
    const remove = this.#streams.add(
      {
        digests: async () => listDigests((current = await current.atEndpoint())),
        recheck: async () => void (current = await current.again()),
        notify,
        end,
      },
      digests,
    );
    whenClosed(response, remove);
  }

  /** @throws RpcRefusal 404: the client begins a new session */
  #session(id: string, request: GatewayRequest): LegacySession {
    const session = this.#sessions.find(id, request);
    if (!session) throw new RpcRefusal(404, -32001, 'Session not found. Send initialize again.');
    return session;
  }

  #handler() {
    return createMcpHandler(({ requestInfo }) => this.#servers.create(gatewayRequest(requestInfo)), {
      legacy: 'reject',
      bus: new InMemoryServerEventBus(),
      keepAliveMs: this.settings.streams.keepAliveMs,
    });
  }

  /** Refuses new requests, ends streams, and waits for running calls. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isClosing = true;
    this.#servers.close();
    await this.#streams.close();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => (timer = setTimeout(resolve, this.settings.drainMs)));
    await Promise.race([patience, Promise.allSettled(this.#running)]);
    clearTimeout(timer);
    await Promise.all([this.#modern.close(), this.#sessions.close()]);
  }
}

/** Whether the server of a request needs context items: in a session only the first, else all but the hot path. */
function servesItems(method: unknown, isLegacy: boolean): boolean {
  return isLegacy ? method === 'initialize' : method !== 'tools/list' && method !== 'tools/call';
}

function notAllowed(): RpcRefusal {
  return new RpcRefusal(405, -32600, 'Send messages by POST.', undefined, undefined, { Allow: 'POST' });
}

function closing(): RpcRefusal {
  return new RpcRefusal(503, -32603, 'This server is shutting down. Try again.', undefined, undefined, {
    'Retry-After': '1',
  });
}
