import { isNested } from '../../json/json.js';
import type { ExecutionContext } from '@nestjs/common';
import { ToolSearchError } from '../../tool/tool-search.error.js';

export interface Incoming {
  /** Identity of this request, under which its toolbox is cached. Never a socket, which many messages share. */
  readonly key: object;
  /** The argument of the `context` option, and the request that guards of tools see. */
  readonly request: object;
  /** The value that Nest injects as REQUEST. @default `request` */
  readonly provided?: object;
  readonly response?: object | undefined;
  /** `provided` is shared with other messages, like a gateway's client. */
  readonly isOfMany?: boolean | undefined;
}

/** A message of a microservice, as passed to the `context` option and to guards of tools. */
export interface IncomingMessage {
  /** Undefined when the transport's context has none. */
  readonly pattern: unknown;
  readonly data: unknown;
  /** Nest's context of the transport, for example a `TcpContext`. */
  readonly context: unknown;
}

/**
 * The request, operation or message of an execution context.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a type of context without a request
 */
export function incomingOf(execution: ExecutionContext): Incoming {
  const type = execution.getType<string>();
  const args = execution.getArgs<unknown[]>();
  const [first, second] = args;
  if (type === 'http' && isNested(first)) {
    return { key: first, request: first, response: isNested(second) ? second : undefined };
  }
  // A reference resolver has three arguments: its context is the second one.
  const graphql = args.length === 3 ? second : args[2];
  if (type === 'graphql' && isNested(graphql)) return operationOf(graphql);
  if (type === 'ws' && isNested(first)) return { key: args, request: first, isOfMany: true };
  if (type === 'rpc') return messageOf(first, second, args);
  throw noRequest(`a handler of type ${JSON.stringify(type)}`);
}

/**
 * The request, operation or message behind the value that Nest injected as REQUEST.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` when there is none
 */
export function incomingBehind(provided: unknown): Incoming {
  if (!isNested(provided)) throw noRequest('a provider that was built without one');
  if (isClient(provided)) {
    throw new ToolSearchError(
      'INVALID_CONFIGURATION',
      'No toolbox can be injected for a client, who sends many messages.',
      { hint: 'Take it as a parameter of the handler, @RequestToolbox(): it is made for each message.' },
    );
  }
  if (isRequestContextHost(provided)) {
    const context: unknown = provided.getContext();
    return { key: isRpcContext(context) ? context : provided, request: provided };
  }
  // An application may put `headers` into its GraphQL context; the request is still under `req`.
  const isRequest = 'headers' in provided && !('req' in provided && isNested(provided.req));
  return isRequest ? { key: provided, request: provided } : operationOf(provided);
}

function operationOf(context: object): Incoming {
  const { req } = context as { readonly req?: unknown };
  return { key: context, request: isNested(req) ? req : context, provided: context };
}

function messageOf(data: unknown, context: unknown, args: object): Incoming {
  const pattern: unknown = isRpcContext(context) ? context.getPattern?.() : undefined;
  const message: IncomingMessage = { pattern, data, context };
  // Nest creates one of its own contexts per message; the context of another transport may serve many messages.
  return { key: isRpcContext(context) ? context : args, request: message };
}

// A WebSocket or a socket.io client. Nest injects it as REQUEST into a request-scoped gateway, once for all messages.
function isClient(provided: object): boolean {
  const { readyState, send, handshake } = provided as Readonly<Record<string, unknown>>;
  return (typeof readyState === 'number' && typeof send === 'function') || isNested(handshake);
}

interface RpcContext {
  getArgs(): unknown;
  getPattern?(): unknown;
}

function isRpcContext(context: unknown): context is RpcContext {
  return isNested(context) && 'getArgs' in context && typeof context.getArgs === 'function';
}

function isRequestContextHost(provided: object): provided is { getContext(): unknown } {
  return ['getContext', 'getData', 'getPattern'].every(
    (method) => typeof (provided as Record<string, unknown>)[method] === 'function',
  );
}

function noRequest(where: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `No request says who is asking: this is ${where}.`, {
    hint: 'In a job, a cron task or a command open a toolbox yourself: ToolSearchService.open(context).',
  });
}
