import type { ToolDefinition } from '../../tool/tool-definition.js';
import { failure, type ToolFailure } from '../../tool/tool-result.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolExecutor } from '../../tool/tool-source.js';

/** The error for every hidden, disabled, denied or unknown tool, byte for byte the same: it reveals no tool. */
export function unavailableError(): ToolSearchError {
  return new ToolSearchError('TOOL_NOT_AVAILABLE', 'This tool is not available.', {
    hint: ({ search }) => search && `Use ${search} to find tools you can use, then call one by the name it returns.`,
  });
}

/** @param demotes whether unused tools are demoted to make room */
export function limitError(demotes: boolean): ToolSearchError {
  return new ToolSearchError('ACTIVATION_LIMIT', 'This run or session holds as many tools as it may.', {
    hint: demotes
      ? 'Work with the tools you have; those not used for longest make room when the conversation is summarised or rests.'
      : 'Work with the tools you have, or start a new session.',
  });
}

/** The error of a tool that threw something: its words are for the log alone. */
export function toolError({ name }: ToolDefinition): ToolSearchError {
  return new ToolSearchError('TOOL_FAILED', `${name} failed.`, {
    hint: 'Try different arguments or another tool; the operator finds the cause in the log.',
  });
}

/** The failure of a call that was cancelled or took too long. @param mayTakeEffect whether the tool began, or may begin yet */
export function abortFailure(
  tool: ToolDefinition,
  executor: ToolExecutor,
  timedOut: boolean,
  mayTakeEffect: boolean,
): ToolFailure {
  const effect = mayTakeEffect ? ' It may have taken effect.' : '';
  const hint = mayTakeEffect
    ? 'Check the state before you call it again.'
    : 'Nothing has happened; call it again if you still need it.';
  if (timedOut)
    return failure('TOOL_TIMEOUT', `${tool.name} did not answer within ${executor.timeoutMs} ms.${effect}`, hint);
  return failure('TOOL_CANCELLED', `The call of ${tool.name} was cancelled.${effect}`, hint);
}
