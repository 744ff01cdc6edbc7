import { type ToolContext, type ToolDefinition, type ToolVisibilityPolicy, VisibilityPolicy } from '@tool-search/core';

// #region context
/** A request after the guards of your application. */
export interface SignedInRequest {
  readonly user: { readonly id: string; readonly tenant: string; readonly region: 'eu' | 'us' };
  readonly headers: Readonly<Record<string, string | undefined>>;
}

declare module '@tool-search/core' {
  interface ToolContext {
    readonly region?: 'eu' | 'us';
  }
}

/** `context: contextOf` in the module's options. */
export function contextOf({ user, headers }: SignedInRequest): ToolContext {
  return { tenantId: user.tenant, userId: user.id, region: user.region, sessionId: headers['x-session'] };
}

@VisibilityPolicy()
export class RegionPolicy implements ToolVisibilityPolicy {
  filter(tools: readonly ToolDefinition[], { region }: ToolContext) {
    return tools.filter(({ tags }) => !tags.includes('eu-only') || region === 'eu');
  }

  cacheKey({ region }: ToolContext) {
    return region ?? 'none';
  }
}
// #endregion context
