import { object, type OptionsOf, whole, withDefaults } from '../../options/options.js';
import { randomUUID } from 'node:crypto';
import { TimeSlicer } from '../../async/time-slicer.js';
import type { CallLimits } from '../../access/limits/call-limits.js';
import type { HeldLimits } from '../../access/limits/held-limits.js';
import { type ToolContext, eventIds } from '../../tool/tool-context.js';
import type { ToolDefinition, ToolOutput } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { failure, failureOf, notAvailable, type ToolFailure, type ToolResult } from '../../tool/tool-result.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { CallerInput, ToolLogEntry } from '../../tool/source/caller-input.js';
import { askCaller } from './call-input.js';
import type { SourceAnswer, ToolCall, ToolExecutor, ToolProgress } from '../../tool/tool-source.js';
import { abortable, Deadline } from '../../async/deadline.js';
import type { ToolNaming } from '../../tool/tool-name.js';
import { areLarge, checkedInput, measuredArguments } from './argument-bounds.js';
import type { CacheAnswer, CachedResults, FetchedAnswer } from '../results/cache/cached-results.js';
import type { RedactionFacts, ResultRedaction } from '../results/redaction/result-redaction.js';
import type { ShortenedOutput } from '../results/shortened-results.js';
import { abortFailure, tooLarge } from './call-errors.js';
import type { RunFacts } from '../record/call-trace.js';
import { RunningCalls } from './running-calls.js';
import { boundOutput, type BoundedOutput } from './result-bound.js';
import { SourceQueue, sourceQueueOptions } from './source-queue.js';

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** @default a random UUID */
  readonly callId?: string;
  readonly onProgress?: (update: ToolProgress) => void;
  /** Answers what a running tool asks. @default a tool that asks ends with `INPUT_REQUIRED` */
  readonly input?: CallerInput;
  /** Receives what a running tool logs. @default nothing is kept */
  readonly onLog?: (entry: ToolLogEntry) => void;
  /** Tool names used in the arguments and answers of meta tools. @default canonical names */
  readonly naming?: ToolNaming;
  /**
   * Limits the tokens of definitions that a search by the model lists, where that is less than `search.offerTokens`: for
   * a conversation that keeps a definition for good. The best hit is always listed.
   *
   * @default `search.offerTokens`
   */
  readonly offerTokens?: number;
  /**
   * Asks whether an admitted tool may run with these arguments, before it is activated. A returned failure ends the
   * call and is its result. The time that the answer takes does not count as time of the call.
   *
   * @default nothing is asked
   */
  readonly confirm?: (tool: ToolDefinition, input: unknown) => Promise<ToolFailure | undefined>;
  /** Returns the whole result, however large: for a program, never for a model. @default false */
  readonly whole?: boolean;
}

export const runnerOptions = object({
  /** Maximum size of a result in bytes; a larger result is cut and flagged. @default 1048576 */
  maxResultBytes: whole(1024, 1_073_741_824).default(1_048_576),
  ...sourceQueueOptions.shape,
});

export interface RunnerOptions extends OptionsOf<typeof runnerOptions> {}

const WITHDRAWN: unique symbol = Symbol('withdrawn');
const TURNED_OFF: CacheAnswer = { answer: 'withdrawn', cached: false };

export interface AdmittedCall {
  readonly tool: ToolDefinition;
  readonly executor: ToolExecutor;
  readonly context: ToolContext;
  /** The agent and those it acts for, whose limits count the call. @default the context's */
  readonly agentIds?: readonly string[];
  /** Called immediately before the tool runs; returns whether it still may. */
  readonly mayRun: () => boolean;
  readonly availableTools?: ToolCall['availableTools'];
  /** Marks the result as data for a model, last of all. @default the result stays as it is */
  readonly mark?: (result: ToolResult) => ToolResult;
  /** Makes the result small enough for a model. @default the result stays whole */
  readonly shorten?: (output: BoundedOutput, callId: string) => Promise<ShortenedOutput>;
  /** Takes what is known of the call at its end, for the record. @default nothing is recorded */
  readonly trace?: { facts: RunFacts | undefined } | undefined;
}

/** Services that a call passes before and after the tool itself. */
export interface RunnerParts {
  /** @default no limits */
  readonly limits?: CallLimits;
  /** @default results are not redacted */
  readonly redaction?: ResultRedaction | undefined;
  /** @default no result is stored */
  readonly cache?: CachedResults;
}

/** The limits that a call holds and the facts known about it, from the check of its arguments to its end. */
interface Holding {
  held?: HeldLimits | undefined;
  readonly facts: RedactionFacts & { cached?: true };
  given?: RunFacts['given'];
}

/** Runs an admitted tool: checks its arguments, limits its time and its result, and emits `tool.called`. */
export class ToolRunner {
  readonly #maxResultBytes: number;
  /** The calls that wait for their source. */
  readonly queue: SourceQueue;

  constructor(
    private readonly events: ToolEvents,
    given: RunnerOptions = {},
    private readonly reportFault: (tool: string, error: unknown) => void = () => undefined,
    readonly running = new RunningCalls(),
    private readonly parts: RunnerParts = {},
  ) {
    this.#maxResultBytes = withDefaults(runnerOptions, given).maxResultBytes;
    this.queue = new SourceQueue(events, given);
  }

  async run(admitted: AdmittedCall, input: unknown, options: CallOptions = {}): Promise<ToolResult> {
    const { tool, context } = admitted;
    const callId = options.callId ?? randomUUID();
    const started = performance.now();
    const holding: Holding = { facts: {} };
    const ended = await this.#run(admitted, input, options, callId, holding);
    const result = admitted.mark?.(ended) ?? ended;
    // Before the caller has the result: its next call must find what this one gives back.
    await holding.held?.end(result);
    if (admitted.trace) {
      const { facts, given } = holding;
      admitted.trace.facts = { callId, cached: facts.cached === true, ...(given && { given }) };
    }
    this.events.emit({
      type: 'tool.called',
      ...eventIds(context),
      callId,
      tool: tool.name,
      outcome: result.ok ? 'ok' : result.code,
      ms: performance.now() - started,
      ...holding.facts,
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
    { tool, executor, context, agentIds, mayRun, availableTools, shorten }: AdmittedCall,
    input: unknown,
    options: CallOptions,
    callId: string,
    holding: Holding,
  ): Promise<ToolResult> {
    const { cache } = this.parts;
    let dispatched = false;
    let isPassedOn = false;
    let ended = false;
    const deadline = new Deadline(executor.timeoutMs, options.signal);
    const { signal } = deadline;
    const redaction = this.parts.redaction?.of(tool.name, signal, holding.facts);
    const end = this.running.add({ tool, tenantId: context.tenantId, deadline });
    const call: ToolCall = {
      id: callId,
      ...(tool.canary && { canary: true as const }),
      signal,
      deadline: Date.now() + executor.timeoutMs,
      progress: (update) =>
        void (ended || signal.aborted || report(options.onProgress, redaction?.progress(update) ?? update)),
      asks: options.input?.methods ?? [],
      ask: (requests) => askCaller(tool, options.input, requests, deadline),
      // A redactor reads texts only, and a log line may hold anything.
      log: (entry) => void (ended || signal.aborted || redaction || report(options.onLog, entry)),
      ...(availableTools && { availableTools }),
    };
    try {
      // Each call with large arguments waits for a turn of the event loop, so that many of them block it no longer than
      // one.
      if (areLarge(input)) await new TimeSlicer(0, signal).pause();
      const measured = (holding.given = measuredArguments(input));
      const given = measured.value;
      const checked = await abortable(() => checkedInput(executor, given), signal);
      if ('ok' in checked) return checked;
      const held = (holding.held = this.parts.limits?.of({ tool, context, agentIds }, executor.timeoutMs));
      const taking = held?.take();
      const refused = taking instanceof Promise ? await abortable(() => taking, signal) : taking;
      if (refused) return refused;
      const fetch = async (own: ToolCall): Promise<FetchedAnswer> => {
        const queued = {
          tool: tool.name,
          source: executor.source,
          context,
          signal: own.signal,
          deadline: own.deadline,
        };
        const answer = await this.queue.run<SourceAnswer | typeof WITHDRAWN>(queued, (waited) => {
          if (waited && !mayRun()) return WITHDRAWN;
          dispatched = true;
          held?.begin();
          const work = () => executor.source.call(executor.localName, checked.value, context, own);
          return cache ? cache.following(tool, executor, context.tenantId, work) : work();
        });
        if (answer === WITHDRAWN) return 'withdrawn';
        const bounded = this.#bounded(answer);
        // With the signal of this fetch, which may outlast its first caller.
        const redactor = this.parts.redaction?.of(tool.name, own.signal, holding.facts);
        const output = redactor ? await redactor.output(bounded, this.#maxResultBytes) : bounded;
        return { output, isError: answer.isError === true };
      };
      const { answer, cached } = await abortable(async () => {
        // The checks take time, and a tool that was withdrawn meanwhile must not run.
        if (!mayRun()) return TURNED_OFF;
        isPassedOn = true;
        if (!cache) return { answer: await fetch(call), cached: false };
        return cache.answer({ tool, executor, context, agentIds, input: given }, call, fetch);
      }, signal);
      if (answer === 'withdrawn') return notAvailable();
      if (cached) {
        holding.facts.cached = true;
        // A stored result counts like a call.
        held?.begin();
      }
      const { isError } = answer;
      if (tool.kind !== undefined && answer.output.truncated) return tooLarge(tool, this.#maxResultBytes);
      const output: ShortenedOutput = (await shorten?.(answer.output, callId)) ?? answer.output;
      if (isError) {
        const said = failure(
          'TOOL_FAILED',
          `${tool.name} reported an error.`,
          'Read its content, correct the call and try again.',
        );
        return { ...said, content: output.content, ...notesOf(output) };
      }
      return succeeded(output);
    } catch (error) {
      if (signal.aborted) return abortFailure(tool, executor, deadline.passed, dispatched);
      if (isToolSearchError(error)) {
        if (error.cause !== undefined) this.reportFault(tool.name, error);
        const failed = failureOf(error);
        // Also the error of another caller's equal call.
        return isPassedOn && redaction ? await redaction.failure(failed) : failed;
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

function report<T>(listener: ((news: T) => void) | undefined, news: T): void {
  try {
    listener?.(news);
  } catch {
    // News are optional: an error in a listener must not fail the call.
  }
}

function succeeded(output: ShortenedOutput): ToolResult {
  const { content, structured, truncated } = output;
  const whole = { ...(structured !== undefined && { structured }), ...(truncated && { truncated }) };
  return { ok: true, content, ...whole, ...notesOf(output) };
}

function notesOf({ handle, note }: ShortenedOutput): Pick<ToolFailure, 'handle' | 'note'> {
  return { ...(handle !== undefined && { handle }), ...(note !== undefined && { note }) };
}
