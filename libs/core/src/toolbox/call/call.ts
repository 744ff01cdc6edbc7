import type { CallLimits } from '../../access/limits/call-limits.js';
import { abortable } from '../../async/deadline.js';
import { type MetaNames, OWN_META_NAMES } from '../../tool/meta-names.js';
import { failureOf, type ToolFailure, type ToolResult } from '../../tool/tool-result.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { LearnedQueries } from '../learned-queries/learned-queries.js';
import { answerMetaTool, type MetaServices } from '../meta-tools/answer-meta-tool.js';
import { activate } from './activate.js';
import { admit, type AdmissionServices } from './admit.js';
import { approveCall } from './approve-call.js';
import { askAfterWaiting, askPolicies } from './ask-policies.js';
import { boundOutput, refuseCutItem, resultOf } from './bound.js';
import { cacheOrRun, countAnswer, runAtSource, type SourceServices } from './cache-or-run.js';
import type { AdmittedCall, AskedCall, NamedCall } from './call-types.js';
import { checkArguments, givenArguments } from './check-arguments.js';
import { decideArguments } from './decide-arguments.js';
import { decideCallAgain } from './decide.js';
import { begin, inTime, type InTimeServices } from './in-time.js';
import { intercepted, type InterceptionServices } from './intercept.js';
import { learn } from './learn.js';
import { mark } from './mark.js';
import { note, noteOfApproval } from './note.js';
import { recorded, type RecordingServices, reportCall } from './record.js';
import { redact, redactChanged, type RedactionServices, withRedactedErrors } from './redact.js';
import { listReader, shorten, type ShorteningServices } from './shorten.js';
import { endLimits, takeLimits } from './take-limits.js';
import { traced, type TracingServices } from './trace.js';

/** Services of a call of a tool, or of a read of a resource or prompt. */
export interface CallServices
  extends
    RecordingServices,
    AdmissionServices,
    InTimeServices,
    InterceptionServices,
    SourceServices,
    RedactionServices,
    ShorteningServices {
  readonly limits: CallLimits;
}

/** Services of a call that a model makes. */
export interface ModelCallServices extends CallServices, TracingServices, MetaServices {
  readonly learned: LearnedQueries;
}

/**
 * A call of a model, from the name that it wrote to the result that it reads. Its errors are failures; the promise rejects
 * only when the context cannot be created.
 */
export async function call(asked: AskedCall, services: ModelCallServices): Promise<ToolResult> {
  const { request, name } = asked;
  const { metaTools } = services;
  let metaNames: Partial<MetaNames> = OWN_META_NAMES;
  const caller = await request.itself();
  try {
    metaNames = metaTools.names(request.shown.last(caller));
    // Spans, records and decisions are about the tool that a call of the bridge contains.
    const isMeta = metaTools.find(name) !== undefined;
    const wrapped = isMeta ? { ...asked, input: givenArguments(asked.input) } : asked;
    const unwrapped = metaTools.unwrapped(wrapped);
    // Behind the bridge a host of MCP Apps cannot keep a tool from its model.
    const isBehindBridge = request.opensApps && unwrapped !== wrapped;
    const callerNow = async () => (isBehindBridge ? { ...(await request.who()), opensApps: false } : request.who());
    return await traced(unwrapped, services, async (call) => {
      const { name, input, options } = call;
      const named = { request, name, input, options, metaNames, caller: await callerNow(), trace: undefined };
      return withFailures(named, services, metaTools.find(call.name) ? answerMetaTool : callTool);
    });
  } catch (error) {
    return failed(name, error, metaNames, services);
  }
}

/** The order of a call of a tool. A stage gets what those before it have added, and a stage that refuses throws. */
function callTool(named: NamedCall, services: ModelCallServices): Promise<ToolResult> {
  return recorded(named, services, async (call) => {
    call.request.run.resetSearchStreak(call.caller);
    const admitted = await admit(call, services);
    const refusal = await call.options.confirm?.(admitted.tool, call.input);
    if (refusal) return refusal;
    // Also if the arguments are wrong: the model then reads the schema.
    const activated = await activate(admitted);
    const result = await runTool(activated, services);
    if (result.handle !== undefined) await listReader(activated);
    learn(activated, result, services);
    return note(activated, result, services);
  });
}

/** The order of a read of a resource or prompt: as that of a call, without what concerns only models. */
export function readItem(named: NamedCall, services: CallServices): Promise<ToolResult> {
  return withFailures(named, services, () =>
    recorded(named, services, async (read) => runTool(await admit(read, services), services)),
  );
}

/** The order of what happens in the time of a call. */
async function runTool(admitted: AdmittedCall, services: CallServices): Promise<ToolResult> {
  const { maxResultBytes } = services.calls;
  const begun = begin(admitted, services);
  const { tool, signal } = begun;
  const whole = await inTime(begun, services, async () => {
    const checked = await checkArguments(begun);
    const answer = await intercepted(checked, services, async (inner) => {
      const ruled = decideArguments(inner, services);
      const questioned = await askPolicies(ruled, services);
      const call = await approveCall(questioned, services);
      await takeLimits(call, services);
      const found = await abortable(async () => {
        // Decided once more wherever the call waits after this: for a stored result, an equal call, a place at the source.
        decideCallAgain(call, services);
        return withRedactedErrors(call, services, () =>
          cacheOrRun(call, services, async (own, shared) => {
            call.state.shared = shared;
            const given = await runAtSource(call, own, services);
            if (typeof given === 'string') return given;
            const bounded = boundOutput(given, maxResultBytes);
            return { output: await redact(call, own, bounded, services), isError: given.isError === true };
          }),
        );
      }, signal);
      await askAfterWaiting(call, found, services);
      const own = countAnswer(call, found, services);
      // Before an interceptor can put something whole in the place of a part.
      refuseCutItem(tool, own.output, maxResultBytes);
      return own;
    });
    const output = answer.changed ? await redactChanged(begun, answer.output, answer.changed, services) : answer.output;
    refuseCutItem(tool, output, maxResultBytes);
    return resultOf(tool, await shorten(begun, output, services), answer.isError);
  });
  const result = mark(begun, whole, services);
  // Before the caller has the result: its next call must find what this one gives back.
  await endLimits(begun, result);
  reportCall(begun, result, services);
  return noteOfApproval(begun, result);
}

async function withFailures<S extends InTimeServices>(
  call: NamedCall,
  services: S,
  rest: (call: NamedCall, services: S) => Promise<ToolResult>,
): Promise<ToolResult> {
  try {
    return await rest(call, services);
  } catch (error) {
    return failed(call.name, error, call.metaNames, services);
  }
}

/** An error as a failure, and its cause for the operator. */
function failed(
  name: string,
  error: unknown,
  metaNames: Partial<MetaNames>,
  { reportFault }: Pick<InTimeServices, 'reportFault'>,
): ToolFailure {
  if (!isToolSearchError(error) || error.cause !== undefined) reportFault(name, error);
  return failureOf(error, metaNames);
}
