import { HttpException, type Logger } from '@nestjs/common';
import { isToolSearchError } from '@tool-search/core';
import { failureOf } from '@tool-search/core/adapter';
import { statusOf } from '@tool-search/core/internal';
import { logFault } from '../protocol-error.js';
import { RpcRefusal } from './rpc-refusal.js';

/** The refusal for any error. Errors without a code lose their text and are logged. */
export function refusalOfError(error: unknown, logger: Pick<Logger, 'error'>): RpcRefusal {
  if (error instanceof RpcRefusal) return error;
  const status = isToolSearchError(error)
    ? statusOf(error.code)
    : error instanceof HttpException
      ? error.getStatus()
      : 500;
  if (status >= 500) logFault(error, logger);
  const headers: Record<string, string> = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
  if (error instanceof HttpException && status < 500) {
    return new RpcRefusal(status, -32600, 'The application refused this request.', undefined, undefined, headers);
  }
  const { code, message, hint } = failureOf(error);
  return new RpcRefusal(status, status < 500 ? -32600 : -32603, message, code, hint, headers);
}
