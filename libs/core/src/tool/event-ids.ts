import type { ToolContext } from './tool-context.js';

export function eventIds(context: ToolContext): {
  readonly tenantId: string;
  readonly runId?: string;
  readonly sessionId?: string;
} {
  const { tenantId, runId, sessionId } = context;
  return { tenantId, ...(runId !== undefined && { runId }), ...(sessionId !== undefined && { sessionId }) };
}
