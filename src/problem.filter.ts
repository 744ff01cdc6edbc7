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

  override catch(error: unknown, host: ArgumentsHost): void {
    if (isToolSearchError(error)) return this.#problems.catch(error, host);
    const status = statusOf(error);
    const code = CODES[status];
    if (code) return this.#problems.catch(new ToolSearchError(code, messageOf(error, status), { hint: HINT }), host);
    // A health check that fails has an answer of its own.
    if (error instanceof HttpException) return super.catch(error, host);
    this.#logger.error('Unexpected error', error instanceof Error ? error.stack : String(error));
    this.#problems.catch(
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

// The body parser is the only one to answer 400 and 413 with words of its own, and repeats what it was sent.
function messageOf(error: unknown, status: number): string {
  if (status === 413) return 'The body is too large.';
  if (status === 400) return 'The body cannot be read as JSON without repeated keys.';
  return error instanceof HttpException ? error.message : 'The request cannot be served.';
}
