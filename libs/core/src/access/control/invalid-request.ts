import { ToolSearchError } from '../../tool/tool-search.error.js';

/** The refusal of what an operator sent. @param what for example `The limit` @param fault what is wrong with it */
export function invalidRequest(what: string, fault: string, cause?: unknown): ToolSearchError {
  return new ToolSearchError('INVALID_REQUEST', `${what} is not valid: ${fault}`, {
    hint: 'Nothing was changed. Correct what is wrong and try again.',
    cause,
  });
}
