import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Logger } from '@nestjs/common';
import { isToolSearchError, type ToolFailure } from '@tool-search/core';
import { failureOf } from '@tool-search/core/adapter';

/** An error of the library as an error of the protocol, with its code and hint. Others lose their text and are logged. */
export function protocolError(error: unknown, logger: Pick<Logger, 'error'>): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!isToolSearchError(error)) logFault(error, logger);
  return refusalOf(failureOf(error), ProtocolErrorCode.InternalError);
}

/** Logs an error whose text callers do not receive. */
export function logFault(error: unknown, logger: Pick<Logger, 'error'>): void {
  logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

/** A failure of the library as an error of the protocol. */
export function refusalOf({ code, message, hint }: ToolFailure, rpcCode: number): ProtocolError {
  const text = hint === undefined ? message : `${message} ${hint}`;
  return new ProtocolError(rpcCode, text, { code, ...(hint !== undefined && { hint }) });
}

const logger = new Logger('ToolGateway');

/** Runs the work of a handler. @throws ProtocolError instead of any other error */
export async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw protocolError(error, logger);
  }
}
