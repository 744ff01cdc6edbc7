import { ToolSearchError } from '@tool-search/core';

/** Creates the error for an invalid request. */
export function invalidRequest(fault: string): ToolSearchError {
  return new ToolSearchError('INVALID_REQUEST', `The request is not valid: ${fault}`, {
    hint: 'Nothing was changed. Correct the request and send it again.',
  });
}
