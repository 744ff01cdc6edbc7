import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/client';
import { isToolSearchError, ToolSearchError, type ToolSearchErrorCode } from '@tool-search/core';
import { isEgressRefused } from '@tool-search/core/source';
import {
  CircuitOpenError,
  type ItemKind,
  MAX_FAILURES,
  type ModelHint,
  type Outcome,
  type Verdict,
} from '@tool-search/core/internal';
import { Redirected } from '../transport/bounded-fetch.js';
import { CredentialsFailed, SHARED } from '../connection/credentials.js';
import { STREAM_ENDED } from '../transport/http-transport.js';
import {
  among,
  answered,
  causesOf,
  CursorTooLarge,
  isInvalid,
  isTimeout,
  isTooLarge,
  LastWords,
  NotConnected,
  rpcCodeOf,
  SessionLost,
  wordsOf,
} from './error-kinds.js';
import { WRONG_REVISION } from '../messages/mended-messages.js';
import { printable, quotedWords } from './server-words.js';
import { UnusableResult } from '../tools/unusable-result.js';

const MAY_HAVE_RUN = 'The call may have taken effect';

/** The error of a server that cannot be used: it is down, its process has ended, or its answers are not understood. */
export function unavailable(source: string, cause?: unknown): ToolSearchError {
  const { what, hint } = whyAway(cause);
  // A call rejected by the circuit gets no cause: the first failures and the source's state already report the outage.
  const reason = cause instanceof CircuitOpenError ? undefined : reasonOf(cause);
  return new ToolSearchError('SOURCE_UNAVAILABLE', `The server of ${source} ${what}.`, { hint, cause: reason });
}

// Operators get more detail than models, including the last lines of a failed command and what the server says.
function unloadable(source: string, error: unknown): ToolSearchError {
  const { what, hint } = whyUnreachable(error) ?? whyAway(error);
  const words = among(error, LastWords);
  const written = words ? ` (${words.message})` : '';
  const message = `The server of ${source} ${what}${written}.${quotedWords(wordsOf(error))}`;
  return new ToolSearchError('SOURCE_UNAVAILABLE', message, { hint, cause: reasonOf(error) });
}

/** Maps a failure to list the tools to an error for operators. */
export function loadFailure(source: string, error: unknown): ToolSearchError {
  if (isToolSearchError(error) && error.code === 'CREDENTIALS_REQUIRED') return unlisted(source, error);
  if (isToolSearchError(error)) return error;
  if (isTooLarge(error)) {
    return new ToolSearchError('SOURCE_LIMIT', `The server of ${source} answered with more than can be taken.`, {
      hint: 'Ask whoever runs the server; its last good tools stay.',
      cause: error,
    });
  }
  if (answered(error)) {
    const message = `The server of ${source} answered the request for its list with the error ${error.code}.`;
    return new ToolSearchError('UPSTREAM_INVALID', `${message}${quotedWords(error.message)}`, {
      hint: 'Ask whoever runs the server; its last good tools stay.',
      cause: error,
    });
  }
  if (error instanceof CursorTooLarge) {
    return new ToolSearchError('UPSTREAM_INVALID', `The server of ${source} answered with ${error.fault}.`, {
      hint: 'Ask whoever runs the server.',
      cause: error,
    });
  }
  if (!isInvalid(error)) return unloadable(source, error);
  return new ToolSearchError('UPSTREAM_INVALID', `The server of ${source} did not answer with a list of tools.`, {
    hint: 'Check that its address or command is that of an MCP server.',
    cause: error,
  });
}

/** The error of a list that broke off after some of its entries had been read. @param failure of {@link loadFailure} */
export function brokenList({ code, message, cause }: ToolSearchError): ToolSearchError {
  return new ToolSearchError(code, `The list broke off. ${message}`, {
    hint: 'What was read of it counts, and earlier entries stay until a whole list has been read.',
    cause,
  });
}

function unlisted(source: string, { connectUrl = '' }: ToolSearchError): ToolSearchError {
  const message = `The user whose account lists the tools of ${source} (listAs) has not connected it.`;
  return new ToolSearchError('SOURCE_UNAVAILABLE', message, { hint: `Let this user open ${connectUrl}.` });
}

/** The server's answer where it has no such resource: until 2026-07-28 a code of its own. */
const NO_SUCH_RESOURCE: readonly number[] = [ProtocolErrorCode.InvalidParams, -32_002];

/**
 * Maps a failure of a call to an error for models, without any text from the server but what it says against the arguments
 * of a tool.
 *
 * @param kind of a context item; absent for a tool
 */
export function callFailure(source: string, error: unknown, kind?: ItemKind): ToolSearchError {
  if (isToolSearchError(error)) return error;
  if (kind !== undefined && kind !== 'prompt' && answered(error) && NO_SUCH_RESOURCE.includes(error.code)) {
    return new ToolSearchError('NOT_FOUND', `The server of ${source} has no such resource.`);
  }
  const failed = (code: ToolSearchErrorCode, what: string, hint: string | ModelHint) =>
    new ToolSearchError(code, `The server of ${source} ${what}.`, { hint, cause: error });
  if (error instanceof ProtocolError && error.code === ProtocolErrorCode.MissingRequiredClientCapability) {
    return failed(
      'INPUT_REQUIRED',
      'needs to ask its caller for something that its source does not allow',
      'An operator can allow it with the option input of the source.',
    );
  }
  if (kind === undefined && isArgumentsRefusal(error)) return refusedArguments(source, error);
  if (answered(error)) {
    return error.code === ProtocolErrorCode.InvalidParams
      ? failed('INVALID_ARGUMENTS', 'refused the arguments', 'Correct them and try again.')
      : failed('TOOL_FAILED', 'answered with an error', 'Try other arguments, or use another tool.');
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.UnsupportedResultType) {
    return failed('TOOL_FAILED', 'answered with a kind of result that is not supported', 'Use another tool.');
  }
  if (isTimeout(error)) {
    return failed('TOOL_TIMEOUT', 'did not answer in time', `${MAY_HAVE_RUN}; check before you repeat it.`);
  }
  if (error instanceof UnusableResult) {
    const hint = `${MAY_HAVE_RUN}; check before you repeat it, or use another tool.`;
    return failed('UPSTREAM_INVALID', 'answered with a result that is not what the tool says', hint);
  }
  if (isInvalid(error)) {
    return failed('UPSTREAM_INVALID', 'answered with something that is not a result', `${MAY_HAVE_RUN}; check first.`);
  }
  if (isTooLarge(error)) {
    return failed(
      'UPSTREAM_TOO_LARGE',
      'answered with more than can be taken',
      `${MAY_HAVE_RUN}; ask for less at once.`,
    );
  }
  return unavailable(source, error);
}

/** Whether a server refuses the arguments of a call, over HTTP also with a status that says so. */
function isArgumentsRefusal(error: unknown): boolean {
  const status = error instanceof SdkHttpError ? error.status : undefined;
  return rpcCodeOf(error) === ProtocolErrorCode.InvalidParams && (status === undefined || status < 500);
}

/** What the server says against the arguments is the only way for a model to correct them: data, like a result. */
function refusedArguments(source: string, error: unknown): ToolSearchError {
  const words = (wordsOf(error) ?? '').trim();
  return new ToolSearchError('INVALID_ARGUMENTS', `The server of ${source} refused the arguments.`, {
    hint: ({ get }) => `Correct them and call again.${get === undefined ? '' : ` You can read the tool with ${get}.`}`,
    cause: error,
    ...(words !== '' && { content: [{ type: 'text', text: words }] }),
  });
}

/**
 * Verdict on an outcome for the circuit breaker. Failed connections, 502, 503 and, while connecting, any 5xx mean that
 * the server is unavailable; other answers mean that it is available. Timeouts, 504, cancelled calls, broken streams and
 * failed credentials functions leave it unknown. One user's own connection cannot open the circuit alone, because the
 * user's credentials may be the cause.
 *
 * @param holder owner of the connection
 */
export function verdictOf(outcome: Outcome, holder = SHARED): Verdict {
  const verdict = 'error' in outcome ? verdictOnFailure(outcome.error) : 'up';
  return verdict === 'down' && holder !== SHARED ? { subject: holder, limit: MAX_FAILURES - 1 } : verdict;
}

function verdictOnFailure(error: unknown): 'up' | 'down' | 'unknown' {
  if (error instanceof CredentialsFailed || isTimeout(error)) return 'unknown';
  if (isToolSearchError(error) || answered(error) || isInvalid(error) || isTooLarge(error)) return 'up';
  if (error instanceof UnusableResult || among(error, Redirected)) return 'up';
  if (error instanceof ProtocolError && error.code === STREAM_ENDED) return 'unknown';
  if (error instanceof SessionLost) return 'up';
  const status = among(error, SdkHttpError)?.status;
  if (status === undefined || status === 502 || status === 503) return 'down';
  if (status >= 500 && error instanceof NotConnected) return 'down';
  return status === 504 ? 'unknown' : 'up';
}

interface Why {
  readonly what: string;
  readonly hint: string;
}

function whyAway(cause: unknown): Why {
  const tryLater = 'Try again later, or use another tool.';
  if (isEgressRefused(cause)) {
    const hint = 'An operator allows its place with egress.allow, if it is meant.';
    return { what: 'is at an address that is not public and not allowed', hint };
  }
  if (cause instanceof CredentialsFailed) return { what: 'got no credentials to be called with', hint: tryLater };
  if (cause instanceof SessionLost) {
    const hint = `${MAY_HAVE_RUN}; check before you repeat it. The next call opens a new session.`;
    return { what: 'has lost the session of this connection', hint };
  }
  if (among(cause, Redirected)) {
    return { what: 'answered with a redirect, which is not followed', hint: 'An operator corrects its address.' };
  }
  const status = among(cause, SdkHttpError)?.status;
  if (status === 401 || status === 403) {
    return { what: 'refused the credentials', hint: 'Whoever they belong to renews them.' };
  }
  if (status === 429) return { what: 'is asked too often', hint: tryLater };
  return { what: 'cannot be reached', hint: tryLater };
}

/** The reason by HTTP status or system error code; undefined where {@link whyAway} covers it. */
function whyUnreachable(error: unknown): Why | undefined {
  if (isEgressRefused(error) || error instanceof CredentialsFailed || error instanceof SessionLost) return undefined;
  if (among(error, Redirected)) return undefined;
  const status = among(error, SdkHttpError)?.status;
  if (status === 401 || status === 403 || status === 429) return undefined;
  const answer = among(error, ProtocolError);
  if (answer?.code === WRONG_REVISION) {
    const what =
      answer.message === ''
        ? 'does not say which revision of the protocol it speaks'
        : `speaks a revision of the protocol that is not supported (${printable(answer.message)})`;
    return { what, hint: `Supported are 2026-07-28 and ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.` };
  }
  if (answer && wordsOf(answer) !== undefined) {
    return {
      what: `answered the first request with the error ${answer.code}`,
      hint: 'Ask whoever runs the server.',
    };
  }
  if (status !== undefined) {
    const hint = status >= 500 ? 'Ask whoever runs the server.' : 'Check its url, the path included.';
    return { what: `answered with HTTP status ${status}`, hint };
  }
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'EACCES') {
    return { what: `could not be started (${code})`, hint: 'Check its command, cwd and PATH.' };
  }
  if (code !== undefined) {
    return { what: `cannot be reached (${code})`, hint: 'Check its address, and whether it is running.' };
  }
  if (isTimeout(among(error, SdkError))) {
    return { what: 'did not answer in time', hint: 'Check that it is an MCP server, or raise loadTimeoutMs.' };
  }
  if (among(error, SdkError) ?? answer) {
    const hint =
      'Check that its address or command is that of an MCP server; started by hand, a command says why it ends.';
    return { what: 'ended the connection, or does not speak the protocol', hint };
  }
  return undefined;
}

/** The system's error code, such as `ECONNREFUSED`, from the first cause that has one. */
function systemCode(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    const { code } = cause as { code?: unknown };
    if (!(cause instanceof SdkError) && typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
  }
  return undefined;
}

function reasonOf(error: unknown): unknown {
  return error instanceof NotConnected ? error.cause : error;
}
