import type { CatalogReader } from '../../catalog/catalog-reader.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolResult } from '../../tool/tool-result.js';
import type { ToolTracing } from '../../tool/tool-tracing.js';
import type { SearchReply } from '../meta-tools/replies.js';

/** A call as requested, before its name is resolved. */
export interface AskedCall {
  readonly name: unknown;
  readonly callId: string;
  readonly isMeta: boolean;
  readonly reader: CatalogReader;
}

/** Replaces names that no tool has: such a name may be any text, and the number of different names is unlimited. */
const UNKNOWN = '(unknown tool)';

/** Traces a call under the tool's canonical name, whichever name the model used. */
export async function tracedCall(
  tracing: ToolTracing,
  context: Promise<ToolContext>,
  asked: AskedCall,
  call: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const { tenantId, sessionId } = await context;
  const target = targetOf(asked, tenantId);
  const traced = { operation: 'execute_tool', target, callId: asked.callId, ...(sessionId && { sessionId }) } as const;
  return tracing.trace(traced, call, (result) => (result.ok ? 'ok' : result.code));
}

/** Traces a search in the catalog, without its query text. */
export async function tracedSearch(
  tracing: ToolTracing,
  context: Promise<ToolContext>,
  search: () => Promise<SearchReply>,
): Promise<SearchReply> {
  const { sessionId } = await context;
  const traced = { operation: 'retrieval', target: 'tool_search.catalog', ...(sessionId && { sessionId }) } as const;
  return tracing.trace(traced, search, () => 'ok');
}

function targetOf({ name, isMeta, reader }: AskedCall, tenantId: string): string {
  if (typeof name !== 'string') return UNKNOWN;
  if (isMeta) return name;
  const snapshot = reader.current(tenantId);
  const id = snapshot.idOf(name, tenantId);
  return id === undefined ? UNKNOWN : snapshot.at(id).name;
}
