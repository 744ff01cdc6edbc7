import { randomUUID } from 'node:crypto';
import type { Caller } from '../../access/tool-gate.js';
import type { CatalogReader } from '../../catalog/catalog-reader.js';
import type { ToolResult } from '../../tool/tool-result.js';
import type { ToolTracing } from '../../tool/tool-tracing.js';
import type { MetaToolSet } from '../meta-tools/meta-tool-set.js';
import type { AskedCall } from './call-types.js';
import { idOfListedName } from './listed-name.js';

export interface TracingServices {
  /** Records calls and searches as spans. @default nothing is recorded */
  readonly tracing?: ToolTracing | undefined;
  readonly reader: CatalogReader;
  readonly metaTools: MetaToolSet;
}

/** Replaces names that no tool has: such a name may be any text, and the number of different names is unlimited. */
const UNKNOWN = '(unknown tool)';

/** Runs the rest of a call as a span, under the tool's canonical name, whichever name the model used. */
export function traced(
  call: AskedCall,
  services: TracingServices,
  rest: (call: AskedCall) => Promise<ToolResult>,
): Promise<ToolResult> {
  const { tracing } = services;
  return tracing ? inSpan(call, tracing, services, rest) : rest(call);
}

async function inSpan(
  call: AskedCall,
  tracing: ToolTracing,
  services: TracingServices,
  rest: (call: AskedCall) => Promise<ToolResult>,
): Promise<ToolResult> {
  const { request, name, input, options } = call;
  const caller = await request.itself();
  const { sessionId } = caller.context;
  const callId = options.callId ?? randomUUID();
  const target = await targetOf(call, caller, services);
  const span = { operation: 'execute_tool', target, callId, ...(sessionId && { sessionId }) } as const;
  return tracing.trace(
    span,
    () => rest({ request, name, input, options: { ...options, callId } }),
    (result) => (result.ok ? 'ok' : result.code),
  );
}

async function targetOf(
  { name, request, options }: AskedCall,
  caller: Caller,
  { reader, metaTools }: TracingServices,
): Promise<string> {
  if (typeof name !== 'string') return UNKNOWN;
  if (metaTools.find(name)) return name;
  const { tenantId } = caller.context;
  const snapshot = reader.current(tenantId);
  const listed = () => idOfListedName(snapshot, name, request, caller, options.bareNames).catch(() => undefined);
  const id = snapshot.idOf(name, tenantId) ?? (await listed());
  return id === undefined ? UNKNOWN : snapshot.at(id).name;
}
