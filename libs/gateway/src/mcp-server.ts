import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  ProtocolErrorCode,
  type RequestId,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ToolResult } from '@tool-search/core';
import { isObject, type ToolTracing } from '@tool-search/core/internal';
import type { Confirmations } from './approvals/confirmations.js';
import { showsApps } from './endpoint.js';
import { type GatewayRequest, gatewayRequest } from './gateway-request.js';
import { handleItems, itemCapabilities } from './items/item-handlers.js';
import { ResourceSubscriptions } from './items/resource-subscriptions.js';
import { PlainServer } from './plain-server.js';
import { answered, refusalOf } from './protocol-error.js';
import { callOptions } from './input/call-options.js';
import { type PausableParts, PausedCalls } from './input/paused-calls.js';
import { connectionServer } from './stdio/connection-server.js';
import type { GatewaySettings } from './tool-gateway.options.js';
import { LIST_PARAMS, listPage } from './tools/list-page.js';
import { onlyReads, readCallsOf } from './tools/read-calls.js';
import { metaAnswer, toolAnswer } from './tools/tool-answer.js';
import { toolList } from './tools/tool-list.js';
import { toolNames } from './tools/tool-names.js';
import { withReferences } from './tools/tool-references.js';

/** Legacy revisions that are served in sessions, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18'];
const MODERN_VERSION = '2026-07-28';
/** How often one call may ask a legacy client. */
const MAX_ROUNDS = 20;

/** A session in which the list may grow. */
export interface ListMemory {
  /** Digest of the list that the client has seen last. */
  seen?: string;
}

/** Builds servers of the SDK: one for each modern request, one for each legacy session. */
export class McpServers {
  readonly #paused: PausedCalls;

  constructor(
    private readonly settings: GatewaySettings,
    private readonly confirmations: Confirmations,
    private readonly tracing?: ToolTracing,
  ) {
    this.#paused = new PausedCalls(confirmations, settings.confirm.forMs);
  }

  /** Cancels the calls that wait for answers of their callers. */
  close(): void {
    this.#paused.close();
  }

  /**
   * @param session of a legacy client; absent for a request without one
   * @param open makes the request of each message by its id, on a connection whose messages are no HTTP requests
   */
  create(
    { instructions, kinds, endpoint }: GatewayRequest,
    session?: ListMemory,
    open?: (id: RequestId) => GatewayRequest,
  ): Server {
    const { serverInfo, listTtlMs, confirm } = this.settings;
    const { name, version, title } = serverInfo;
    const ServerClass = open ? connectionServer(open) : PlainServer;
    const server = new ServerClass(
      { name, version, ...(title !== undefined && { title }) },
      {
        capabilities: { tools: { listChanged: true }, ...itemCapabilities(showsApps(endpoint), kinds) },
        supportedProtocolVersions: session ? LEGACY_VERSIONS : [MODERN_VERSION],
        ...(instructions !== undefined && { instructions }),
        cacheHints: cacheHints(listTtlMs),
        inputRequired: { maxRounds: MAX_ROUNDS, roundTimeoutMs: confirm.forMs },
        requestState: { verify: (state, context) => this.confirmations.verified(state, context) },
      },
      this.tracing,
    );
    server.setRequestHandler('tools/list', { params: LIST_PARAMS }, ({ cursor }, context) =>
      answered(async () => {
        const { toolbox, endpoint } = gatewayRequest(context.http?.req);
        const { tools, digest } = await toolList(toolbox, endpoint);
        if (session) session.seen = digest;
        const { items, nextCursor } = listPage(tools, cursor, this.settings.pageSize);
        return { tools: [...items], ...(nextCursor !== undefined && { nextCursor }) };
      }),
    );
    server.setRequestHandler('tools/call', ({ params }, context) =>
      answered(async () => {
        const asked = gatewayRequest(context.http?.req);
        // In a session this runs again once the user has answered, which may take minutes: rights may have changed.
        const gateway = session && context.mcpReq.requestState() !== undefined ? await asked.again() : asked;
        const input = params.arguments ?? {};
        const newest = { context, capabilities: capabilitiesOf(context, server) };
        const answer = await this.#paused.answer(gateway, newest, [params.name, input], (parts) =>
          this.#called(gateway, params.name, input, parts, newest.capabilities),
        );
        if (session) await reportGrownList(gateway, context, session);
        return answer;
      }),
    );
    const subscriptions = session && new ResourceSubscriptions((uri) => server.sendResourceUpdated({ uri }));
    handleItems(server, this.settings, this.#paused, (context) => capabilitiesOf(context, server), subscriptions);
    server.onclose = () => subscriptions?.close();
    return server;
  }

  async #called(
    request: GatewayRequest,
    name: string,
    input: unknown,
    { checked, ...parts }: PausableParts,
    capabilities: ClientCapabilities | undefined,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { toolbox } = request;
    const readCalls = readCallsOf(toolbox, request.endpoint);
    const isReadCall = readCalls?.read === name;
    const asked = isReadCall ? readCalls.call : name;
    const kind = toolbox.metaKinds.get(asked);
    const isMeta = kind !== undefined;
    const canonical = isMeta ? asked : await canonicalName(name, request);
    const target = kind === 'call' && isObject(input) ? input['name'] : canonical;
    const confirmation = this.confirmations.ofCall(request, parts.context(), capabilities, target);
    const options = {
      ...callOptions(parts),
      exactNumbers: request.exactNumbers,
      bareNames: !request.endpoint.prefix,
      confirm: confirmation.ask,
      ...(isReadCall && onlyReads(readCalls)),
    };
    const result = checked(await toolbox.call(canonical, input, options));
    const question = await confirmation.question(result);
    if (question) return question;
    // A name of the protocol itself; a name in the arguments of a meta tool is answered by that tool.
    if (!isMeta && !result.ok && result.code === 'TOOL_NOT_AVAILABLE') {
      throw refusalOf(result, ProtocolErrorCode.InvalidParams);
    }
    if (isMeta && (kind !== 'call' || toolbox.metaKinds.has(String(target)))) {
      const answer = metaAnswer(result);
      return kind === 'search' ? referred(request, answer, result) : answer;
    }
    const answer = toolAnswer(result);
    const { tool } = confirmation;
    const needsStructure = result.ok && !isMeta && tool && toolbox.outputSchemaOf(tool)?.['type'] === 'object';
    // Clients refuse a success without the structure that its schema promises.
    return needsStructure && answer.structuredContent === undefined ? { ...answer, isError: true } : answer;
  }
}

/** The answer of a search, with references to the found tools where the endpoint has them. */
async function referred(
  { toolbox, endpoint }: GatewayRequest,
  answer: CallToolResult,
  result: ToolResult,
): Promise<CallToolResult> {
  const { prefix, references } = endpoint;
  if (references === undefined) return answer;
  const { shown } = toolNames(await toolbox.visible(), prefix, toolbox.metaKinds);
  return withReferences(answer, result, shown, references);
}

/** A client of 2026-07-28 declares them in each message, which may arrive on a connection with many. */
function capabilitiesOf({ mcpReq }: ServerContext, server: Server): ClientCapabilities | undefined {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  return (envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? server.getClientCapabilities();
}

/** A list depends on its caller; a resource may change at any time. */
function cacheHints(ttlMs: number) {
  const list = { ttlMs, cacheScope: 'private' } as const;
  return {
    'server/discover': list,
    'tools/list': list,
    'resources/list': list,
    'resources/templates/list': list,
    'prompts/list': list,
    'resources/read': { ttlMs: 0, cacheScope: 'private' },
  } as const;
}

/** The canonical name of a listed tool; any other name is returned unchanged. */
async function canonicalName(name: string, { toolbox, endpoint }: GatewayRequest): Promise<string> {
  return toolNames(await toolbox.visible(), endpoint.prefix, toolbox.metaKinds).canonical.get(name) ?? name;
}

/** Tells a legacy client, on the stream of its own request, that a call has added tools to its list. */
async function reportGrownList(request: GatewayRequest, context: ServerContext, session: ListMemory): Promise<void> {
  if (request.endpoint.exposure !== 'deferred' || session.seen === undefined) return;
  const { digest } = await toolList(request.toolbox, request.endpoint);
  if (digest === session.seen) return;
  session.seen = digest;
  await context.mcpReq.notify({ method: 'notifications/tools/list_changed' });
}
