import type { Narrowing } from '../access/narrowing.js';
import { type Caller, callerOf } from '../access/tool-gate.js';
import { type ToolContext, toolContext } from '../tool/tool-context.js';

/**
 * The caller of a toolbox: the context itself or, for a narrowed toolbox, a derived context with its own run id and the
 * contexts of the parent agents.
 *
 * @param onDerived called with every derived context
 */
export function derivedCaller(
  root: ToolContext,
  lineage: readonly Narrowing[],
  onDerived: (derived: ToolContext, from: ToolContext) => void,
): Caller {
  const own = lineage.at(-1);
  if (!own) return callerOf(root);
  const caller = callerOf(root, lineage);
  const derived = (agentId: string | undefined): ToolContext => {
    const context = toolContext({ ...root, runId: own.runId, ...(agentId !== undefined && { agentId }) });
    onDerived(context, root);
    return context;
  };
  const agentId = caller.agentIds.at(-1);
  const above = new Set([root.agentId, ...caller.agentIds].filter((each) => each !== agentId));
  return { ...caller, context: derived(agentId), above: Array.from(above, derived) };
}
