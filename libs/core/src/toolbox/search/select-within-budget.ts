import type { DefinitionTokens } from '../../tool/token-count.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';

/**
 * Selects the hits to offer, in their order: always the best one, then each that still fits the budget. An offered tool
 * stays listed, so every later step pays for its tokens.
 *
 * @param budget tokens of definitions that one search may add to the list; 0 = no limit
 */
export function selectWithinBudget(
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
