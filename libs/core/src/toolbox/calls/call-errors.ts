import type { ToolDefinition } from '../../tool/tool-definition.js';
import { failure, notAvailable, type ToolFailure } from '../../tool/tool-result.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolExecutor } from '../../tool/tool-source.js';

/** The error for a name under which this caller sees no tool. It is the same for every reason. */
export function unavailableError(): ToolSearchError {
  const { code, message, hint } = notAvailable();
  return new ToolSearchError(code, message, hint === undefined ? {} : { hint });
}

/** @param demotes whether unused tools are demoted to make room */
export function limitError(demotes: boolean): ToolSearchError {
  return new ToolSearchError('ACTIVATION_LIMIT', 'This run or session holds as many tools as it may.', {
    hint: demotes
      ? 'Work with the tools you have; those not used for longest make room when the conversation is summarised or rests.'
      : 'Work with the tools you have, or start a new session.',
  });
}

/** The failure of a call that was cancelled or took too long. @param dispatched whether the tool began */
export function abortFailure(
  tool: ToolDefinition,
  executor: ToolExecutor,
  timedOut: boolean,
  dispatched: boolean,
): ToolFailure {
  const effect = dispatched ? ' It may have taken effect.' : '';
  const hint = dispatched
    ? 'Check the state before you call it again.'
    : 'Nothing has happened; call it again if you still need it.';
  if (timedOut)
    return failure('TOOL_TIMEOUT', `${tool.name} did not answer within ${executor.timeoutMs} ms.${effect}`, hint);
  return failure('TOOL_CANCELLED', `The call of ${tool.name} was cancelled.${effect}`, hint);
}

// Whoever reads a file or a prompt could not tell that a part of it is missing.
export function tooLarge({ name }: ToolDefinition, maxBytes: number): ToolFailure {
  return failure(
    'UPSTREAM_TOO_LARGE',
    `The content of ${name} has more than ${maxBytes} bytes.`,
    'An operator can raise calls.maxResultBytes.',
  );
}
