import { object, type OptionsOf, whole, withDefaults } from '../../options/options.js';
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../json/json.js';
import { TimeSlicer } from '../../async/time-slicer.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDefinition, ToolOutput } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { failure, failureOf, notAvailable, type ToolFailure, type ToolResult } from '../../tool/tool-result.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { SourceAnswer, ToolCall, ToolExecutor, ToolProgress } from '../../tool/tool-source.js';
import { abortable, Deadline } from '../../async/deadline.js';
import type { ToolNaming } from '../../tool/tool-naming.js';
import { areLarge, boundedArguments } from './argument-bounds.js';
import { eventIds } from '../../tool/event-ids.js';
import { RunningCalls } from './running-calls.js';
import { boundOutput, type BoundedOutput } from './result-bound.js';

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** @default a random UUID */
  readonly callId?: string;
  readonly onProgress?: (update: ToolProgress) => void;
  /** Tool names used in the arguments and answers of meta tools. @default canonical names */
  readonly naming?: ToolNaming;
  /**
   * Asks whether an admitted tool may run with these arguments, before it is activated. A returned failure ends the
   * call and is its result. The time that the answer takes does not count as time of the call.
   *
   * @default nothing is asked
   */
  readonly confirm?: (tool: ToolDefinition, input: unknown) => Promise<ToolFailure | undefined>;
}

export const runnerOptions = object({
  /** Maximum size of a result in bytes; a larger result is cut and flagged. @default 1048576 */
  maxResultBytes: whole(1024, 1_073_741_824).default(1_048_576),
});

export interface RunnerOptions extends OptionsOf<typeof runnerOptions> {}

const WITHDRAWN: unique symbol = Symbol('withdrawn');

export interface AdmittedCall {
  readonly tool: ToolDefinition;
  readonly executor: ToolExecutor;
  readonly context: ToolContext;
  /** Called immediately before the tool runs; returns whether it still may. */
  readonly mayRun: () => boolean;
  readonly availableTools?: ToolCall['availableTools'];
}

/** Runs an admitted tool: checks its arguments, limits its time and its result, and emits `tool.called`. */
export class ToolRunner {
  readonly #maxResultBytes: number;

  constructor(
    private readonly events: ToolEvents,
    given: RunnerOptions = {},
    private readonly reportFault: (tool: string, error: unknown) => void = () => undefined,
    readonly running = new RunningCalls(),
  ) {
    this.#maxResultBytes = withDefaults(runnerOptions, given).maxResultBytes;
  }

  async run(admitted: AdmittedCall, input: unknown, options: CallOptions = {}): Promise<ToolResult> {
    const { tool, context } = admitted;
    const callId = options.callId ?? randomUUID();
    const started = performance.now();
    const result = await this.#run(admitted, input, options, callId);
    this.events.emit({
      type: 'tool.called',
      ...eventIds(context),
      callId,
      tool: tool.name,
      outcome: result.ok ? 'ok' : result.code,
      ms: performance.now() - started,
    });
    return result;
  }

  /** Returns the answer of a meta tool as a result, within the limits of every result. */
  answer(output: ToolOutput): ToolResult {
    return succeeded(this.#bounded(output));
  }

  #bounded(output: ToolOutput): BoundedOutput {
    return boundOutput(output, this.#maxResultBytes);
  }

  async #run(
    { tool, executor, context, mayRun, availableTools }: AdmittedCall,
    input: unknown,
    options: CallOptions,
    callId: string,
  ): Promise<ToolResult> {
    let dispatched = false;
    let ended = false;
    const deadline = new Deadline(executor.timeoutMs, options.signal);
    const { signal } = deadline;
    const end = this.running.add({ tool, tenantId: context.tenantId, deadline });
    const call: ToolCall = {
      id: callId,
      signal,
      deadline: Date.now() + executor.timeoutMs,
      progress: (update) => void (ended || signal.aborted || report(options.onProgress, update)),
      ...(availableTools && { availableTools }),
    };
    try {
      // Each call with large arguments waits for a turn of the event loop, so that many of them block it no longer than
      // one.
      if (areLarge(input)) await new TimeSlicer(0, signal).pause();
      const checked = await abortable(() => checkInput(executor, boundedArguments(input)), signal);
      if ('ok' in checked) return checked;
      const answer = await abortable<SourceAnswer | typeof WITHDRAWN>(() => {
        // The checks take time, and a tool that was withdrawn meanwhile must not run.
        if (!mayRun()) return WITHDRAWN;
        dispatched = true;
        return executor.source.call(executor.localName, checked.value, context, call);
      }, signal);
      if (answer === WITHDRAWN) return notAvailable();
      const output = this.#bounded(answer);
      if (answer.isError) {
        const said = failure(
          'TOOL_FAILED',
          `${tool.name} reported an error.`,
          'Read its content, correct the call and try again.',
        );
        return { ...said, content: output.content };
      }
      return succeeded(output);
    } catch (error) {
      if (signal.aborted) return abortFailure(tool, executor, deadline.passed, dispatched);
      if (isToolSearchError(error)) {
        if (error.cause !== undefined) this.reportFault(tool.name, error);
        return failureOf(error);
      }
      this.reportFault(tool.name, error);
      return failure(
        'TOOL_FAILED',
        `${tool.name} failed.`,
        'Try different arguments or another tool; the operator finds the cause in the log.',
      );
    } finally {
      ended = true;
      end();
      deadline.clear();
    }
  }
}

async function checkInput(executor: ToolExecutor, input: JsonObject): Promise<{ value: unknown } | ToolFailure> {
  const checked = await executor.validate(input);
  if ('value' in checked) return checked;
  const faults = checked.issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return failure(
    'INVALID_ARGUMENTS',
    `The arguments do not fit the tool's schema: ${faults}.`,
    'Correct the arguments and call again. You can read the input schema with tool_get.',
  );
}

function abortFailure(
  tool: ToolDefinition,
  executor: ToolExecutor,
  timedOut: boolean,
  dispatched: boolean,
): ToolFailure {
  const effect = dispatched ? ' It may have taken effect.' : '';
  const hint = dispatched
    ? 'Check the state before you call it again.'
    : 'Nothing has happened; call it again if you still need it.';
  if (timedOut)
    return failure('TOOL_TIMEOUT', `${tool.name} did not answer within ${executor.timeoutMs} ms.${effect}`, hint);
  return failure('TOOL_CANCELLED', `The call of ${tool.name} was cancelled.${effect}`, hint);
}

function report(listener: CallOptions['onProgress'], update: ToolProgress): void {
  try {
    listener?.(update);
  } catch {
    // Progress is optional: an error in a listener must not fail the call.
  }
}

function succeeded({ content, structured, truncated }: BoundedOutput): ToolResult {
  return { ok: true, content, ...(structured !== undefined && { structured }), ...(truncated && { truncated }) };
}
