import { ContextIdFactory, type ContextId, type ModuleRef } from '@nestjs/core';
import type { ToolContext } from '../../tool/tool-context.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { Incoming } from './incoming.js';

/** The live request behind a context. */
type LinkedRequest = Omit<Incoming, 'key'> & Partial<Pick<Incoming, 'key'>>;

// Identity of the frozen context is the only key: nothing a model sends can be one.
const links = new WeakMap<ToolContext, LinkedRequest>();
const contextIds = new WeakMap<object, ContextId>();

/**
 * Remembers which request a context was made from, for as long as the context lives. Guards, handlers and policies get
 * this request and no other.
 *
 * @param response left out: the one that Express keeps on the request
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

/** Remembers what a context was made for. */
export function linkIncoming(context: ToolContext, incoming: LinkedRequest): void {
  links.set(context, { ...incoming, response: incoming.response ?? (incoming.request as { res?: object }).res });
}

/** Gives a context that was made from another one the same request. */
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
 * Where the request-scoped providers of a context live: with those of its request, so that a tool and the controller
 * that called it share them; without a request a new place at every call.
 */
export function contextIdOf(context: ToolContext, moduleRef: ModuleRef): ContextId {
  const link = links.get(context);
  if (!link) return ContextIdFactory.create();
  const { request, key = request, provided = request, isOfMany } = link;
  let id = contextIds.get(key);
  if (!id) {
    id = ContextIdFactory.getByRequest(provided, ['raw', 'req']);
    // Only a request that Nest gave an id to has the same one twice, and only then is REQUEST provided already.
    const isNests = ContextIdFactory.getByRequest(provided, ['raw', 'req']) === id;
    if (isNests && isOfMany) id = ContextIdFactory.create();
    if (!isNests || isOfMany) moduleRef.registerRequestByContextId(provided, id);
    contextIds.set(key, id);
  }
  return id;
}
