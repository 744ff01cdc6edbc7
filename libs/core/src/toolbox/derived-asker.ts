import type { Narrowing } from '../access/narrowing.js';
import { type Asker, askerOf } from '../access/tool-gate.js';
import { type ToolContext, toolContext } from '../tool/tool-context.js';

/**
 * Who asks through a toolbox: the context itself, or where the toolbox was narrowed one derived from it, with the run of
 * its own and beside it the agents above.
 *
 * @param onDerived told of every context that was made
 */
export function derivedAsker(
  root: ToolContext,
  lineage: readonly Narrowing[],
  onDerived: (derived: ToolContext, from: ToolContext) => void,
): Asker {
  const own = lineage.at(-1);
  if (!own) return askerOf(root);
  const asker = askerOf(root, lineage);
  const derived = (agentId: string | undefined): ToolContext => {
    const context = toolContext({ ...root, runId: own.runId, ...(agentId !== undefined && { agentId }) });
    onDerived(context, root);
    return context;
  };
  const agentId = asker.agentIds.at(-1);
  const above = new Set([root.agentId, ...asker.agentIds].filter((each) => each !== agentId));
  return { ...asker, context: derived(agentId), above: Array.from(above, derived) };
}
