import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { throwError } from 'rxjs';
import { isToolSearchError, ToolSearchError, type ToolSearchErrorCode } from '../../tool/tool-search.error.js';

/** RFC 9457 problem details of an error, with the library's code and hint. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ToolSearchErrorCode;
  readonly hint?: string;
  /** Also the header `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** The limit that refused a call. */
  readonly limit?: string;
}

const logger = new Logger('ToolSearch');

// The type makes it complete: a new code does not compile without a status.
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
  ARGUMENTS_NOT_ALLOWED: 403,
  CALL_REFUSED: 403,
  TOOL_RETIRED: 410,
  TOOL_FAILED: 502,
  TOOL_TIMEOUT: 504,
  TOOL_CANCELLED: 499,
  SOURCE_UNAVAILABLE: 503,
  SOURCE_BUSY: 503,
  UPSTREAM_INVALID: 502,
  UPSTREAM_TOO_LARGE: 502,
  REDACTION_FAILED: 502,
  RESULT_NOT_AVAILABLE: 404,
  ACTIVATION_LIMIT: 409,
  APPROVAL_REQUIRED: 403,
  APPROVAL_PENDING: 409,
  APPROVAL_REFUSED: 403,
  LIMIT_REACHED: 429,
  CREDENTIALS_REQUIRED: 403,
  CREDENTIALS_UNREADABLE: 500,
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
  CONFIRMATION_REFUSED: 403,
  INPUT_REQUIRED: 422,
  STATIC_POLICY: 409,
  STORE_UNAVAILABLE: 503,
  // Faults of the application or of its catalog, which the caller cannot correct.
  INVALID_CONFIGURATION: 500,
  INVALID_TOOL: 500,
  DUPLICATE_TOOL: 500,
  SOURCE_LIMIT: 500,
  INTERNAL: 500,
};

/** The HTTP status of a code. 499 is nginx's "client closed request"; all others are registered with IANA. */
export function statusOf(code: ToolSearchErrorCode): number {
  return STATUS[code];
}

/** The problem details that a caller may read. @param status overrides the status of the code */
export function problemOf(
  { code, message, hint, retryAfterSeconds, limit }: ToolSearchError,
  status: number = statusOf(code),
): Problem {
  const title = STATUS_CODES[status] ?? 'Client Closed Request';
  const advice = {
    ...(hint !== undefined && { hint }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(limit !== undefined && { limit }),
  };
  return { type: 'about:blank', title, status, detail: message, code, ...advice };
}

/**
 * Answers a {@link ToolSearchError} as problem details: over HTTP as `application/problem+json` on any adapter, in
 * GraphQL as `extensions` of the error, in a gateway as the event `exception`, in a microservice as the error. Nest
 * applies global filters neither to gateways nor to microservices of a hybrid application: put
 * `@UseFilters(ToolSearchErrorFilter)` on these classes.
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
    const { retryAfterSeconds } = problem;
    if (retryAfterSeconds !== undefined) httpAdapter.setHeader(response, 'Retry-After', String(retryAfterSeconds));
    // As text: an adapter that serializes an object may set another content type.
    httpAdapter.reply(response, JSON.stringify(problem), problem.status);
  }
}

/** The problem details of an error; status 500 and above is also logged. */
function reportedProblem(error: ToolSearchError, status?: number): Problem {
  const problem = problemOf(error, status);
  // The cause is for operators, not for the caller. A context that failed has been logged already.
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
  // Nest's own filter distinguishes a plain WebSocket from a socket.io client in the same way.
  if (typeof client.readyState === 'number') client.send(JSON.stringify({ event: 'exception', data }));
  else client.emit('exception', data);
  return undefined;
}

/**
 * A refusal by one of this library's guards in a gateway or microservice, where Nest applies no global filters. It does
 * not extend {@link ToolSearchError}, so that an application's own filter for those errors still answers HTTP requests.
 */
export class TransportRefusal extends Error {
  private constructor(readonly refused: ToolSearchError) {
    super(refused.message, { cause: refused });
  }

  static of(error: unknown, type: string): unknown {
    return (type === 'ws' || type === 'rpc') && isToolSearchError(error) ? new TransportRefusal(error) : error;
  }
}

@Catch(TransportRefusal)
export class TransportRefusalFilter implements ExceptionFilter<TransportRefusal> {
  catch({ refused }: TransportRefusal, host: ArgumentsHost): unknown {
    return answerMessage(reportedProblem(refused), host);
  }
}
