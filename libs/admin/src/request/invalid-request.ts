import { ToolSearchError } from '@tool-search/core';

/** The refusal of a request, by its fault in words. */
export function invalidRequest(fault: string): ToolSearchError {
  return new ToolSearchError('INVALID_REQUEST', `The request is not valid: ${fault}`, {
    hint: 'Nothing was changed. Correct the request and send it again.',
  });
}
