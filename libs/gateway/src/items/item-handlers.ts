import type { ClientCapabilities, Server, ServerCapabilities, ServerContext } from '@modelcontextprotocol/server';
import { isToolSearchError } from '@tool-search/core';
import { APP_PAGE_TYPE, APPS_EXTENSION, type ExposedKind } from '@tool-search/core/internal';
import { z } from 'zod';
import { type GatewayRequest, gatewayRequest } from '../gateway-request.js';
import { callOptions } from '../input/call-options.js';
import type { PausableParts, PausedCalls } from '../input/paused-calls.js';
import { answered } from '../protocol-error.js';
import type { GatewaySettings } from '../tool-gateway.options.js';
import { LIST_PARAMS, listPage } from '../tools/list-page.js';
import { isUnknown, promptAnswer, resourceAnswer, unknownPrompt, unknownResource } from './item-answer.js';
import { type ItemLists, itemLists } from './item-list.js';
import type { ResourceSubscriptions } from './resource-subscriptions.js';
import { listedPrompt, listedResource, listedTemplate } from './listed-item.js';

const URI = z.object({ uri: z.string().max(2048) });
const PROMPT = z.object({
  name: z.string().max(256),
  arguments: z.record(z.string(), z.string()).optional(),
});

/**
 * Returns the capabilities beside tools: they follow from what the sources declare, not from what the caller sees or its client
 * announces.
 *
 * @param showsApps whether the endpoint has pages of tools for hosts of MCP Apps
 */
export function itemCapabilities(showsApps: boolean, kinds: ReadonlySet<ExposedKind> = new Set()): ServerCapabilities {
  const hasApps = showsApps && kinds.has('apps');
  const hasResources = hasApps || kinds.has('resource') || kinds.has('resource_template');
  const hasPrompts = kinds.has('prompt');
  return {
    ...(hasResources && { resources: { listChanged: true, subscribe: true } }),
    ...(hasPrompts && { prompts: { listChanged: true } }),
    ...((hasResources || hasPrompts) && { completions: {} }),
    ...(kinds.has('logging') && { logging: {} }),
    ...(hasApps && { extensions: { [APPS_EXTENSION]: { mimeTypes: [APP_PAGE_TYPE] } } }),
  };
}

/** Answers requests about resources, templates and prompts, as far as the server has the capability. */
export function handleItems(
  server: Server,
  { pageSize }: Pick<GatewaySettings, 'pageSize'>,
  paused: PausedCalls,
  capabilitiesOf: (context: ServerContext) => ClientCapabilities | undefined,
  subscriptions?: ResourceSubscriptions,
): void {
  const { resources, prompts, completions } = server.getCapabilities();
  // An answer of the user may take minutes: in a session, guards and `context` are asked again before it counts.
  const pausable = async <T>(
    context: ServerContext,
    asked: unknown,
    run: (request: GatewayRequest, parts: PausableParts) => Promise<T>,
  ) => {
    const first = gatewayRequest(context.http?.req);
    const isAgain = first.isLegacy && context.mcpReq.requestState() !== undefined;
    const request = isAgain ? await first.again() : first;
    const newest = { context, capabilities: capabilitiesOf(context) };
    return paused.answer(request, newest, asked, (parts) => run(request, parts));
  };
  const listsOf = async (context: ServerContext) => {
    const { toolbox, endpoint } = gatewayRequest(context.http?.req);
    return itemLists(toolbox, endpoint);
  };
  if (resources) {
    server.setRequestHandler('resources/list', { params: LIST_PARAMS }, ({ cursor }, context) =>
      answered(async () => {
        const { items, ...next } = listPage((await listsOf(context)).resources, cursor, pageSize);
        return { resources: items.map(listedResource), ...next };
      }),
    );
    server.setRequestHandler('resources/templates/list', { params: LIST_PARAMS }, ({ cursor }, context) =>
      answered(async () => {
        const { items, ...next } = listPage((await listsOf(context)).templates, cursor, pageSize);
        return { resourceTemplates: items.map(listedTemplate), ...next };
      }),
    );
    server.setRequestHandler('resources/read', { params: URI }, ({ uri }, context) =>
      answered(() =>
        pausable(context, uri, async ({ toolbox }, { checked, ...parts }) => {
          const found = await toolbox.items.find(uri);
          if (!found) throw unknownResource(uri);
          const result = await toolbox.items.read(found.item.name, found.input, callOptions(parts));
          return resourceAnswer(checked(result), uri, found.item);
        }),
      ),
    );
  }
  if (resources && subscriptions) handleSubscriptions(server, subscriptions);
  if (completions) handleCompletions(server, listsOf);
  if (!prompts) return;
  server.setRequestHandler('prompts/list', { params: LIST_PARAMS }, ({ cursor }, context) =>
    answered(async () => {
      const lists = await listsOf(context);
      const { items, ...next } = listPage(lists.prompts, cursor, pageSize);
      return { prompts: items.map((item) => listedPrompt(item, lists.shown.get(item.name) ?? item.name)), ...next };
    }),
  );
  server.setRequestHandler('prompts/get', { params: PROMPT }, (params, context) =>
    answered(() => {
      const { name: shown, arguments: input = {} } = params;
      return pausable(context, [shown, input], async ({ toolbox, endpoint }, { checked, ...parts }) => {
        const name = (await itemLists(toolbox, endpoint)).canonical.get(shown);
        if (name === undefined) throw unknownPrompt();
        return promptAnswer(checked(await toolbox.items.read(name, input, callOptions(parts))));
      });
    }),
  );
}

function handleCompletions(server: Server, listsOf: (context: ServerContext) => Promise<ItemLists>): void {
  server.setRequestHandler('completion/complete', ({ params }, context) =>
    answered(async () => {
      const { ref, argument, context: before } = params;
      const lists = await listsOf(context);
      const name =
        ref.type === 'ref/prompt'
          ? lists.canonical.get(ref.name)
          : lists.templates.find(({ uri }) => uri === ref.uri)?.name;
      const unknown = () => (ref.type === 'ref/prompt' ? unknownPrompt() : unknownResource(ref.uri));
      if (name === undefined) throw unknown();
      const { toolbox } = gatewayRequest(context.http?.req);
      const entered = { argument, ...(before?.arguments && { context: before.arguments }) };
      try {
        const { values, ...more } = await toolbox.items.complete(name, entered, context.mcpReq.signal);
        return { completion: { values: [...values], ...more } };
      } catch (error) {
        // It was hidden after the list was made.
        throw isToolSearchError(error) && isUnknown(error) ? unknown() : error;
      }
    }),
  );
}

function handleSubscriptions(server: Server, subscriptions: ResourceSubscriptions): void {
  server.setRequestHandler('resources/subscribe', { params: URI }, ({ uri }, context) =>
    answered(async () => {
      await subscriptions.add(gatewayRequest(context.http?.req), uri);
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', { params: URI }, ({ uri }) => {
    subscriptions.remove(uri);
    return {};
  });
}
