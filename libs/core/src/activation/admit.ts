import type { ActivationLimits, ActivationOutcome, NewActivation } from './activation-store.js';

/** What a scope takes up: the records to write, and the names that need none. */
export interface Admission extends Omit<ActivationOutcome, 'activated'> {
  readonly admitted: readonly NewActivation[];
}

/**
 * Decides which tools a scope may take up, in the given order. A tool that does not fit is refused and a later, smaller
 * one may still fit, so the outcome is the same as if they had been activated one by one. A tool named twice counts once.
 *
 * @param held the tools the scope has, with their tokens
 */
export function admit(
  held: ReadonlyMap<string, number>,
  tools: readonly NewActivation[],
  limits: ActivationLimits,
): Admission {
  const admitted: NewActivation[] = [];
  const alreadyActive: string[] = [];
  const overLimit: string[] = [];
  let room = limits.tools === 0 ? Infinity : limits.tools - held.size;
  let tokens = limits.tokens === 0 ? Infinity : limits.tokens;
  for (const cost of held.values()) tokens -= cost;

  for (const tool of new Map(tools.map((tool) => [tool.tool, tool])).values()) {
    if (held.has(tool.tool)) {
      alreadyActive.push(tool.tool);
    } else if (room < 1 || tool.tokens > tokens) {
      overLimit.push(tool.tool);
    } else {
      admitted.push(tool);
      room -= 1;
      tokens -= tool.tokens;
    }
  }
  return { admitted, alreadyActive, overLimit };
}
