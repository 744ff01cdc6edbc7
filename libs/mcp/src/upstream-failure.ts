import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { isToolSearchError, ToolSearchError, type ToolSearchErrorCode } from '@tool-search/core';
import { MessageTooLarge } from './bounded-fetch.js';
import { STREAM_ENDED } from './http-transport.js';

const MAY_HAVE_RUN = 'The call may have taken effect';

/** The server cannot be used now: it is down, its process has ended, or it cannot be understood. */
export function unavailable(source: string, cause?: unknown): ToolSearchError {
  return new ToolSearchError('SOURCE_UNAVAILABLE', `The server of ${source} cannot be reached.`, {
    hint: 'Try again later, or use another tool.',
    cause,
  });
}

/** What went wrong while the tools were listed, without a word of the server's own. */
export function loadFailure(source: string, error: unknown): ToolSearchError {
  if (isToolSearchError(error)) return error;
  if (!answered(error) && !isInvalid(error)) return unavailable(source, error);
  return new ToolSearchError('UPSTREAM_INVALID', `The server of ${source} did not answer with a list of tools.`, {
    hint: 'Check that its address or command is that of an MCP server.',
    cause: error,
  });
}

/** What went wrong during a call, without a word of the server's own. */
export function callFailure(source: string, error: unknown): ToolSearchError {
  if (isToolSearchError(error)) return error;
  const failed = (code: ToolSearchErrorCode, what: string, hint: string) =>
    new ToolSearchError(code, `The server of ${source} ${what}.`, { hint, cause: error });
  if (answered(error)) {
    return error.code === ProtocolErrorCode.InvalidParams
      ? failed('INVALID_ARGUMENTS', 'refused the arguments', 'Read the tool with tool_get and correct them.')
      : failed('TOOL_FAILED', 'answered with an error', 'Try other arguments, or use another tool.');
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.UnsupportedResultType) {
    return failed('TOOL_FAILED', 'asked for more than the arguments, which is not supported', 'Use another tool.');
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return failed('TOOL_TIMEOUT', 'did not answer in time', `${MAY_HAVE_RUN}; check before you repeat it.`);
  }
  if (isInvalid(error)) {
    return failed('UPSTREAM_INVALID', 'answered with something that is not a result', `${MAY_HAVE_RUN}; check first.`);
  }
  if (error instanceof MessageTooLarge) {
    return failed(
      'UPSTREAM_TOO_LARGE',
      'answered with more than can be taken',
      `${MAY_HAVE_RUN}; ask for less at once.`,
    );
  }
  return unavailable(source, error);
}

/** Whether the server speaks another revision of the protocol than was agreed, so that a new connection is due. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === ProtocolErrorCode.UnsupportedProtocolVersion;
}

function answered(error: unknown): error is ProtocolError {
  return error instanceof ProtocolError && error.code !== STREAM_ENDED && !isOutdated(error);
}

// Besides its own errors, the SDK passes on those of its parsers.
function isInvalid(error: unknown): boolean {
  if (!(error instanceof SdkError)) return error instanceof Error && /^(Syntax|Zod)Error$/.test(error.name);
  return error.code === SdkErrorCode.InvalidResult || error.code === SdkErrorCode.ClientHttpUnexpectedContent;
}
