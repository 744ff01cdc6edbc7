import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { isObject } from '@tool-search/core/internal';
import { WRONG_REVISION } from '../messages/mended-messages.js';
import { NOT_ANSWERED } from '../messages/sound-envelope.js';
import { NoMessage } from '../transport/bounded-fetch.js';
import { MessageTooLarge } from '../transport/event-stream.js';
import { STREAM_ENDED } from '../transport/http-transport.js';

const MAX_CAUSES = 8;
/** Codes of errors that this side has put in the place of answers. */
const OWN_CODES: ReadonlySet<number> = new Set([STREAM_ENDED, NOT_ANSWERED, WRONG_REVISION]);

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

/** The server has lost the session in which it was asked, and may have run the request. The cause is its answer. */
export class SessionLost extends Error {
  constructor(cause: unknown) {
    super('the server has lost the session', { cause });
    this.name = 'SessionLost';
  }
}

/** What the body of an HTTP error says: the server's words, cleaned of the credentials of the connection. */
export class BodyWords extends Error {
  /** @param code of the JSON-RPC error in the body, if it is one */
  constructor(
    words: string,
    readonly code?: number,
  ) {
    super(words);
    this.name = 'BodyWords';
  }
}

/** A server has answered a request for a list with something else. */
export class NoList extends Error {
  /** @param isNull some servers send null for an empty list */
  constructor(
    method: string,
    key: string,
    readonly isNull = false,
  ) {
    super(`the answer to ${method} has ${isNull ? 'null in place of the' : 'no'} list of ${key}`);
    this.name = 'NoList';
  }
}

/** A server has sent a cursor that is too large to be kept and sent back. */
export class CursorTooLarge extends Error {
  constructor(
    method: string,
    readonly fault: string,
  ) {
    super(`the answer to ${method} has ${fault}`);
    this.name = 'CursorTooLarge';
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
  return !OWN_CODES.has(error.code);
}

/** What a server says in an error, in its own words; undefined if it has not answered with one. */
export function wordsOf(error: unknown): string | undefined {
  const answer = among(error, ProtocolError);
  return among(error, BodyWords)?.message ?? (answer && !OWN_CODES.has(answer.code) ? answer.message : undefined);
}

/** The code of a JSON-RPC error, whatever HTTP status it came with. */
export function rpcCodeOf(error: unknown): number | undefined {
  return error instanceof ProtocolError ? error.code : among(error, BodyWords)?.code;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

export function isTooLarge(error: unknown): boolean {
  return error instanceof MessageTooLarge;
}

// The SDK also passes on errors of its JSON and schema parsers.
export function isInvalid(error: unknown): boolean {
  if (error instanceof NoMessage || error instanceof NoList || error instanceof CursorTooLarge) return true;
  if (error instanceof ProtocolError && error.code === NOT_ANSWERED) return true;
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
