import type { PausedTool } from './paused-run-store.js';

/** Change of a tool while its run was paused. A hidden tool counts as `gone`, like one that does not exist. */
export type Drift = (typeof DRIFTS)[number];

/** All values of {@link Drift}. */
export const DRIFTS = ['same', 'changed', 'gone'] as const;

/** A tool of a paused run, with its change. */
export interface ToolDrift {
  /** The name that the run knew. */
  readonly name: string;
  readonly drift: Drift;
}

/**
 * Compares the tools of a paused run with those visible now, in the run's order.
 *
 * @param hashOf the definition hash of a visible tool by its name; undefined when no such tool is visible
 */
export function runDrift(
  paused: readonly PausedTool[],
  hashOf: (name: string) => string | undefined,
): readonly ToolDrift[] {
  return paused.map(({ name, hash }) => {
    const today = hashOf(name);
    return { name, drift: today === undefined ? 'gone' : today === hash ? 'same' : 'changed' };
  });
}
