import { completedArguments } from '../../access/arguments/completed-arguments.js';
import {
  type CallPolicies,
  type CallPolicyRefusal,
  type CallQuestion,
  NOBODY_ASKS,
  type PolicyVerdict,
  refusalByPolicy,
} from '../../access/call-policies/call-policies.js';
import { NEVER_ABORTED } from '../../async/deadline.js';
import { deepFreeze, type JsonObject } from '../../json/json.js';
import type { Decision } from '../../tool/decision.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { underShownNames } from './arguments-decision.js';
import { isCovered } from './askers.js';
import { unavailableError } from './call-errors.js';
import type { AdmittedUse, ApprovedCall, AskedPolicies, CheckedCall, QuestionedCall, RuledCall } from './call-types.js';
import { type DecisionServices, reportRedecided } from './decide.js';
import { refuseArguments } from './refuse-arguments.js';
import type { WorkArguments } from './work-arguments.js';

export interface PolicyServices extends DecisionServices {
  readonly callPolicies: CallPolicies;
}

/** How long what policies have said holds for a call that waits for a store or for an equal call. */
const HOLDS_MS = 1000;
/** Tools of one requirement about which policies are asked at the same time. */
const AT_ONCE = 20;

/**
 * Asks the call policies of the application about the arguments that will run.
 *
 * @throws ToolSearchError `ARGUMENTS_NOT_ALLOWED` with the message of the policy, `INTERNAL` if one of them fails
 */
export async function askPolicies(call: RuledCall, services: PolicyServices): Promise<QuestionedCall> {
  const isDecidedByOne = services.callPolicies.on(call.tool).length > 0;
  return Object.assign(call, { policies: isDecidedByOne ? await askedAbout(call, call.signal, services) : undefined });
}

async function askedAbout(call: CheckedCall, signal: AbortSignal, services: PolicyServices): Promise<AskedPolicies> {
  // Read first: what the policies look at may change while they look.
  const at = performance.now();
  const { refusal, asking } = await policyVerdict(call, call.given, signal, services);
  if (refusal) refuse(call, refusal, services);
  return { asking, at };
}

/** What call policies say about arguments. @throws the reason of the signal, if it aborts */
export async function policyVerdict(
  use: Pick<AdmittedUse, 'tool' | 'executor' | 'caller'>,
  given: JsonObject,
  signal: AbortSignal,
  { callPolicies }: Pick<PolicyServices, 'callPolicies'>,
): Promise<PolicyVerdict> {
  const question = questionOf(use, given);
  if (question) return callPolicies.decide(question, signal);
  const reason = 'what the defaults of its schema make of the arguments takes too much work to find out';
  const cause = new Error(`no call policy was asked about a call of ${use.tool.name}: ${reason}`);
  return { refusal: { ...refusalByPolicy('fault', reason, true), cause }, asking: NOBODY_ASKS };
}

function questionOf(
  { tool, executor, caller: { context, above } }: Pick<AdmittedUse, 'tool' | 'executor' | 'caller'>,
  given: JsonObject,
): CallQuestion | undefined {
  const whole = completedArguments(tool, underShownNames(given, executor));
  if (!whole) return undefined;
  // A copy: the source gets the others, and may change them.
  return {
    tool,
    arguments: deepFreeze(JSON.parse(JSON.stringify(whole)) as JsonObject),
    contexts: [context, ...above],
  };
}

/**
 * Whether a call has waited for so long that its policies must be asked again before it runs or is answered.
 *
 * @param waited whether it has waited for a place at its source
 */
export function mustAskAgain({ policies }: Pick<QuestionedCall, 'policies'>, waited: boolean): boolean {
  return policies !== undefined && (waited || performance.now() - policies.at > HOLDS_MS);
}

/**
 * Asks the policies again. Returns whether the call must not run: one of them refuses or fails now, or asks for an approval
 * that nobody has asked for. The caller's error is then `state.refusal`.
 *
 * @param signal of the work that waits, which may outlast the call
 */
export async function policiesRefuseNow(
  call: ApprovedCall,
  signal: AbortSignal,
  services: PolicyServices,
): Promise<boolean> {
  try {
    const again = await askedAbout(call, signal, services);
    const unasked = again.asking.find((each) => !isCovered(each, call, call.asked));
    if (!unasked) call.policies = again;
    else reportRedecided(call, unasked, services);
    return unasked !== undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    call.state.refusal = error;
    return true;
  }
}

/**
 * Asks the policies again about a call that a stored result or an equal call answers, if that took long.
 *
 * @throws ToolSearchError as {@link askPolicies}, `TOOL_NOT_AVAILABLE` for an approval that nobody has asked for
 */
export async function askAfterWaiting(
  call: ApprovedCall,
  { cached }: { readonly cached: boolean },
  services: PolicyServices,
): Promise<void> {
  if (!cached || !mustAskAgain(call, false)) return;
  if (await policiesRefuseNow(call, call.signal, services)) throw call.state.refusal ?? unavailableError();
}

/**
 * Asks the policies about work of the application itself, with the arguments that it names, which must fit the tool's
 * schema. Where it names none, the work is refused if a policy decides about the tool. Returns who asks for an approval.
 *
 * @throws ToolSearchError as {@link askPolicies}, `INVALID_ARGUMENTS`, `ARGUMENTS_TOO_LARGE`
 */
export async function askPoliciesOfWork(
  use: AdmittedUse,
  work: WorkArguments,
  services: PolicyServices,
): Promise<readonly Decision[]> {
  const [policy] = services.callPolicies.on(use.tool);
  if (!policy) return NOBODY_ASKS;
  const given = await work.fitting(use.executor);
  if (!given)
    return refuse(use, refusalByPolicy(policy.name, 'nobody names the arguments of this work', false), services);
  const { refusal, asking } = await policyVerdict(use, given, NEVER_ABORTED, services);
  if (refusal) refuse(use, refusal, services);
  return asking;
}

/** {@link askPoliciesOfWork} for each of several tools, in their order. */
export async function askPoliciesOfEach(
  uses: readonly AdmittedUse[],
  work: WorkArguments,
  services: PolicyServices,
): Promise<readonly (readonly Decision[])[]> {
  const asking: (readonly Decision[])[] = [];
  for (let at = 0; at < uses.length; at += AT_ONCE) {
    const asked = uses.slice(at, at + AT_ONCE).map((use) => askPoliciesOfWork(use, work, services));
    asking.push(...(await Promise.all(asked)));
  }
  return asking;
}

function refuse(use: AdmittedUse, refusal: CallPolicyRefusal, services: DecisionServices): never {
  const { isFault, cause } = refusal;
  if (!isFault) return refuseArguments(use, refusal, 'This call is not allowed here.', services);
  reportRedecided(use, refusal, services);
  throw new ToolSearchError('INTERNAL', 'The application could not decide about this call, so it did not run.', {
    hint: 'Nothing has happened. Try again later; the operator finds the cause in the log.',
    ...(cause && { cause }),
  });
}
