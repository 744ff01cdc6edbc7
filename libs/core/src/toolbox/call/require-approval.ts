import type { ToolApprovals } from '../../access/approvals/tool-approvals.js';
import type { Caller } from '../../access/tool-gate.js';
import type { Decision } from '../../tool/decision.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolSearchError } from '../../tool/tool-search.error.js';
import { needsOwnApproval } from './askers.js';
import type { NamedUse } from './call-types.js';
import { type DecisionServices, reportDenied } from './decide.js';

export interface ApprovalServices extends Pick<DecisionServices, 'gate' | 'events'> {
  readonly approvals: ToolApprovals;
}

/**
 * Whether an approval is asked for once the arguments of a call are known: it is for that call, or a rule on arguments may
 * ask for an approval of that call, which is then the only one.
 *
 * @throws ToolSearchError `GATE_CLOSED`
 */
export function isAskedWithArguments(
  decision: Decision,
  tool: ToolDefinition,
  caller: Caller,
  { gate }: Pick<DecisionServices, 'gate'>,
): boolean {
  if (needsOwnApproval(decision)) return true;
  return gate.argumentRules(tool, caller).some(({ rule }) => rule.then === 'approve' && rule.scope !== 'session');
}

export interface WaitingTool {
  readonly name: string;
  readonly error: ToolSearchError;
}

/**
 * The error that says which approval of all its calls a tool still needs; undefined if it is granted. Creates the request
 * for it.
 *
 * @throws ToolSearchError `SESSION_REQUIRED`, `STORE_UNAVAILABLE`
 */
export async function missingApproval(
  { request, caller }: Pick<NamedUse, 'request' | 'caller'>,
  tool: ToolDefinition,
  decision: Decision,
  { approvals, events }: ApprovalServices,
): Promise<ToolSearchError | undefined> {
  // Sub-agents act for the session of the context before narrowing.
  const scope = request.run.approvalScope(await request.root());
  const missing = await approvals.missing(tool, decision.rule, caller.context, scope);
  if (missing) reportDenied(caller, tool.name, decision, { events });
  return missing;
}

/**
 * Splits visible tools that are loaded into approved and waiting ones; creates the missing approval requests. A tool whose
 * approval is asked for with the arguments of a call counts as approved.
 */
export async function approvedOf(
  use: Pick<NamedUse, 'request' | 'caller'>,
  tools: readonly ToolDefinition[],
  services: ApprovalServices,
): Promise<{ readonly approved: readonly ToolDefinition[]; readonly waiting: readonly WaitingTool[] }> {
  const approved: ToolDefinition[] = [];
  const waiting: WaitingTool[] = [];
  for (const tool of tools) {
    const decision = services.gate.approvalOf(tool, use.caller);
    const isAskedNow = decision && !isAskedWithArguments(decision, tool, use.caller, services);
    const error = isAskedNow && (await missingApproval(use, tool, decision, services));
    if (error) waiting.push({ name: tool.name, error });
    else approved.push(tool);
  }
  return { approved, waiting };
}
