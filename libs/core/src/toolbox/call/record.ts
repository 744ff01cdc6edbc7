import { eventIds } from '../../tool/tool-context.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ToolResult } from '../../tool/tool-result.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { CallTrace } from '../record/call-trace.js';
import type { CallRecorder } from '../record/tool-call-records.js';
import type { BegunCall, NamedCall } from './call-types.js';
import { measuredArguments } from './check-arguments.js';

export interface RecordingServices {
  readonly records: CallRecorder;
  readonly events: ToolEvents;
}

/** Runs the rest of a call and records how it ended, also if it was refused. */
export function recorded(
  call: NamedCall,
  { records }: Pick<RecordingServices, 'records'>,
  rest: (call: NamedCall) => Promise<ToolResult>,
): Promise<ToolResult> {
  const { request, caller } = call;
  const step = () => request.run.stateOf(caller.context).step;
  return records.call(caller, step, async (trace) => {
    try {
      return await rest(Object.assign(call, { trace }));
    } catch (error) {
      noteWaiting(trace, call, error);
      throw error;
    }
  });
}

/** Emits `tool.called`, and tells the record what the stages have learned. */
export function reportCall(
  { id, tool, caller: { context }, state, trace }: BegunCall,
  result: ToolResult,
  { events }: Pick<RecordingServices, 'events'>,
): void {
  const { startedAt, given, facts } = state;
  trace?.ran({ callId: id, cached: facts.cached === true, ...(given && { given }) });
  events.emit({
    type: 'tool.called',
    ...eventIds(context),
    callId: id,
    tool: tool.name,
    outcome: result.ok ? 'ok' : result.code,
    ms: performance.now() - startedAt,
    ...facts,
  });
}

const WAITING: ReadonlySet<string> = new Set(['APPROVAL_REQUIRED', 'APPROVAL_PENDING']);

/** Notes the arguments with which a call waits for an approval. */
function noteWaiting(trace: CallTrace | undefined, { input, options }: NamedCall, error: unknown): void {
  if (!trace || !isToolSearchError(error) || !WAITING.has(error.code)) return;
  try {
    trace.waits(measuredArguments(input, options));
  } catch {
    // No tool would be called with such arguments, and the caller shall hear of the approval.
  }
}
