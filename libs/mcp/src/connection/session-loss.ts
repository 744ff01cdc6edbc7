import { ProtocolError, SdkHttpError } from '@modelcontextprotocol/client';
import { answered, isOutdated, rpcCodeOf, wordsOf } from '../errors/error-kinds.js';

/** The code with which servers answer where the session is unknown, whatever the HTTP status. Others use it for time limits. */
const SESSION_UNKNOWN = -32_001;
/**
 * The whole of what a server says of a session that it does not know. A session that is closed, or has expired, may have
 * been one of the tool, in which the call has run.
 */
const UNKNOWN_SESSION =
  /^(?:(?:error|not found|bad request): )?(?:(?:the |this )?(?:mcp )?session(?: id)? (?:is |was )?(?:not found|unknown)|(?:unknown|no such) session(?: id)?)(?:: ?["']?[\w-]{1,128}["']?)?[.!]?$/i;
/**
 * The whole of what a server says with the status 400 to a session that it does not have. Other words may be those of an
 * API behind it, in which the call has run.
 */
const REFUSED_SESSION =
  /^(?:(?:error|bad request): )?(?:(?:no valid|no|invalid|missing|invalid or missing|missing or invalid) (?:mcp[ -])?session(?:[ -]?id)?(?: (?:provided|header))?|server (?:is )?not initialized|bad request)[.!]?$/i;
/** The same without the word, which says as much only if a ping fails too. */
const UNKNOWN = /^(?:unknown|not found)[.!]?$/i;
const NAMES_SESSION = /session/i;
/** What servers say of a session of which they know nothing. */
const DOUBTS_SESSION = /session|initiali[sz]/i;

/**
 * What an answer means for the session. `unknown`: the server says that it does not know it, so it has not run the
 * request, which can be repeated in a new session. `doubtful`: it may not know it, which another request shows.
 */
type SessionVerdict = 'unknown' | 'doubtful' | 'fine';

/**
 * Reads from a failure whether the server has lost the session.
 *
 * @param hasSession whether the server gave this connection a session, so that an HTTP status can speak of it. Without
 *   one, as over stdio, a tool may speak of sessions of its own: then only a ping can show a loss
 */
export function sessionVerdict(error: unknown, hasSession: boolean): SessionVerdict {
  if (isOutdated(error)) return 'unknown';
  const status = error instanceof SdkHttpError ? error.status : undefined;
  const words = wordsOf(error) ?? '';
  const isCode = rpcCodeOf(error) === SESSION_UNKNOWN;
  if (!hasSession) return isCode && NAMES_SESSION.test(words) ? 'doubtful' : 'fine';
  if (isCode) return UNKNOWN_SESSION.test(words.trim()) ? 'unknown' : 'doubtful';
  if (status !== undefined) return status === 404 || status === 410 ? 'unknown' : status === 429 ? 'fine' : 'doubtful';
  return error instanceof ProtocolError && DOUBTS_SESSION.test(words) ? 'doubtful' : 'fine';
}

/**
 * Whether an answer says that a request in a lost session has not run, so that it may be repeated: by its status, or by the
 * words of an unknown session. With 400, some servers say nothing else. Never after a 5xx, which says nothing.
 */
export function mayRepeat(error: unknown): boolean {
  const status = error instanceof SdkHttpError ? error.status : undefined;
  if (status === 404 || status === 410) return true;
  if (status !== undefined && status >= 500) return false;
  if (isOutdated(error)) return true;
  const [words, code] = [(wordsOf(error) ?? '').trim(), rpcCodeOf(error)];
  if (code === SESSION_UNKNOWN && (UNKNOWN_SESSION.test(words) || UNKNOWN.test(words))) return true;
  if (status !== 400) return false;
  return words === '' ? code === undefined : REFUSED_SESSION.test(words) || UNKNOWN_SESSION.test(words);
}

/** What a ping in a session shows. `denied`: the server does not know the session; `silent`: nobody knows. */
export type PingOutcome = 'answered' | 'denied' | 'silent';

/** @param error of a ping that failed */
export function pingOutcome(error: unknown): PingOutcome {
  if (answered(error) && sessionVerdict(error, true) === 'fine') return 'answered';
  return mayRepeat(error) ? 'denied' : 'silent';
}
