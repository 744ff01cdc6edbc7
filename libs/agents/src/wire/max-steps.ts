import { ToolSearchError } from '@tool-search/core';

const MAX_STEPS = 20;

/**
 * Returns the maximum number of requests to the model in one run. @default 20
 *
 * @throws ToolSearchError `INVALID_REQUEST` for less than 1 and for NaN, with which a run would not end
 */
export function checkedMaxSteps(maxSteps: number = MAX_STEPS): number {
  if (!(maxSteps >= 1)) throw new ToolSearchError('INVALID_REQUEST', 'maxSteps must be 1 or more.');
  return maxSteps;
}
