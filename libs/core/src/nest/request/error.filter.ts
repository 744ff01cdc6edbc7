import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { throwError } from 'rxjs';
import { isToolSearchError, ToolSearchError, type ToolSearchErrorCode } from '../../tool/tool-search.error.js';

/** An error as HTTP tells it: RFC 9457 problem details with the library's code and hint. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ToolSearchErrorCode;
  readonly hint?: string;
}

const logger = new Logger('ToolSearch');

// Complete by type: a new code does not compile without a status.
const STATUS: Record<ToolSearchErrorCode, number> = {
  INVALID_QUERY: 400,
  QUERY_TOO_LONG: 400,
  INVALID_PATTERN: 400,
  PATTERN_UNSUPPORTED: 400,
  PATTERN_TOO_COSTLY: 400,
  INVALID_ARGUMENTS: 400,
  ARGUMENTS_TOO_LARGE: 413,
  TOO_MANY_NAMES: 400,
  TOOL_NOT_AVAILABLE: 404,
  TOOL_FORBIDDEN: 403,
  TOOL_FAILED: 502,
  TOOL_TIMEOUT: 504,
  TOOL_CANCELLED: 499,
  SOURCE_UNAVAILABLE: 503,
  UPSTREAM_INVALID: 502,
  UPSTREAM_TOO_LARGE: 502,
  ACTIVATION_LIMIT: 409,
  APPROVAL_REQUIRED: 403,
  APPROVAL_PENDING: 409,
  APPROVAL_REFUSED: 403,
  GATE_CLOSED: 503,
  SESSION_REQUIRED: 400,
  INVALID_SESSION: 400,
  INVALID_CONTEXT: 400,
  UNAUTHENTICATED: 401,
  CONTEXT_UNAVAILABLE: 503,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
  RUN_NOT_FOUND: 404,
  RUN_DRIFTED: 409,
  INVALID_REQUEST: 400,
  REVISION_CONFLICT: 409,
  CONFIRMATION_REQUIRED: 428,
  STATIC_POLICY: 409,
  STORE_UNAVAILABLE: 503,
  // A fault of the application or of its catalog: nothing the caller could mend.
  INVALID_CONFIGURATION: 500,
  INVALID_TOOL: 500,
  DUPLICATE_TOOL: 500,
  SOURCE_LIMIT: 500,
  INTERNAL: 500,
};

/** The HTTP status of a code. 499 is nginx's "client closed request"; all others are registered. */
export function statusOf(code: ToolSearchErrorCode): number {
  return STATUS[code];
}

/** What a caller may read about an error, as problem details; `status` = where HTTP knows better than the code. */
export function problemOf({ code, message, hint }: ToolSearchError, status: number = statusOf(code)): Problem {
  const title = STATUS_CODES[status] ?? 'Client Closed Request';
  return { type: 'about:blank', title, status, detail: message, code, ...(hint !== undefined && { hint }) };
}

/**
 * Answers a {@link ToolSearchError} as problem details: over HTTP as `application/problem+json` on any adapter, in GraphQL as
 * `extensions` of the error, to a gateway's client as event `exception`, to a microservice's caller as the error. Other errors
 * are not its business. Nest does not apply it to gateways, nor to microservices of a hybrid application: put
 * `@UseFilters(ToolSearchErrorFilter)` on these classes for what their handlers throw.
 */
@Catch(ToolSearchError)
export class ToolSearchErrorFilter implements ExceptionFilter<ToolSearchError> {
  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  catch(error: ToolSearchError, host: ArgumentsHost, status?: number): unknown {
    const problem = reportedProblem(error, status);
    switch (host.getType<string>()) {
      case 'http':
        return this.#reply(problem, host.switchToHttp().getResponse<unknown>());
      case 'graphql':
        throw Object.assign(new ToolSearchError(error.code, error.message), { extensions: problem });
      case 'rpc':
      case 'ws':
        return answerMessage(problem, host);
      default:
        throw error;
    }
  }

  #reply(problem: Problem, response: unknown): void {
    const { httpAdapter } = this.host;
    if (httpAdapter.isHeadersSent(response)) {
      httpAdapter.end(response);
      return;
    }
    httpAdapter.setHeader(response, 'Content-Type', 'application/problem+json; charset=utf-8');
    // As text: an adapter that serialises an object may choose a content type of its own.
    httpAdapter.reply(response, JSON.stringify(problem), problem.status);
  }
}

/** The problem of an error, which the log has as well where it is a fault of ours. */
function reportedProblem(error: ToolSearchError, status?: number): Problem {
  const problem = problemOf(error, status);
  // The caller learns the code; why it came to it is the operator's to know. A context that failed is in the log already.
  if (problem.status >= 500 && error.code !== 'CONTEXT_UNAVAILABLE') {
    logger.error(`${error.code}: ${error.message}`, error.cause ?? error.stack);
  }
  return problem;
}

interface WsClient {
  readonly readyState?: number;
  send(text: string): void;
  emit(event: string, data: unknown): void;
}

function answerMessage(data: Problem, host: ArgumentsHost): unknown {
  if (host.getType() === 'rpc') return throwError(() => data);
  const client = host.switchToWs().getClient<WsClient>();
  // As Nest's own filter tells a plain WebSocket from a socket.io one.
  if (typeof client.readyState === 'number') client.send(JSON.stringify({ event: 'exception', data }));
  else client.emit('exception', data);
  return undefined;
}

/**
 * A refusal by a guard of this library, for a gateway or microservice, where Nest applies no global filters. Not a
 * {@link ToolSearchError}, so that over HTTP an application's own filter for these stays the one that answers.
 */
export class TransportRefusal extends Error {
  private constructor(readonly refused: ToolSearchError) {
    super(refused.message, { cause: refused });
  }

  /** What is to be thrown for an error where handlers are called by this type of transport. */
  static of(error: unknown, type: string): unknown {
    return (type === 'ws' || type === 'rpc') && isToolSearchError(error) ? new TransportRefusal(error) : error;
  }
}

/** Answers a {@link TransportRefusal}. */
@Catch(TransportRefusal)
export class TransportRefusalFilter implements ExceptionFilter<TransportRefusal> {
  catch({ refused }: TransportRefusal, host: ArgumentsHost): unknown {
    return answerMessage(reportedProblem(refused), host);
  }
}
