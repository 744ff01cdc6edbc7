import { ContextIdFactory, type ContextId, type ModuleRef } from '@nestjs/core';
import type { ToolContext } from '../../tool/tool-context.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { Incoming } from './incoming.js';

type LinkedRequest = Omit<Incoming, 'key'> & Partial<Pick<Incoming, 'key'>>;

// Keyed by identity of the frozen context, which input from a model cannot forge.
const links = new WeakMap<ToolContext, LinkedRequest>();
const contextIds = new WeakMap<object, ContextId>();

/**
 * Links a context to its request for as long as the context lives. Guards, handlers and policies see this request only.
 *
 * @param response default: `request.res`, which Express sets
 * @throws ToolSearchError `INVALID_CONTEXT` when the context already belongs to another request
 */
export function linkRequest(context: ToolContext, request: object, response?: object): void {
  const known = links.get(context);
  if (known && known.request !== request) {
    throw new ToolSearchError('INVALID_CONTEXT', 'The context already belongs to another request.', {
      hint: 'Make a context for each request; toolContext() returns a new one each time.',
    });
  }
  linkIncoming(context, { ...known, request, response: response ?? known?.response });
}

export function linkIncoming(context: ToolContext, incoming: LinkedRequest): void {
  links.set(context, { ...incoming, response: incoming.response ?? (incoming.request as { res?: object }).res });
}

export function followRequest(derived: ToolContext, from: ToolContext): void {
  const known = links.get(from);
  if (known) links.set(derived, known);
}

/** The request and response behind a context; undefined outside a request (queue, cron, `open(context)`). */
export function linkedRequest(context: ToolContext): LinkedRequest | undefined {
  return links.get(context);
}

/** The request behind a context; undefined outside a request (queue, cron, `open(context)`). */
export function requestOf(context: ToolContext): object | undefined {
  return links.get(context)?.request;
}

/**
 * The context id for request-scoped providers. A tool and the controller that calls it share those of their request;
 * without a request, each call gets a new id.
 */
export function contextIdOf(context: ToolContext, moduleRef: ModuleRef): ContextId {
  const link = links.get(context);
  if (!link) return ContextIdFactory.create();
  const { request, key = request, provided = request, isOfMany } = link;
  let id = contextIds.get(key);
  if (!id) {
    id = ContextIdFactory.getByRequest(provided, ['raw', 'req']);
    // Only a request that already has an id from Nest returns the same id twice, and only then REQUEST is registered
    // already.
    const isNests = ContextIdFactory.getByRequest(provided, ['raw', 'req']) === id;
    if (isNests && isOfMany) id = ContextIdFactory.create();
    if (!isNests || isOfMany) moduleRef.registerRequestByContextId(provided, id);
    contextIds.set(key, id);
  }
  return id;
}
