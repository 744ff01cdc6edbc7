import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { isObject } from '@tool-search/core/source';
import { MessageTooLarge, NoMessage } from '../transport/bounded-fetch.js';
import { NOT_ANSWERED, STREAM_ENDED } from '../transport/http-transport.js';

const MAX_CAUSES = 8;

/** The connection could not be opened; the cause has the reason. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super('the connection could not be opened', { cause });
    this.name = 'NotConnected';
  }
}

/** The last lines of a failed server on standard error. Operators see them, models do not. */
export class LastWords extends Error {
  constructor(words: string) {
    super(`the server wrote: ${words}`);
    this.name = 'LastWords';
  }
}

/** Whether the server does not accept the token. */
export function isUnauthorized(error: unknown): boolean {
  return among(error, SdkHttpError)?.status === 401;
}

/** Whether the server now speaks another protocol revision than negotiated, so that a new connection is needed. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === ProtocolErrorCode.UnsupportedProtocolVersion;
}

/** Whether the server has no such method. */
export function isMissing(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === ProtocolErrorCode.MethodNotFound;
}

/** Whether the server has answered with an error, or with something that is not a list. */
export function isRefused(error: unknown): boolean {
  return answered(error) || isInvalid(error);
}

/** Whether the server has answered with an error of its own. */
export function answered(error: unknown): error is ProtocolError {
  if (!(error instanceof ProtocolError) || isOutdated(error)) return false;
  return error.code !== STREAM_ENDED && error.code !== NOT_ANSWERED;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

export function isTooLarge(error: unknown): boolean {
  return error instanceof MessageTooLarge;
}

// The SDK also passes on errors of its JSON and schema parsers.
export function isInvalid(error: unknown): boolean {
  if (error instanceof NoMessage || (error instanceof ProtocolError && error.code === NOT_ANSWERED)) return true;
  if (!(error instanceof SdkError)) return isObject(error) && /^(Syntax|Zod)Error$/.test(String(error['name']));
  return error.code === SdkErrorCode.InvalidResult || error.code === SdkErrorCode.ClientHttpUnexpectedContent;
}

/** The first error of a class among a failure and its causes. */
export function among<T>(error: unknown, kind: abstract new (...args: never[]) => T): T | undefined {
  for (const cause of causesOf(error)) if (cause instanceof kind) return cause;
  return undefined;
}

/** A failure and its causes. System errors may come from another realm, so `instanceof Error` does not work here. */
export function* causesOf(error: unknown): Generator<object> {
  let cause = error;
  for (let depth = 0; isObject(cause) && depth < MAX_CAUSES; depth++) {
    yield cause;
    cause = cause['cause'];
  }
}
