import type { ToolContext } from '@tool-search/core';

/**
 * Returns the operator's name for the audit trail: `user@tenant`, because two tenants may have users of the same name;
 * `@tenant` if the context names no user.
 */
export function actorOf({ userId = '', tenantId }: ToolContext): string {
  return `${userId}@${tenantId}`;
}
