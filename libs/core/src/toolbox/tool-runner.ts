import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../tool/json.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { ToolEvents } from '../tool/tool-event.js';
import { failure, failureOf, type ToolFailure, type ToolResult } from '../tool/tool-result.js';
import { isToolSearchError } from '../tool/tool-search.error.js';
import type { ToolCall, ToolExecutor, ToolProgress } from '../tool/tool-source.js';
import { boundedArguments } from './argument-bounds.js';
import { principalOf } from './principal.js';
import { boundOutput } from './result-bound.js';

/** How one call is made. */
export interface CallOptions {
  /** Gives the call up. */
  readonly signal?: AbortSignal;
  /** @default a random UUID */
  readonly callId?: string;
  readonly onProgress?: (update: ToolProgress) => void;
}

/** Bounds of every call. */
export interface RunnerOptions {
  /** Bytes of a result; what is over is cut and flagged. @default 1048576 */
  readonly maxResultBytes?: number;
}

const MAX_RESULT_BYTES = 1_048_576;

/** Runs an admitted tool: checks its arguments, bounds its time and its result, and says how it went. */
export class ToolRunner {
  constructor(
    private readonly events: ToolEvents,
    private readonly options: RunnerOptions = {},
    private readonly reportFault: (tool: string, error: unknown) => void = () => undefined,
  ) {}

  async run(
    tool: ToolDefinition,
    executor: ToolExecutor,
    input: unknown,
    context: ToolContext,
    options: CallOptions = {},
  ): Promise<ToolResult> {
    const callId = options.callId ?? randomUUID();
    const started = performance.now();
    const result = await this.#run(tool, executor, input, context, options, callId);
    this.events.emit({
      type: 'tool.called',
      ...principalOf(context),
      callId,
      tool: tool.name,
      outcome: result.ok ? 'ok' : result.code,
      ms: performance.now() - started,
    });
    return result;
  }

  async #run(
    tool: ToolDefinition,
    executor: ToolExecutor,
    input: unknown,
    context: ToolContext,
    options: CallOptions,
    callId: string,
  ): Promise<ToolResult> {
    const timeout = AbortSignal.timeout(executor.timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    const call: ToolCall = {
      id: callId,
      signal,
      deadline: Date.now() + executor.timeoutMs,
      progress: (update) => report(options.onProgress, update, signal),
    };
    let dispatched = false;
    try {
      const checked = await checkInput(executor, boundedArguments(input));
      if ('ok' in checked) return checked;
      dispatched = true;
      const answer = await unlessAborted(() => executor.source.call(executor.localName, checked.value, context, call), signal);
      const output = boundOutput(answer, this.options.maxResultBytes ?? MAX_RESULT_BYTES);
      if (answer.isError) {
        const said = failure('TOOL_FAILED', `${tool.name} reported an error.`, 'Read its content, correct the call and try again.');
        return { ...said, content: output.content };
      }
      const { content, structured, truncated } = output;
      return { ok: true, content, ...(structured !== undefined && { structured }), ...(truncated && { truncated }) };
    } catch (error) {
      if (signal.aborted) return abortFailure(tool, executor, timeout.aborted, dispatched);
      if (isToolSearchError(error)) return failureOf(error);
      this.reportFault(tool.name, error);
      return failure('TOOL_FAILED', `${tool.name} failed.`, 'Try different arguments or another tool; the operator finds the cause in the log.');
    }
  }
}

async function checkInput(executor: ToolExecutor, input: JsonObject): Promise<{ value: unknown } | ToolFailure> {
  const checked = await executor.validate(input);
  if ('value' in checked) return checked;
  const faults = checked.issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return failure('INVALID_ARGUMENTS', `The arguments do not fit the tool's schema: ${faults}`, 'Read the input schema with tool_get and call again.');
}

// A result that comes after the abort is discarded; the executor was told through its signal.
function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('aborted', { cause: signal.reason }));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    Promise.resolve()
      .then(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

function abortFailure(tool: ToolDefinition, executor: ToolExecutor, timedOut: boolean, dispatched: boolean): ToolFailure {
  const effect = dispatched ? ' It may have taken effect.' : '';
  const hint = dispatched ? 'Check the state before you call it again.' : undefined;
  if (timedOut) return failure('TOOL_TIMEOUT', `${tool.name} did not answer within ${executor.timeoutMs} ms.${effect}`, hint);
  return failure('TOOL_CANCELLED', `The call of ${tool.name} was cancelled.${effect}`, hint);
}

function report(listener: CallOptions['onProgress'], update: ToolProgress, signal: AbortSignal): void {
  if (!listener || signal.aborted) return;
  try {
    listener(update);
  } catch {
    // Progress is a courtesy; a listener's fault is not the tool's.
  }
}
