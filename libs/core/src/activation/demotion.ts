import type { ActivationLimits } from './activation-store.js';

export interface DemotionCandidate {
  readonly tool: string;
  readonly tokens: number;
  /** Epoch milliseconds. */
  readonly usedAt: number;
}

/** Fraction that may stay used of the limit without the pinned tools' share. */
const KEPT = 3 / 4;

/**
 * Selects the tools to remove from a run or session. Per limit, at least a quarter of the share that pinned tools leave
 * becomes free, so that not every following turn has to demote again. Removes the least recently used tools first (ties
 * by name), no more than necessary, and never a pinned one.
 *
 * @param limits 0 = no limit
 * @returns names in the order of removal
 */
export function demotion(
  activations: readonly DemotionCandidate[],
  limits: ActivationLimits,
  isPinned: (tool: string) => boolean,
): readonly string[] {
  const pinned = activations.filter(({ tool }) => isPinned(tool));
  const tools = markOf(limits.tools, pinned.length);
  const tokens = markOf(limits.tokens, tokensOf(pinned));
  let heldTools = activations.length;
  let heldTokens = tokensOf(activations);
  const demoted: string[] = [];
  for (const candidate of activations.filter(({ tool }) => !isPinned(tool)).toSorted(byLastUse)) {
    if (heldTools <= tools && heldTokens <= tokens) break;
    demoted.push(candidate.tool);
    heldTools -= 1;
    heldTokens -= candidate.tokens;
  }
  return demoted;
}

function markOf(limit: number, pinned: number): number {
  return limit === 0 ? Infinity : pinned + Math.floor(Math.max(0, limit - pinned) * KEPT);
}

function tokensOf(tools: readonly DemotionCandidate[]): number {
  return tools.reduce((sum, { tokens }) => sum + tokens, 0);
}

function byLastUse(a: DemotionCandidate, b: DemotionCandidate): number {
  return a.usedAt - b.usedAt || (a.tool < b.tool ? -1 : 1);
}
