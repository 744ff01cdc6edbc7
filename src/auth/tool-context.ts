import type { ToolContext } from '@tool-search/core';
import { type AuthenticatedRequest, type User } from './user.js';

declare module '@tool-search/core' {
  interface ToolContext {
    /** What the tenant has bought; decides what it may see. */
    readonly plan?: User['plan'];
  }
}

/** The context of a request: the guard says who, the headers or the path say which conversation and run. */
export function contextOf({ user, headers, params }: AuthenticatedRequest): ToolContext {
  const sessionId = params['session'] ?? header(headers['x-session-id']);
  const runId = header(headers['x-run-id']);
  return {
    tenantId: user.tenantId,
    userId: user.id,
    roles: user.roles,
    plan: user.plan,
    ...(user.roles.includes('admin') && { admin: true }),
    // The only agent of this server; operators may give it a policy of its own.
    ...(params['session'] !== undefined && { agentId: 'chat' }),
    ...(sessionId !== undefined && { sessionId }),
    ...(runId !== undefined && { runId }),
  };
}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
