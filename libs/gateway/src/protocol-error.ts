import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ToolFailure } from '@tool-search/core';
import { failureOf } from '@tool-search/core/adapter';

/** An error of the library as an error of the protocol, with its code and hint. Other errors lose their text. */
export function protocolError(error: unknown): ProtocolError {
  return error instanceof ProtocolError ? error : refusalOf(failureOf(error), ProtocolErrorCode.InternalError);
}

/** A failure of the library as an error of the protocol. */
export function refusalOf({ code, message, hint }: ToolFailure, rpcCode: number): ProtocolError {
  const text = hint === undefined ? message : `${message} ${hint}`;
  return new ProtocolError(rpcCode, text, { code, ...(hint !== undefined && { hint }) });
}
