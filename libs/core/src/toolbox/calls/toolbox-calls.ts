import { randomUUID } from 'node:crypto';
import type { Caller } from '../../access/tool-gate.js';
import type { CatalogReader } from '../../catalog/catalog-reader.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { failureOf, notAvailable, type ToolResult } from '../../tool/tool-result.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolTracing } from '../../tool/tool-tracing.js';
import type { LearnedQueries } from '../analytics/learned-queries.js';
import type { JsonObject } from '../../json/json.js';
import type { CallRecorder } from '../record/tool-call-records.js';
import type { CallTrace } from '../record/call-trace.js';
import type { ResultRedaction } from '../results/redaction/result-redaction.js';
import type { ShortenedResults } from '../results/shortened-results.js';
import { markedResult, type ResultMarking } from '../results/marking/result-marking.js';
import type { MetaCalls } from '../meta-tools/meta-calls.js';
import type { WrappedCall } from '../meta-tools/meta-tool-spec.js';
import type { Activated, RunTools } from '../runs/run-tools.js';
import type { ShownMode } from '../surface/shown-mode.js';
import type { ToolboxCaller } from '../toolbox-caller.js';
import type { Admission } from './admission.js';
import { measuredArguments } from './argument-bounds.js';
import type { AdmittedCall, CallOptions, ToolRunner } from './tool-runner.js';

export interface CallParts {
  readonly records: CallRecorder;
  readonly runner: ToolRunner;
  /** @default no result is redacted */
  readonly redaction: Pick<ResultRedaction, 'covers'> | undefined;
  /** @default no result is shortened */
  readonly results: ShortenedResults | undefined;
  readonly marking: ResultMarking;
  readonly learned: LearnedQueries;
  readonly reader: CatalogReader;
  /** Logs the cause of a failure, which callers do not receive. */
  readonly reportFault: (tool: string, error: unknown) => void;
  /** Records calls and searches as spans. @default nothing is recorded */
  readonly tracing?: ToolTracing | undefined;
}

/** Replaces names that no tool has: such a name may be any text, and the number of different names is unlimited. */
const UNKNOWN = '(unknown tool)';

/** Calls that a model makes in one toolbox, to tools and meta tools: unwraps, traces, and adapts hints to the model. */
export class ToolboxCalls {
  constructor(
    private readonly parts: CallParts,
    private readonly caller: ToolboxCaller,
    private readonly run: RunTools,
    private readonly admission: Admission,
    private readonly shown: ShownMode,
    private readonly metaCalls: MetaCalls,
  ) {}

  /** Returns a model's errors as failures. Rejects only when the context cannot be created. */
  async call(name: string, input: unknown, options: CallOptions): Promise<ToolResult> {
    const result = await this.#traced(name, input, options);
    if (result.ok || result.hint === undefined) return result;
    const caller = await this.caller.itself();
    try {
      return this.metaCalls.spoken(result, this.shown.last(caller));
    } catch (error) {
      return failureOf(error);
    }
  }

  // Under the tool's canonical name, whichever name the model used.
  async #traced(name: string, input: unknown, options: CallOptions): Promise<ToolResult> {
    const { tracing } = this.parts;
    let meant: WrappedCall;
    try {
      meant = this.metaCalls.unwrapped(name, input, options.naming) ?? { name, input };
    } catch (error) {
      return failureOf(error);
    }
    if (!tracing) return this.#call(meant, options);
    const { tenantId, sessionId } = (await this.caller.itself()).context;
    const callId = options.callId ?? randomUUID();
    const target = this.#targetOf(meant.name, tenantId);
    const traced = { operation: 'execute_tool', target, callId, ...(sessionId && { sessionId }) } as const;
    return tracing.trace(
      traced,
      () => this.#call(meant, { ...options, callId }),
      (result) => (result.ok ? 'ok' : result.code),
    );
  }

  async #call({ name, input }: WrappedCall, options: CallOptions): Promise<ToolResult> {
    const caller = await this.caller.who();
    try {
      if (this.metaCalls.has(name)) {
        return await this.metaCalls.call(name, input, caller, this.shown.last(caller), options);
      }
      const step = () => this.run.shelf(caller.context).step;
      return await this.parts.records.call(caller, step, (trace) =>
        this.#callTool(name, input, caller, options, trace),
      );
    } catch (error) {
      if (!isToolSearchError(error) || error.cause !== undefined) this.parts.reportFault(name, error);
      return failureOf(error);
    }
  }

  /** @throws ToolSearchError `ACTIVATION_LIMIT`, `GATE_CLOSED`, `STORE_UNAVAILABLE`, or a missing approval's code */
  async #callTool(
    name: string,
    input: unknown,
    caller: Caller,
    options: CallOptions,
    trace: CallTrace | undefined,
  ): Promise<ToolResult> {
    this.run.resetSearchStreak(caller);
    const shown = options.naming?.shown;
    const admitted = await this.admission.admitted(name, caller, trace, shown).catch((error: unknown) => {
      noteWaiting(trace, input, error);
      throw error;
    });
    if (!admitted) return notAvailable();
    const { tool } = admitted;
    const { context, agentIds } = caller;
    const refused = await options.confirm?.(tool, input);
    if (refused) return refused;
    this.run.used(caller, tool);
    const activated = tool.loading === 'deferred' ? await this.#activated(tool, caller) : undefined;
    if (activated && activated.overLimit.length > 0) throw this.run.limitError();
    const { runner, learned, marking } = this.parts;
    const availableTools = async () => (await this.caller.view(caller)).tools();
    const isMarked = !options.whole && marking.covers(tool, admitted.executor);
    const shorten = options.whole ? undefined : this.#shortening(tool, caller, isMarked);
    const result = await runner.run(
      {
        ...admitted,
        context,
        agentIds,
        availableTools,
        ...(shorten && { shorten }),
        ...(isMarked && { mark: markedResult }),
        trace,
      },
      input,
      options,
    );
    if (result.handle !== undefined) await this.run.heldResult(caller, this.shown.last(caller));
    const query = result.ok && learned.isOn ? this.run.shelf(context).searchThatFound(tool.name) : undefined;
    // Learned in the background, because the call is already complete.
    if (query !== undefined) void learned.learn(context.tenantId, tool, query);
    // The tool has run: its result must not be lost for want of a sentence.
    const note = await this.admission.deprecationNote(tool, caller, shown).catch(() => undefined);
    return receipted(noted(result, note), activated);
  }

  #shortening(tool: ToolDefinition, caller: Caller, isUntrusted: boolean): AdmittedCall['shorten'] {
    const { results } = this.parts;
    if (!results) return undefined;
    const mode = this.shown.last(caller);
    const readOn = (args: JsonObject) => this.metaCalls.readOn(mode, args);
    return (output, callId) => results.shorten(output, { tool, caller, callId, readOn, isUntrusted });
  }

  // An activation only lists a tool and authorizes nothing. If it cannot be written, the admitted call runs anyway.
  async #activated(tool: ToolDefinition, caller: Caller): Promise<Activated | undefined> {
    try {
      return await this.run.activate(caller, [tool], 'first_use');
    } catch (error) {
      if (isToolSearchError(error) && error.code === 'STORE_UNAVAILABLE') return undefined;
      throw error;
    }
  }

  #targetOf(name: unknown, tenantId: string): string {
    if (typeof name !== 'string') return UNKNOWN;
    if (this.metaCalls.has(name)) return name;
    const snapshot = this.parts.reader.current(tenantId);
    const id = snapshot.idOf(name, tenantId);
    return id === undefined ? UNKNOWN : snapshot.at(id).name;
  }
}

const WAITING: ReadonlySet<string> = new Set(['APPROVAL_REQUIRED', 'APPROVAL_PENDING']);

/** Notes the arguments with which a call waits for an approval. */
function noteWaiting(trace: CallTrace | undefined, input: unknown, error: unknown): void {
  if (!trace || !isToolSearchError(error) || !WAITING.has(error.code)) return;
  try {
    trace.waits(measuredArguments(input));
  } catch {
    // No tool would be called with such arguments, and the caller shall hear of the approval.
  }
}

function noted(result: ToolResult, text: string | undefined): ToolResult {
  if (text === undefined) return result;
  return { ...result, note: result.note === undefined ? text : `${result.note}\n${text}` };
}

function receipted(result: ToolResult, outcome: Activated | undefined): ToolResult {
  if (!outcome || outcome.activated.length === 0) return result;
  const { receipt } = outcome;
  return {
    ...result,
    ...(result.ok && { activated: true }),
    // A tool stays activated when its call fails.
    ...(receipt !== undefined && { receipt }),
  };
}
