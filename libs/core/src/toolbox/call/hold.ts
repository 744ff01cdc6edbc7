import type { CallLimits } from '../../access/limits/call-limits.js';
import { approvalGone } from '../../access/approvals/approval.js';
import type { UsableApproval } from '../../access/approvals/tool-approvals.js';
import { strictest } from '../../access/policies/approval-rule.js';
import { errorOf } from '../../access/limits/limit-failure.js';
import { NEVER_ABORTED } from '../../async/deadline.js';
import type { Decision } from '../../tool/decision.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { CallTrace } from '../record/call-trace.js';
import type { CallRecorder } from '../record/tool-call-records.js';
import type { ToolboxRequest } from '../toolbox-request.js';
import { admit, type AdmissionServices } from './admit.js';
import { approvalOfUse, type ApprovingServices, argumentsToShow } from './approve-call.js';
import { argumentsDigest } from './arguments-digest.js';
import { askersOf, jointDecision } from './askers.js';
import { askPoliciesOfEach, askPoliciesOfWork, type PolicyServices } from './ask-policies.js';
import { unavailableError } from './call-errors.js';
import type { AdmittedUse, Admission, NamedUse } from './call-types.js';
import { decideWorkArguments } from './decide-arguments.js';
import { decide, decideAgain, type DecisionServices } from './decide.js';
import type { WorkArguments } from './work-arguments.js';

export interface HoldingServices extends WorkServices {
  readonly records: CallRecorder;
  readonly limits: CallLimits;
}

/** Services of a use of a tool that is no call of it. */
interface WorkServices extends AdmissionServices, ApprovingServices, PolicyServices {}

/** A tool whose work an application does itself, and that counts as a call of it until `end()`. */
export interface HeldTool {
  readonly tool: ToolDefinition;
  /** Frees what counts only while the work is done. Never rejects; further calls have no effect. */
  readonly end: () => Promise<void>;
}

/** What the application says of work that it does itself. */
export interface WorkOptions {
  /**
   * The arguments of the work, which the rules on arguments and call policies look at. They must then fit the tool's schema.
   *
   * @default undefined; then, and with null, the work is refused if any rule on arguments names the tool, or any call policy
   *   decides about it
   */
  readonly arguments?: unknown;
}

/** A tool that was admitted, and the approval of this use if it needs one of its own. */
export interface AdmittedWork {
  readonly tool: ToolDefinition;
  readonly approval: UsableApproval | undefined;
}

/**
 * Admits a tool whose work the application does itself.
 *
 * @param claims whether the work begins now and uses up its approval; otherwise {@link holdWork} follows
 * @throws ToolSearchError as {@link admit}, {@link decideWorkArguments} and {@link askPoliciesOfWork}
 */
export function admitWork(
  request: ToolboxRequest,
  name: string,
  work: WorkArguments,
  claims: boolean,
  services: HoldingServices,
): Promise<AdmittedWork> {
  return recordedWork(request, name, services, async (use) => {
    const approved = await approvedUse(use, work, services);
    if (claims) await claimUse(approved, work, services);
    return { tool: approved.admitted.tool, approval: approved.approval };
  });
}

/** Admits such a tool and takes its limits. @throws ToolSearchError as {@link admitWork}, and `LIMIT_REACHED` */
export function holdWork(
  request: ToolboxRequest,
  name: string,
  work: WorkArguments,
  services: HoldingServices,
): Promise<HeldTool> {
  return recordedWork(request, name, services, async (use) => {
    const approved = await approvedUse(use, work, services);
    const { tool, executor, caller } = approved.admitted;
    const { context, agentIds } = caller;
    const limits = services.limits.of({ tool, context, agentIds }, executor.timeoutMs);
    const refused = await limits?.take();
    if (refused) throw errorOf(refused);
    try {
      // Taking limits may have waited for a store.
      await decideWorkAgain(approved, work, services);
      await claimUse(approved, work, services);
    } catch (error) {
      await limits?.end(undefined);
      throw error;
    }
    limits?.begin();
    return { tool, end: async () => limits?.end(undefined) };
  });
}

/**
 * The visible tool to admit of several: the first that needs no approval, else the first. Rules on arguments and call
 * policies of all of them are asked, because which tool is the first depends on the order of the catalog: a refusal by one
 * of them counts, and a tool for which one asks for an approval comes before all others, one for which it is for one call
 * first.
 *
 * @throws ToolSearchError `TOOL_NOT_AVAILABLE`, and as {@link decideWorkArguments} and {@link askPoliciesOfWork}
 */
export async function anyToolOf(
  request: ToolboxRequest,
  matches: (tool: ToolDefinition) => boolean,
  work: WorkArguments,
  services: PolicyServices,
): Promise<string> {
  const { gate, callPolicies } = services;
  const caller = await request.who();
  const tools = (await request.view(caller)).tools().filter(matches);
  const isAsked = (tool: ToolDefinition) =>
    gate.argumentRules(tool, caller).length > 0 || callPolicies.on(tool).length > 0;
  const uses: AdmittedUse[] = [];
  const onArguments: (readonly Decision[])[] = [];
  for (const each of tools.filter(isAsked)) {
    const { tool, executor, decision } = await decide(each.name, caller, services);
    if (!tool || !executor || decision.outcome === 'deny') continue;
    const admission = { tool, executor, decision, isApproved: false };
    const use = { request, caller, name: tool.name, options: {}, trace: undefined, ...admission };
    const asked = await decideWorkArguments(use, work, services);
    onArguments.push(asked ? [asked] : []);
    uses.push(use);
  }
  const onPolicies = await askPoliciesOfEach(uses, work, services);
  const asking = strictest(
    uses.map(({ tool }, index) => {
      const decision = jointDecision([...(onArguments[index] ?? []), ...(onPolicies[index] ?? [])]);
      return decision && { ...decision, tool };
    }),
  );
  const tool = asking?.tool ?? tools.find((each) => gate.approvalOf(each, caller) === undefined) ?? tools[0];
  if (!tool) throw unavailableError();
  return tool.name;
}

/**
 * Admits the use of a tool whose arguments only the application knows, and claims its approval: there is one for each use.
 *
 * @throws ToolSearchError as {@link admit}
 */
export async function admitUse<T extends NamedUse>(use: T, work: WorkArguments, services: WorkServices) {
  const approved = await approvedUse(use, work, services);
  await claimUse(approved, work, services);
  return approved.admitted;
}

/** A use that was admitted, who asked for an approval of it, and the approval if it is one of its own. */
interface ApprovedUse<T extends NamedUse> {
  readonly admitted: T & Admission;
  readonly asked: readonly Decision[];
  readonly approval: UsableApproval | undefined;
}

async function approvedUse<T extends NamedUse>(
  use: T,
  work: WorkArguments,
  services: WorkServices,
): Promise<ApprovedUse<T>> {
  const admitted = await admit(use, services);
  const onArguments = await decideWorkArguments(admitted, work, services);
  const asked = askersOf(admitted, onArguments, await askPoliciesOfWork(admitted, work, services));
  const approval = asked.length > 0 ? await approvalOfWork(admitted, asked, work, services) : undefined;
  const approved = { admitted, asked, approval };
  // The decision took time, and so did the store.
  await decideWorkAgain(approved, work, services);
  return approved;
}

function approvalOfWork(
  use: AdmittedUse,
  asked: readonly Decision[],
  { json: given }: WorkArguments,
  services: ApprovingServices,
): Promise<UsableApproval | undefined> {
  const { tool } = use;
  if (!given) return approvalOfUse(use, asked, { digest: NO_ARGUMENTS, shown: () => UNKNOWN }, services);
  const shown = () => argumentsToShow({ tool, given, signal: NEVER_ABORTED }, services);
  return approvalOfUse(use, asked, { digest: argumentsDigest(given), shown }, services);
}

async function claimUse(
  approved: ApprovedUse<NamedUse>,
  work: WorkArguments,
  services: ApprovingServices,
): Promise<void> {
  const { admitted, approval } = approved;
  if (!approval?.isForOneCall) return;
  const { tool, caller } = admitted;
  if (!(await services.approvals.claim(approval, caller.context))) throw approvalGone(tool.name);
  // There is no later check before the work begins.
  await decideWorkAgain(approved, work, services);
}

async function decideWorkAgain(
  { admitted, asked }: ApprovedUse<NamedUse>,
  work: WorkArguments,
  services: DecisionServices,
): Promise<void> {
  const onArguments = await decideWorkArguments(admitted, work, services);
  decideAgain(admitted, { onArguments, asked }, services);
}

/** Differs from the digest of every call, also of one with no members. */
const NO_ARGUMENTS = argumentsDigest('no arguments');
const UNKNOWN = 'not known: the application does this work itself';

async function recordedWork<T>(
  request: ToolboxRequest,
  name: string,
  { records }: HoldingServices,
  work: (use: NamedUse) => Promise<T>,
): Promise<T> {
  const caller = await request.who();
  const step = () => request.run.stateOf(caller.context).step;
  return records.admission(caller, step, (trace?: CallTrace) => work({ request, caller, name, options: {}, trace }));
}
