import { randomUUID } from 'node:crypto';
import { Deadline } from '../../async/deadline.js';
import { failureOf, type ToolFailure, type ToolResult } from '../../tool/tool-result.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolCall } from '../../tool/tool-source.js';
import type { ToolTracing, TraceContext } from '../../tool/tool-tracing.js';
import type { ResultRedaction } from '../results/redaction/result-redaction.js';
import { askCaller } from './ask-caller.js';
import { abortFailure, toolError } from './call-errors.js';
import type { ActivatedCall, AdmittedCall, BegunCall, CallState } from './call-types.js';
import type { RunningCalls } from './running-calls.js';

export interface InTimeServices {
  readonly running: RunningCalls;
  /** @default no result is redacted */
  readonly redaction: ResultRedaction | undefined;
  /** Gives sources the trace of their calls. @default none */
  readonly tracing?: ToolTracing | undefined;
  /** Logs the cause of a failure, which callers do not receive. */
  readonly reportFault: (tool: string, error: unknown) => void;
}

/** Gives a call its id, its deadline and what its source sees of it. From here on its time counts. */
export function begin(
  call: AdmittedCall & Partial<Pick<ActivatedCall, 'mode'>>,
  { redaction: redactions, tracing }: Pick<InTimeServices, 'redaction' | 'tracing'>,
): BegunCall {
  const { tool, executor, options } = call;
  const id = options.callId ?? randomUUID();
  const state: CallState = {
    startedAt: performance.now(),
    hasEnded: false,
    isDispatched: false,
    limits: [],
    facts: {},
  };
  const deadline = new Deadline(executor.timeoutMs, options.signal);
  const { signal } = deadline;
  const redaction = redactions?.of(tool.name, signal, state.facts);
  const sourceCall = callOfSource(call, { id, deadline, state, redaction, trace: tracing?.handedOn() });
  return Object.assign(call, { id, state, deadline, signal, redaction, sourceCall });
}

/** Runs the rest of a call within its deadline and within reach of kill switches. Its errors become failures. */
export async function inTime(
  call: BegunCall,
  services: InTimeServices,
  rest: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const { tool, caller, deadline, state } = call;
  const leave = services.running.add({ tool, tenantId: caller.context.tenantId, deadline });
  try {
    return await rest();
  } catch (error) {
    return failed(call, error, services);
  } finally {
    state.hasEnded = true;
    leave();
    deadline.clear();
  }
}

function failed(call: BegunCall, error: unknown, { reportFault }: InTimeServices): ToolFailure {
  const { tool, executor, metaNames, deadline, signal, state } = call;
  const mayTakeEffect = state.isDispatched || state.shared?.isJoined === true;
  if (signal.aborted) return abortFailure(tool, executor, deadline.passed, mayTakeEffect);
  if (isToolSearchError(error)) {
    if (error.cause !== undefined) reportFault(tool.name, error);
    return failureOf(error, metaNames);
  }
  reportFault(tool.name, error);
  return failureOf(toolError(tool));
}

function callOfSource(
  { tool, executor, options, request, caller }: AdmittedCall,
  {
    id,
    deadline,
    state,
    redaction,
    trace,
  }: Pick<BegunCall, 'id' | 'deadline' | 'state' | 'redaction'> & {
    readonly trace: TraceContext | undefined;
  },
): ToolCall {
  const { signal } = deadline;
  const isOver = () => state.hasEnded || signal.aborted;
  return {
    id,
    signal,
    deadline: Date.now() + executor.timeoutMs,
    progress: (update) => void (isOver() || report(options.onProgress, redaction?.progress(update) ?? update)),
    asks: options.input?.methods ?? [],
    ask: (requests) => askCaller(tool, options.input, requests, deadline),
    // A redactor reads texts only, and a log line may hold anything.
    log: (entry) => void (isOver() || redaction || report(options.onLog, entry)),
    ...(trace && { trace }),
    // Resources and prompts call no tools.
    ...(tool.kind === undefined && { availableTools: async () => (await request.view(caller)).forModels().tools() }),
  };
}

function report<T>(listener: ((news: T) => void) | undefined, news: T): void {
  try {
    listener?.(news);
  } catch {
    // News are optional: an error in a listener must not fail the call.
  }
}
