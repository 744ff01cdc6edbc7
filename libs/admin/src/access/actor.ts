import type { ToolContext } from '@tool-search/core';

/**
 * Who decides, as the audit trail names them: `user@tenant`, because two tenants may have a user of one name; `@tenant` where
 * the application names no users.
 */
export function actorOf({ userId = '', tenantId }: ToolContext): string {
  return `${userId}@${tenantId}`;
}
