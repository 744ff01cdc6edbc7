// #region plan
import { type ToolContext, type ToolDefinition, type ToolVisibilityPolicy, VisibilityPolicy } from '@tool-search/core';

/** Tools that move money belong to the plan `pro`. For everybody else they do not exist. */
@VisibilityPolicy()
export class PlanPolicy implements ToolVisibilityPolicy {
  filter(tools: readonly ToolDefinition[], { roles = [] }: ToolContext) {
    return tools.filter(({ tags }) => !tags.includes('money') || roles.includes('pro'));
  }

  /** Callers with equal keys share one answer. */
  cacheKey({ roles = [] }: ToolContext) {
    return roles.includes('pro') ? 'pro' : 'free';
  }
}
// #endregion plan
