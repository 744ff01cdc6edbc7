import { STATUS_CODES } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ToolSearchError, type ToolSearchErrorCode } from '../tool/tool-search.error.js';

/** An error as HTTP tells it: RFC 9457 problem details with the library's code and hint. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ToolSearchErrorCode;
  readonly hint?: string;
}

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

/** Answers a {@link ToolSearchError} as `application/problem+json`, on any HTTP adapter; other errors are not its business. */
@Catch(ToolSearchError)
export class ToolSearchErrorFilter implements ExceptionFilter<ToolSearchError> {
  readonly #logger = new Logger('ToolSearch');

  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  catch(error: ToolSearchError, host: ArgumentsHost, status?: number): void {
    if (host.getType() !== 'http') throw error;
    const response = host.switchToHttp().getResponse<unknown>();
    const { httpAdapter } = this.host;
    if (httpAdapter.isHeadersSent(response)) {
      httpAdapter.end(response);
      return;
    }
    const problem = problemOf(error, status);
    // The caller learns the code; why it came to it is the operator's to know.
    if (problem.status >= 500) this.#logger.error(`${error.code}: ${error.message}`, error.cause ?? error.stack);
    httpAdapter.setHeader(response, 'Content-Type', 'application/problem+json; charset=utf-8');
    // As text: an adapter that serialises an object may choose a content type of its own.
    httpAdapter.reply(response, JSON.stringify(problem), problem.status);
  }
}
