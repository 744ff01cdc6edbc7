import { type ToolContext, type ToolDefinition, type ToolVisibilityPolicy, VisibilityPolicy } from '@tool-search/core';

/** The starter plan excludes tools that move money or change something on GitHub. */
@VisibilityPolicy()
export class PlanPolicy implements ToolVisibilityPolicy {
  filter(tools: readonly ToolDefinition[], { plan }: ToolContext): readonly ToolDefinition[] {
    if (plan === 'business') return tools;
    return tools.filter(({ namespace, sideEffects, tags }) => {
      const changesGitHub = namespace === 'github' && sideEffects !== 'read';
      return !tags.includes('money') && !changesGitHub;
    });
  }

  reasonFor(_: ToolDefinition, { plan }: ToolContext): string {
    const found = plan === undefined ? 'the caller names no plan' : `this plan is ${plan}`;
    return `it moves money or changes something on GitHub, which needs the plan business; ${found}`;
  }

  cacheKey({ plan }: ToolContext): string {
    return plan ?? 'none';
  }
}
