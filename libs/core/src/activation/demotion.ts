import type { ActivationLimits } from './activation-store.js';

/** A tool that a run or session holds, as far as demotion looks at it. */
export interface DemotionCandidate {
  readonly tool: string;
  readonly tokens: number;
  /** Epoch milliseconds. */
  readonly usedAt: number;
}

/** How much of what pinned tools leave may stay taken. */
const KEPT = 3 / 4;

/**
 * Decides which tools a run or session gives up, so that a quarter of what its pinned tools leave of each limit is free:
 * enough room for the turns to come, so that it need not give up something at each of them. The least recently used ones
 * go first (ties by name), no more than it takes, and a pinned one never goes.
 *
 * @param limits 0 = no limit
 * @returns names in the order in which they go
 */
export function demotion(
  held: readonly DemotionCandidate[],
  limits: ActivationLimits,
  isPinned: (tool: string) => boolean,
): readonly string[] {
  const pinned = held.filter(({ tool }) => isPinned(tool));
  const tools = markOf(limits.tools, pinned.length);
  const tokens = markOf(limits.tokens, tokensOf(pinned));
  let heldTools = held.length;
  let heldTokens = tokensOf(held);
  const demoted: string[] = [];
  for (const candidate of held.filter(({ tool }) => !isPinned(tool)).toSorted(byLastUse)) {
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
