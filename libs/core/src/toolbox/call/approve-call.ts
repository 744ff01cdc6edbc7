import type { CallInQuestion } from '../../access/approvals/approval-wish.js';
import type { UsableApproval } from '../../access/approvals/tool-approvals.js';
import { abortable } from '../../async/deadline.js';
import { parsedJson } from '../../json/json.js';
import { stableJson } from '../../json/stable-hash.js';
import type { Decision } from '../../tool/decision.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolCall } from '../../tool/tool-source.js';
import type { ResultRedaction } from '../results/redaction/result-redaction.js';
import { argumentsDigest } from './arguments-digest.js';
import type { AdmittedUse, CheckedCall } from './call-types.js';
import { type DecisionServices, isStillAllowed, reportDenied } from './decide.js';
import { type ApprovalServices, needsOwnApproval } from './require-approval.js';
import { shownArguments } from './shown-arguments.js';

export interface ApprovingServices extends DecisionServices, ApprovalServices {
  /** @default the arguments are shown as they are */
  readonly redaction: Pick<ResultRedaction, 'covers' | 'of'> | undefined;
}

/**
 * Finds the approval of exactly this call, or asks for it. It is claimed when the tool runs.
 *
 * @throws ToolSearchError `APPROVAL_…`, `SESSION_REQUIRED`, `RATE_LIMITED`, `STORE_UNAVAILABLE`; `INVALID_ARGUMENTS` and
 *   `REDACTION_FAILED` if nobody could be shown the arguments
 */
export async function approveCall(call: CheckedCall, services: ApprovingServices): Promise<void> {
  const { given, signal, state, trace } = call;
  const decision = askingDecision(call.decision, state.policies?.asking);
  if (!decision) return;
  if (decision !== call.decision) trace?.refused(decision);
  const use = { ...call, decision };
  const shown = () => argumentsToShow(call, services);
  state.approval = await abortable(() => approvalOfUse(use, argumentsDigest(given), shown, services), signal);
}

/**
 * The decision by which a use needs an approval of its own; undefined if it needs none. If several ask, one approval is
 * bound to all of them.
 *
 * @param asking decisions about the arguments of the use. @default none
 */
export function askingDecision(admitted: Decision, asking: readonly Decision[] = []): Decision | undefined {
  const all = needsOwnApproval(admitted) ? [admitted, ...asking] : asking;
  const [first, ...others] = all;
  if (!first || others.length === 0) return first;
  return { ...first, content: stableJson(all.map(({ rule, content = '' }) => [rule, content])) };
}

/** The approval of a use of a tool with these arguments, or the error for its caller. @throws as {@link approveCall} */
export async function approvalOfUse(
  { request, caller, tool, decision }: AdmittedUse,
  digest: string,
  shown: () => string | Promise<string>,
  services: ApprovingServices,
): Promise<UsableApproval> {
  const { context, agentIds } = caller;
  // Sub-agents act for the session of the context before narrowing.
  const scope = request.run.approvalScope(await request.root());
  const { rule, content = '' } = decision;
  const asked: CallInQuestion = { tool, rule, content, context, agentIds, scope, digest };
  const found = await services.approvals.missingFor(asked, shown);
  if (!isToolSearchError(found)) return found;
  reportDenied(caller, tool.name, decision, services);
  throw found;
}

/**
 * Uses the approval up, once nothing else can refuse the call. Returns why the tool must not run after all.
 *
 * @param own the call as the source sees it
 * @throws ToolSearchError `STORE_UNAVAILABLE`, `GATE_CLOSED`, what the source refuses; the reason of an aborted signal
 */
export async function claimApproval(
  call: CheckedCall,
  own: ToolCall,
  services: ApprovingServices,
): Promise<'approval_used' | 'withdrawn' | undefined> {
  const { id, executor, caller, value, state } = call;
  const { source, localName } = executor;
  if (!state.approval) return undefined;
  // Guards of the tool run once more with the tool itself: a call that they refuse must not use the approval up.
  await source.admit?.(localName, value, caller.context, own);
  own.signal.throwIfAborted();
  if (!isStillAllowed(call, services)) return 'withdrawn';
  if (!(await services.approvals.claim(state.approval, caller.context, id))) return 'approval_used';
  // The store took time. What was cancelled or turned off meanwhile does not begin, though the approval is used then.
  own.signal.throwIfAborted();
  return isStillAllowed(call, services) ? undefined : 'withdrawn';
}

/** The arguments for whoever decides: redacted, by members, bounded. @throws as {@link approveCall} */
export async function argumentsToShow(
  { tool, given, signal }: Pick<CheckedCall, 'tool' | 'given' | 'signal'>,
  { redaction }: Pick<ApprovingServices, 'redaction'>,
): Promise<string> {
  const redactor = redaction?.of(tool.name, signal);
  const shown = shownArguments(redactor ? await redacted(redactor, JSON.stringify(given), tool.name) : given);
  if (shown !== undefined) return shown;
  throw new ToolSearchError(
    'INVALID_ARGUMENTS',
    `The arguments of ${tool.name} have more members than a person can be shown, so nobody can approve the call.`,
    { hint: 'Make the call with fewer members, for example in several calls.' },
  );
}

async function redacted(
  redactor: NonNullable<ReturnType<ResultRedaction['of']>>,
  text: string,
  tool: string,
): Promise<unknown> {
  try {
    const output = { content: [{ type: 'text', text } as const], truncated: false };
    // A replacement may be longer than what it replaces.
    const [block] = (await redactor.output(output, text.length * 8)).content;
    const json = block?.type === 'text' ? block.text : '';
    const shown = parsedJson(json);
    // A name that was replaced by one that is there already, or a text that was cut, would hide members.
    if (partsOf(shown) !== partsOf(parsedJson(text)))
      throw new Error('the redactor changed the members of the arguments');
    return shown;
  } catch (cause) {
    throw new ToolSearchError(
      'REDACTION_FAILED',
      `The arguments of ${tool} could not be redacted for the person who decides on the call, so nobody was asked.`,
      { hint: 'Nothing has happened. Try again later; the operator finds the cause in the log.', cause },
    );
  }
}

function partsOf(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + partsOf(child), 1);
}
