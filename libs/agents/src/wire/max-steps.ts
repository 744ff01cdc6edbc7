import { ToolSearchError } from '@tool-search/core';

const MAX_STEPS = 20;

/** Maximum number of requests in a run, default 20. @throws ToolSearchError `INVALID_REQUEST` below 1, or for NaN */
export function checkedMaxSteps(maxSteps: number = MAX_STEPS): number {
  if (!(maxSteps >= 1)) throw new ToolSearchError('INVALID_REQUEST', 'maxSteps must be 1 or more.');
  return maxSteps;
}
