import type { ActivationLimits, ActivationOutcome, NewActivation } from './activation-store.js';

/** Records to write, and the tools that need none. */
export interface Admission extends Omit<ActivationOutcome, 'activated'> {
  readonly admitted: readonly NewActivation[];
}

/**
 * Decides which tools a scope may activate, in the given order. A tool that does not fit is refused, and a later,
 * smaller one may still fit, so the result is the same as activating them one by one. Duplicate names count once.
 *
 * @param activeTokens the scope's tools and their tokens
 */
export function applyLimits(
  activeTokens: ReadonlyMap<string, number>,
  tools: readonly NewActivation[],
  limits: ActivationLimits,
): Admission {
  const admitted: NewActivation[] = [];
  const alreadyActive: string[] = [];
  const overLimit: string[] = [];
  let room = limits.tools === 0 ? Infinity : limits.tools - activeTokens.size;
  let tokens = limits.tokens === 0 ? Infinity : limits.tokens;
  for (const cost of activeTokens.values()) tokens -= cost;

  for (const tool of new Map(tools.map((tool) => [tool.tool, tool])).values()) {
    if (activeTokens.has(tool.tool)) {
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
