import type { CallLimits } from '../../access/limits/call-limits.js';
import { errorOf } from '../../access/limits/limit-failure.js';
import { abortable } from '../../async/deadline.js';
import type { ToolFailure, ToolResult } from '../../tool/tool-result.js';
import type { ToolTracing } from '../../tool/tool-tracing.js';
import type { ApprovedCall, BegunCall } from './call-types.js';

/**
 * Takes all limits of a call or none, and waits where they are counted elsewhere.
 *
 * @throws ToolSearchError `LIMIT_REACHED`, `STORE_UNAVAILABLE`, `GATE_CLOSED`
 */
export function takeLimits(
  { tool, executor, caller, signal, state }: ApprovedCall,
  { limits, tracing }: { readonly limits: CallLimits; readonly tracing?: ToolTracing | undefined },
): void | Promise<void> {
  const { context, agentIds } = caller;
  const held = limits.of({ tool, context, agentIds }, executor.timeoutMs);
  if (!held) return;
  state.limits.push(held);
  const taking = held.take();
  if (!(taking instanceof Promise)) return refuse(taking);
  const wait = () => abortable(() => taking, signal).then(refuse);
  return tracing ? tracing.waited('limits', wait) : wait();
}

/** The tool begins, or a stored result answers: from here on the call counts, however it ends. */
export function countCall({ state }: BegunCall): void {
  for (const held of state.limits) held.begin();
}

/** Gives back what the call has not used. @param result as the caller receives it, without notes and receipt */
export async function endLimits({ state }: BegunCall, result: ToolResult): Promise<void> {
  for (const held of state.limits) await held.end(result);
}

function refuse(refusal: ToolFailure | undefined): void {
  if (refusal) throw errorOf(refusal);
}
