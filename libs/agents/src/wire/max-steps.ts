import { ToolSearchError } from '@tool-search/core';

/** Requests to a model before a run ends, unless it says otherwise. */
const MAX_STEPS = 20;

/**
 * How often a run may ask the model.
 *
 * @throws ToolSearchError `INVALID_REQUEST` for less than 1, and for what is no number: such a run would have no end
 */
export function checkedMaxSteps(maxSteps: number = MAX_STEPS): number {
  if (!(maxSteps >= 1)) throw new ToolSearchError('INVALID_REQUEST', 'maxSteps must be 1 or more.');
  return maxSteps;
}
