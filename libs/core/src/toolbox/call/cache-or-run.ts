import type { SourceAnswer, ToolCall } from '../../tool/tool-source.js';
import type { CacheAnswer, CachedResults, FetchedAnswer, NotRun, SharedCall } from '../results/cache/cached-results.js';
import { approvalGone } from '../../access/approvals/approval.js';
import { type ApprovingServices, claimApproval } from './approve-call.js';
import { mustAskAgain, policiesRefuseNow, type PolicyServices } from './ask-policies.js';
import { unavailableError } from './call-errors.js';
import type { ApprovedCall } from './call-types.js';
import { decideCallAgain, type DecisionServices, isStillAllowed } from './decide.js';
import type { SourceQueue } from './source-queue.js';
import { countCall } from './take-limits.js';

export interface SourceServices extends PolicyServices, ApprovingServices {
  readonly queue: SourceQueue;
  readonly cachedResults: CachedResults;
}

/** An answer of a source within the limits of every result, and redacted. */
export type Answer = Exclude<FetchedAnswer, NotRun>;

/** A stored answer, that of an equal call that is running, or the answer of `ask`. */
export function cacheOrRun(
  { tool, executor, caller: { context, agentIds }, given, value, sourceCall }: ApprovedCall,
  { cachedResults }: Pick<SourceServices, 'cachedResults'>,
  ask: (sourceCall: ToolCall, shared?: SharedCall) => Promise<FetchedAnswer>,
): Promise<CacheAnswer> {
  return cachedResults.answer({ tool, executor, context, agentIds, input: given, value }, sourceCall, ask);
}

/**
 * Waits for a place at the source and runs the tool there, unless it was turned off while the call waited, or a call policy
 * refuses it by then. Just before it runs, the approval of the call is claimed: a call that is refused earlier, or that a
 * stored result answers, does not use it up.
 *
 * @param own the call as the source sees it; it may outlast its first caller
 * @throws ToolSearchError `SOURCE_BUSY`, `GATE_CLOSED`, and the errors of the source
 */
export function runAtSource(
  call: ApprovedCall,
  own: ToolCall,
  services: SourceServices,
): SourceAnswer | NotRun | Promise<SourceAnswer | NotRun> {
  const { tool, executor, caller, value, state } = call;
  const { context } = caller;
  const { source, localName } = executor;
  const queued = { tool: tool.name, source, context, signal: own.signal, deadline: own.deadline };
  return services.queue.run<SourceAnswer | NotRun>(queued, (waited) => {
    // The call may also have waited for a stored result, or for an equal call that failed.
    const hasWaited = waited || services.cachedResults.rules.of(tool, executor) !== undefined;
    if (hasWaited && !isStillAllowed(call, services)) return 'withdrawn';
    const run = () => {
      state.isDispatched = true;
      countCall(call);
      const work = () => source.call(localName, value, context, own);
      return services.cachedResults.following(tool, executor, context.tenantId, work);
    };
    const begin = () => {
      const { approval } = state;
      if (!approval?.isForOneCall) return run();
      return claimApproval(call, approval, own, services).then<SourceAnswer | NotRun>((refusal) => refusal ?? run());
    };
    if (!mustAskAgain(call, waited)) return begin();
    return policiesRefuseNow(call, own.signal, services).then<SourceAnswer | NotRun>((isRefused) => {
      own.signal.throwIfAborted();
      return isRefused || !isStillAllowed(call, services) ? 'withdrawn' : begin();
    });
  });
}

/**
 * A stored answer counts like a call.
 *
 * @throws ToolSearchError `TOOL_NOT_AVAILABLE` if the tool was turned off meanwhile, or as call policies have refused it;
 *   `APPROVAL_REQUIRED` if another repeat has used the approval
 */
export function countAnswer(call: ApprovedCall, { answer, cached }: CacheAnswer, services: DecisionServices): Answer {
  if (answer === 'withdrawn') throw call.state.refusal ?? unavailableError();
  if (answer === 'approval_used') throw approvalGone(call.tool.name);
  if (cached) {
    // Reading it, or the equal call that it comes from, may have taken long.
    decideCallAgain(call, services);
    call.state.facts.cached = true;
    countCall(call);
  }
  return answer;
}
