import type { PausedTool } from './paused-run-store.js';

/** What became of a tool while its run was paused; a tool that is hidden now is as gone as one that does not exist. */
export type Drift = 'same' | 'changed' | 'gone';

/** A tool that was in play, and what became of it. */
export interface ToolDrift {
  /** As the run knew it. */
  readonly name: string;
  readonly drift: Drift;
}

/**
 * Compares the tools that were in play with what the run can see today, in their order.
 *
 * @param hashOf the hash of a visible tool's definition by its name, undefined where no such tool is visible
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
