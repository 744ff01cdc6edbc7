import type { DefinitionTokens } from '../../tool/token-count.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';

/**
 * Hits whose definitions are worth listing, in their order: the best one in any case, then each that still fits the
 * budget. What a run lists stays listed, so every step to come pays for it.
 *
 * @param budget tokens of definitions one search may add to the list; 0 = no limit
 */
export function offeredHits(
  hits: readonly ToolDefinition[],
  budget: number,
  tokens: Pick<DefinitionTokens, 'of'>,
): readonly ToolDefinition[] {
  if (budget === 0) return hits;
  let left = budget;
  return hits.filter((tool, rank) => {
    const cost = tokens.of(tool);
    if (rank > 0 && cost > left) return false;
    left -= cost;
    return true;
  });
}
