import type { ToolContext } from '@tool-search/core';
import { type AuthenticatedRequest, type User } from './user.js';

declare module '@tool-search/core' {
  interface ToolContext {
    /** The tenant's plan; `PlanPolicy` hides tools by it. */
    readonly plan?: User['plan'];
  }
}

/** Builds the tool context of a request: the user from the guard, session and run from headers or path. */
export function contextOf({ user, headers, params }: AuthenticatedRequest): ToolContext {
  const sessionId = params['session'] ?? header(headers['x-session-id']);
  const runId = header(headers['x-run-id']);
  return {
    tenantId: user.tenantId,
    userId: user.id,
    roles: user.roles,
    plan: user.plan,
    ...operatorOf(user),
    // The only agent of this server. Operators may define a policy for it.
    ...(params['session'] !== undefined && { agentId: 'chat' }),
    ...(sessionId !== undefined && { sessionId }),
    ...(runId !== undefined && { runId }),
  };
}

// Operators of everything; those who only look; those of their own tenant.
function operatorOf({ roles, tenantId }: User): Pick<ToolContext, 'admin'> {
  const readOnly = roles.includes('read-only');
  if (roles.includes('admin')) return { admin: readOnly ? { tenants: 'all', readOnly } : true };
  return roles.includes('tenant-admin') ? { admin: { tenants: [tenantId], readOnly } } : {};
}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
