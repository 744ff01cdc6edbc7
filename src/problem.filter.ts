import { type ArgumentsHost, Catch, HttpException, Inject, Injectable, Logger } from '@nestjs/common';
import { BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import { isToolSearchError, ToolSearchError, ToolSearchErrorFilter, type ToolSearchErrorCode } from '@tool-search/core';

const CODES: Readonly<Record<number, ToolSearchErrorCode>> = {
  400: 'INVALID_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'ARGUMENTS_TOO_LARGE',
  429: 'RATE_LIMITED',
};

const HINT = 'The routes and their bodies are described at /docs.';

/** Answers every error as problem details with a code. Internal details are logged and never reach the caller. */
@Catch()
@Injectable()
export class ProblemFilter extends BaseExceptionFilter {
  readonly #logger = new Logger(ProblemFilter.name);
  readonly #problems: ToolSearchErrorFilter;

  constructor(@Inject(HttpAdapterHost) host: HttpAdapterHost) {
    super(host.httpAdapter);
    this.#problems = new ToolSearchErrorFilter(host);
  }

  override catch(thrown: unknown, host: ArgumentsHost): unknown {
    // Nest wraps errors of the body parser.
    const error = thrown instanceof HttpException && isToolSearchError(thrown.cause) ? thrown.cause : thrown;
    if (isToolSearchError(error)) return this.#problems.catch(error, host);
    const status = statusOf(error);
    // There are fewer codes than HTTP statuses.
    const code = CODES[status] ?? (status >= 400 && status < 500 ? 'INVALID_REQUEST' : undefined);
    if (code) {
      const problem = new ToolSearchError(code, messageOf(error, status), { hint: HINT });
      return this.#problems.catch(problem, host, status);
    }
    // A failed health check has its own response format.
    if (error instanceof HttpException) return super.catch(error, host);
    this.#logger.error('Unexpected error', error instanceof Error ? error.stack : String(error));
    return this.#problems.catch(
      new ToolSearchError('INTERNAL', 'Something went wrong on our side.', { hint: 'Try again later.' }),
      host,
    );
  }
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  // Errors of the body parser are not HttpExceptions, but have a status.
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}

// The messages of the router and the body parser repeat the caller's input, so they are replaced.
function messageOf(error: unknown, status: number): string {
  if (status === 413) return 'The body is too large.';
  if (status === 415) return 'The body is in a charset or an encoding that is not read here: send JSON as UTF-8.';
  if (status === 400 && error instanceof Error && error.message.startsWith('Failed to decode param')) {
    return 'The path has a % that begins no character: write it as %25.';
  }
  if (status === 400) return 'The body cannot be read as JSON.';
  return error instanceof HttpException ? error.message : 'The request cannot be served.';
}
