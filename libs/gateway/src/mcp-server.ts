import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Logger } from '@nestjs/common';
import { isObject } from '@tool-search/core/source';
import { z } from 'zod';
import type { Confirmations } from './approvals/confirmations.js';
import { type GatewayRequest, gatewayRequest } from './gateway-request.js';
import { protocolError, refusalOf } from './protocol-error.js';
import type { GatewaySettings } from './tool-gateway.options.js';
import { listPage } from './tools/list-page.js';
import { metaAnswer, toolAnswer } from './tools/tool-answer.js';
import { toolKinds } from './tools/tool-kinds.js';
import { toolList } from './tools/tool-list.js';
import { toolNames } from './tools/tool-names.js';

/** Legacy revisions that are served in sessions, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18'];
// With a schema of its own, a cursor of another kind is answered with −32602; the SDK's would answer −32603.
const LIST_PARAMS = z.object({ cursor: z.string().optional() });
const MODERN_VERSION = '2026-07-28';

const logger = new Logger('ToolGateway');

/** A session in which the list may grow. */
export interface ListMemory {
  /** Digest of the list that the client has seen last. */
  seen?: string;
}

/** Builds servers of the SDK: one for each modern request, one for each legacy session. */
export class McpServers {
  constructor(
    private readonly settings: GatewaySettings,
    private readonly confirmations: Confirmations,
  ) {}

  /** @param session of a legacy client; absent for a request without one */
  async create(request: GatewayRequest, session?: ListMemory): Promise<Server> {
    const { serverInfo, listTtlMs, confirm } = this.settings;
    const { name, version, title } = serverInfo;
    const cacheHint = { ttlMs: listTtlMs, cacheScope: 'private' } as const;
    const { method } = request;
    const isGreeting = method === 'initialize' || method === 'server/discover';
    const server = new Server(
      { name, version, ...(title !== undefined && { title }) },
      {
        capabilities: { tools: { listChanged: true } },
        supportedProtocolVersions: session ? LEGACY_VERSIONS : [MODERN_VERSION],
        ...(isGreeting && { instructions: await instructions(request) }),
        cacheHints: { 'tools/list': cacheHint, 'server/discover': cacheHint },
        inputRequired: { maxRounds: 2, roundTimeoutMs: confirm.forMs },
        requestState: { verify: (state, context) => this.confirmations.verified(state, context) },
      },
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
        const answer = await this.#called(gateway, params.name, params.arguments ?? {}, context, server);
        if (session) await reportGrownList(gateway, context, session);
        return answer;
      }),
    );
    return server;
  }

  async #called(
    request: GatewayRequest,
    name: string,
    input: unknown,
    context: ServerContext,
    server: Server,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { toolbox } = request;
    const { signal, _meta } = context.mcpReq;
    const token = _meta?.progressToken;
    const kind = toolbox.metaKinds.get(name);
    const isMeta = kind !== undefined;
    const meant = isMeta ? name : await meantName(name, request);
    const target = kind === 'call' && isObject(input) ? input['name'] : meant;
    const confirmation = this.confirmations.ofCall(request, context, server.getClientCapabilities(), target);
    const result = await toolbox.call(meant, input, {
      signal,
      confirm: confirmation.ask,
      ...(token !== undefined && {
        onProgress: (update) => {
          const params = { progressToken: token, ...update };
          // Progress is optional: a client that is gone must not fail the call.
          context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
        },
      }),
    });
    const asked = await confirmation.question(result);
    if (asked) return asked;
    // A name of the protocol itself; a name in the arguments of a meta tool is answered by that tool.
    if (!isMeta && !result.ok && result.code === 'TOOL_NOT_AVAILABLE') {
      throw refusalOf(result, ProtocolErrorCode.InvalidParams);
    }
    if (isMeta && kind !== 'call') return metaAnswer(result);
    const answer = toolAnswer(result);
    const needsStructure = result.ok && confirmation.tool?.outputSchema?.['type'] === 'object' && !isMeta;
    // Clients refuse a success without the structure that its schema promises.
    return needsStructure && answer.structuredContent === undefined ? { ...answer, isError: true } : answer;
  }
}

/** The canonical name of a listed tool; any other name is returned unchanged. */
async function meantName(name: string, { toolbox, endpoint }: GatewayRequest): Promise<string> {
  return toolNames(await toolbox.visible(), endpoint.prefix, toolbox.metaKinds).meant.get(name) ?? name;
}

async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw protocolError(error, logger);
  }
}

async function instructions({ toolbox, endpoint }: GatewayRequest): Promise<string> {
  const own = endpoint.instructions ?? '';
  const { prompt, meta } = await toolbox.surface();
  const kinds = meta.length === 0 ? '' : toolKinds(await toolbox.visible()).full;
  return [own, prompt.guidance ?? '', kinds]
    .filter((text) => text !== '')
    .join('\n\n')
    .slice(0, 2000);
}

/** Tells a legacy client, on the stream of its own request, that a call has added tools to its list. */
async function reportGrownList(request: GatewayRequest, context: ServerContext, session: ListMemory): Promise<void> {
  if (request.endpoint.exposure !== 'deferred' || session.seen === undefined) return;
  const { digest } = await toolList(request.toolbox, request.endpoint);
  if (digest === session.seen) return;
  session.seen = digest;
  await context.mcpReq.notify({ method: 'notifications/tools/list_changed' });
}
