import type { ExecutionContext } from '@nestjs/common';
import { ToolSearchError } from '../../tool/tool-search.error.js';

/** One request, operation, message or job that a handler is called for. */
export interface Incoming {
  /** Belongs to this one alone: toolboxes are kept by it. A socket, which many messages share, cannot be one. */
  readonly key: object;
  /** What the `context` option gets, and what guards of tools find as the request. */
  readonly request: object;
  /** What Nest provides as REQUEST for it. @default `request` */
  readonly provided?: object;
  readonly response?: object | undefined;
  /** What is provided serves other messages as well, as a gateway's client does. */
  readonly isOfMany?: boolean | undefined;
}

/** A message of a microservice, as the `context` option and guards of tools get it. */
export interface IncomingMessage {
  /** Undefined where the transport's context has none. */
  readonly pattern: unknown;
  readonly data: unknown;
  /** Nest's context of the transport, for example a `TcpContext`. */
  readonly context: unknown;
}

/**
 * What an execution context was made for.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a kind of context that has no request
 */
export function incomingOf(execution: ExecutionContext): Incoming {
  const type = execution.getType<string>();
  const args = execution.getArgs<unknown[]>();
  const [first, second] = args;
  if (type === 'http' && isReference(first)) {
    return { key: first, request: first, response: isReference(second) ? second : undefined };
  }
  // The arguments of a reference resolver lack the second one.
  const graphql = args.length === 3 ? second : args[2];
  if (type === 'graphql' && isReference(graphql)) return operationOf(graphql);
  if (type === 'ws' && isReference(first)) return { key: args, request: first, isOfMany: true };
  if (type === 'rpc') return messageOf(first, second, args);
  throw noRequest(`a handler of type ${JSON.stringify(type)}`);
}

/**
 * What a request-scoped provider was built for, by what Nest injected as REQUEST.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` where nothing was
 */
export function incomingBehind(provided: unknown): Incoming {
  if (!isReference(provided)) throw noRequest('a provider that was built without one');
  if (isClient(provided)) {
    throw new ToolSearchError(
      'INVALID_CONFIGURATION',
      'No toolbox can be injected for a client, who sends many messages.',
      {
        hint: 'Take it as a parameter of the handler, @RequestToolbox(): it is made for each message.',
      },
    );
  }
  if (isRequestContextHost(provided)) {
    const context: unknown = provided.getContext();
    return { key: isRpcContext(context) ? context : provided, request: provided };
  }
  // An application may put `headers` into its GraphQL context; the request is behind `req` there all the same.
  const isRequest = 'headers' in provided && !('req' in provided && isReference(provided.req));
  return isRequest ? { key: provided, request: provided } : operationOf(provided);
}

function operationOf(context: object): Incoming {
  const { req } = context as { readonly req?: unknown };
  return { key: context, request: isReference(req) ? req : context, provided: context };
}

function messageOf(data: unknown, context: unknown, args: object): Incoming {
  const pattern: unknown = isRpcContext(context) ? context.getPattern?.() : undefined;
  const message: IncomingMessage = { pattern, data, context };
  // Nest makes one of its own contexts for each message; what another transport passes may serve many.
  return { key: isRpcContext(context) ? context : args, request: message };
}

// A WebSocket, or a client of socket.io. Nest provides it as REQUEST to a request-scoped gateway, once for all its messages.
function isClient(provided: object): boolean {
  const { readyState, send, handshake } = provided as Readonly<Record<string, unknown>>;
  return (typeof readyState === 'number' && typeof send === 'function') || isReference(handshake);
}

interface RpcContext {
  getArgs(): unknown;
  getPattern?(): unknown;
}

function isRpcContext(context: unknown): context is RpcContext {
  return isReference(context) && 'getArgs' in context && typeof context.getArgs === 'function';
}

function isRequestContextHost(provided: object): provided is { getContext(): unknown } {
  return ['getContext', 'getData', 'getPattern'].every(
    (method) => typeof (provided as Record<string, unknown>)[method] === 'function',
  );
}

function isReference(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function noRequest(where: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `No request says who is asking: this is ${where}.`, {
    hint: 'In a job, a cron task or a command open a toolbox yourself: ToolSearchService.open(context).',
  });
}
