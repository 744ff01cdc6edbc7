/** Whether all runs of each property are wanted, as in CI. */
export const isFull: boolean;
/** The seed from which those of a suite's properties follow. */
export const seed: number;
/** Runs of a property in this tier. @param full number of runs in the full tier */
export function runsOf(full: number): number;
/**
 * The part of a list that one of several suites takes in the quick tier, so that each value comes in one of them; all of it in
 * the full tier.
 */
export function byTurns<T>(values: readonly T[], turn: number, turns?: number): readonly T[];
