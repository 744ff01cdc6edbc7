import type { ToolResult } from '../../tool/tool-result.js';
import type { LearnedQueries } from '../learned-queries/learned-queries.js';
import type { AdmittedCall } from './call-types.js';

/** Learns the search that found the tool of a successful call: in the background, because the call is already complete. */
export function learn(
  { request, caller: { context }, tool }: AdmittedCall,
  result: ToolResult,
  { learned }: { readonly learned: LearnedQueries },
): void {
  if (!result.ok || !learned.isOn) return;
  const query = request.run.stateOf(context).searchThatFound(tool.name);
  if (query !== undefined) void learned.learn(context.tenantId, tool, query);
}
