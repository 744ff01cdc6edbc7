import { type ExecutionContext, HttpException, type Logger } from '@nestjs/common';
import { inspect } from 'node:util';
import { toolContext, type ToolContext } from '../../tool/tool-context.js';
import { isToolSearchError, ToolSearchError, type ToolSearchErrorCode } from '../../tool/tool-search.error.js';
import type { Incoming } from './incoming.js';
import { LogRateLimiter } from '../module/log-rate-limiter.js';
import { linkIncoming } from './request-link.js';
import type { ToolSearchModuleOptions } from '../module/tool-search.options.js';

const CODES: Readonly<Record<number, ToolSearchErrorCode>> = {
  400: 'INVALID_REQUEST',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'RATE_LIMITED',
};

/** Resolves callers by the application's `context` option. */
export class RequestContexts {
  readonly #allowance = new LogRateLimiter();

  constructor(
    private readonly contextOf: ToolSearchModuleOptions['context'],
    private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /**
   * The context of a request, linked to it.
   *
   * @throws ToolSearchError `UNAUTHENTICATED` without a context; the code of a client error that the option threw;
   *   otherwise `CONTEXT_UNAVAILABLE`, whose cause is logged
   */
  async of(incoming: Incoming, execution?: ExecutionContext): Promise<ToolContext> {
    const raw = await this.#asked(incoming, execution);
    if (raw === undefined || raw === null) throw unauthenticated();
    const context = toolContext(raw);
    linkIncoming(context, incoming);
    return context;
  }

  async #asked({ request }: Incoming, execution?: ExecutionContext): Promise<unknown> {
    try {
      return await this.contextOf(request, execution);
    } catch (error) {
      if (isToolSearchError(error)) throw error;
      const status = error instanceof HttpException ? error.getStatus() : 500;
      if (status < 500) throw refused(CODES[status], error);
      this.#log(error);
      throw new ToolSearchError('CONTEXT_UNAVAILABLE', 'It could not be found out who is asking.', {
        hint: 'Try again later. Operators find the cause in the log.',
        cause: error,
      });
    }
  }

  // Rate-limited: a database outage fails every request.
  #log(error: unknown): void {
    const next = this.#allowance.next('context');
    if (next === 'whole') this.logger.error(`The context option threw: ${inspect(error)}`);
    if (next === 'last') this.logger.error('The context option goes on throwing; no more lines for a minute');
  }
}

function refused(code: ToolSearchErrorCode | undefined, cause: unknown): ToolSearchError {
  if (code === undefined) return unauthenticated(cause);
  return new ToolSearchError(code, 'The application refused this request.', { cause });
}

function unauthenticated(cause?: unknown): ToolSearchError {
  return new ToolSearchError('UNAUTHENTICATED', 'This request does not say who is asking.', {
    hint: 'Authenticate and try again.',
    cause,
  });
}
