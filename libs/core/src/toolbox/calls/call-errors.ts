import { notAvailable } from '../../tool/tool-result.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

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
