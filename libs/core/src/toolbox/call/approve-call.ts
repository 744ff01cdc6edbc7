import type { CallInQuestion } from '../../access/approvals/approval-wish.js';
import type { UsableApproval } from '../../access/approvals/tool-approvals.js';
import { abortable } from '../../async/deadline.js';
import { parsedJson, valueCount } from '../../json/json.js';
import { safeText } from '../../json/safe-text.js';
import type { Decision } from '../../tool/decision.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolCall } from '../../tool/tool-source.js';
import type { NotRun } from '../results/cache/cached-results.js';
import type { CallRedaction, ResultRedaction } from '../results/redaction/result-redaction.js';
import { argumentsDigest } from './arguments-digest.js';
import { askersOf, jointDecision, needsOwnApproval } from './askers.js';
import type { AdmittedUse, ApprovedCall, CheckedCall, QuestionedCall } from './call-types.js';
import { type DecisionServices, isStillAllowed, reportDenied } from './decide.js';
import { type ApprovalServices, missingApproval } from './require-approval.js';
import { shownArguments } from './shown-arguments.js';

export interface ApprovingServices extends DecisionServices, ApprovalServices {
  /** @default the arguments are shown as they are */
  readonly redaction: ResultRedaction | undefined;
}

/**
 * Finds the one approval that entries of `policy.approval`, a rule on arguments and call policies ask for, or asks for it.
 * That of exactly this call is claimed when the tool runs. What an entry for the session asks for at admission is none of
 * them.
 *
 * @throws ToolSearchError `APPROVAL_…`, `SESSION_REQUIRED`, `RATE_LIMITED`, `STORE_UNAVAILABLE`; `INVALID_ARGUMENTS` and
 *   `REDACTION_FAILED` if nobody could be shown the arguments
 */
export async function approveCall(call: QuestionedCall, services: ApprovingServices): Promise<ApprovedCall> {
  const { given, signal, state, rules, policies } = call;
  const asked = askersOf(call, rules.decision, policies?.asking);
  if (asked.length > 0) {
    const question = { digest: argumentsDigest(given), shown: () => argumentsToShow(call, services) };
    state.approval = await abortable(() => approvalOfUse(call, asked, question, services), signal);
  }
  return Object.assign(call, { asked });
}

/** The arguments of a use, for its approval. */
interface ArgumentsInQuestion {
  readonly digest: string;
  /** For the operator who decides. */
  readonly shown: () => string | Promise<string>;
}

/**
 * The approval of a use of a tool with these arguments; undefined if it needs none, or if one of the session covers it.
 * Otherwise throws the error for its caller. Its record gets the decision for all who ask.
 *
 * @param asked who asks for it
 * @throws as {@link approveCall}
 */
export async function approvalOfUse(
  use: AdmittedUse,
  asked: readonly Decision[],
  { digest, shown }: ArgumentsInQuestion,
  services: ApprovingServices,
): Promise<UsableApproval | undefined> {
  const decision = jointDecision(asked);
  if (!decision) return undefined;
  const { request, caller, tool, trace } = use;
  if (decision !== use.decision) trace?.redecided(decision);
  if (!needsOwnApproval(decision)) {
    const missing = await missingApproval({ request, caller }, tool, decision, services);
    if (missing) throw withMessage(missing, decision);
    return undefined;
  }
  const { context, agentIds } = caller;
  // Sub-agents act for the session of the context before narrowing.
  const scope = request.run.approvalScope(await request.root());
  const { rule, content = '' } = decision;
  const hasOtherAskers = asked.length > 1;
  const call: CallInQuestion = { tool, rule, content, hasOtherAskers, context, agentIds, scope, digest };
  const found = await services.approvals.missingFor(call, shown);
  if (!isToolSearchError(found)) return found;
  reportDenied(caller, tool.name, decision, services);
  throw withMessage(found, decision);
}

/** Adds what the author of the rule tells the caller. */
function withMessage(error: ToolSearchError, { message }: Decision): ToolSearchError {
  if (message === undefined) return error;
  const { code, hint } = error;
  return new ToolSearchError(code, `${error.message} ${safeText(message, 500)}`, {
    ...(hint !== undefined && { hint }),
  });
}

/**
 * Uses the approval up, once nothing else can refuse the call. Returns why the tool must not run after all.
 *
 * @param own the call as the source sees it
 * @throws ToolSearchError `STORE_UNAVAILABLE`, `GATE_CLOSED`, what the source refuses; the reason of an aborted signal
 */
export async function claimApproval(
  call: ApprovedCall,
  approval: UsableApproval,
  own: ToolCall,
  services: ApprovingServices,
): Promise<NotRun | undefined> {
  const { id, executor, caller, value } = call;
  const { source, localName } = executor;
  // Guards of the tool run once more with the tool itself: a call that they refuse must not use the approval up.
  await source.admit?.(localName, value, caller.context, own);
  own.signal.throwIfAborted();
  if (!isStillAllowed(call, services)) return 'withdrawn';
  if (!(await services.approvals.claim(approval, caller.context, id))) return 'approval_used';
  // The store took time. What was cancelled or turned off meanwhile does not begin, though the approval is used then.
  own.signal.throwIfAborted();
  return isStillAllowed(call, services) ? undefined : 'withdrawn';
}

/** The arguments for the operator who decides: redacted, by members, bounded. @throws as {@link approveCall} */
export async function argumentsToShow(
  { tool, given, signal }: Pick<CheckedCall, 'tool' | 'given' | 'signal'>,
  { redaction }: Pick<ApprovingServices, 'redaction'>,
): Promise<string> {
  const redactor = redaction?.ofArguments(tool.name, signal);
  const shown = shownArguments(redactor ? await redacted(redactor, JSON.stringify(given), tool.name) : given);
  if (shown !== undefined) return shown;
  throw new ToolSearchError(
    'INVALID_ARGUMENTS',
    `The arguments of ${tool.name} have more members than a person can be shown, so nobody can approve the call.`,
    { hint: 'Make the call with fewer members, for example in several calls.' },
  );
}

async function redacted(redactor: CallRedaction, text: string, tool: string): Promise<unknown> {
  try {
    const shown = parsedJson(await redactor.json(text));
    // A name that was replaced by one that is there already, or a text that was cut, would hide members.
    if (valueCount(shown) !== valueCount(parsedJson(text)))
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
