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

/** Answers every error as problem details with a code; what is ours to know goes to the log, never to the caller. */
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
    // Nest wraps what the body parser threw.
    const error = thrown instanceof HttpException && isToolSearchError(thrown.cause) ? thrown.cause : thrown;
    if (isToolSearchError(error)) return this.#problems.catch(error, host);
    const status = statusOf(error);
    // The codes are fewer than what HTTP can say of a request.
    const code = CODES[status] ?? (status >= 400 && status < 500 ? 'INVALID_REQUEST' : undefined);
    if (code) {
      const problem = new ToolSearchError(code, messageOf(error, status), { hint: HINT });
      return this.#problems.catch(problem, host, status);
    }
    // A health check that fails has an answer of its own.
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
  // The body parser's errors are not Nest's; they carry their status.
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}

// The router and the body parser answer with words of their own, and repeat what they were sent.
function messageOf(error: unknown, status: number): string {
  if (status === 413) return 'The body is too large.';
  if (status === 415) return 'The body is in a charset or an encoding that is not read here: send JSON as UTF-8.';
  if (status === 400 && error instanceof Error && error.message.startsWith('Failed to decode param')) {
    return 'The path has a % that begins no character: write it as %25.';
  }
  if (status === 400) return 'The body cannot be read as JSON.';
  return error instanceof HttpException ? error.message : 'The request cannot be served.';
}
