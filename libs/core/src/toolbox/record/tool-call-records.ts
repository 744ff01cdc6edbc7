import { sweepInBatches } from '../../activation/sweep-in-batches.js';
import type { Caller } from '../../access/tool-gate.js';
import { guardStore } from '../../tool/store-guard.js';
import type { DefinitionTokens } from '../../tool/token-count.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ToolResult } from '../../tool/tool-result.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ResultRedaction } from '../results/redaction/result-redaction.js';
import { type CallFilter, type CallKind, type CallRecord, type CallSum } from './call-record.js';
import { CallOverview } from './overview/call-overview.js';
import type { CallOverviewAnswer, OverviewQuestion } from './overview/overview-answer.js';
import { CallTrace, startOf } from './call-trace.js';
import { CompletionRecords } from './completion-records.js';
import { RecordBuffer } from './record-buffer.js';
import { RecordIds } from './record-ids.js';
import type { RecordSettings } from './record-options.js';
import { RecordedContent } from './recorded-content.js';
import { RecordedTokens } from './recorded-tokens.js';
import { type CostQuestion, type TokenCosts, tokenCosts } from './token-costs.js';
import { type CallPage, ToolCallStore } from './tool-call-store.js';

export interface RecordParts {
  readonly store: ToolCallStore;
  readonly events: ToolEvents;
  /** The revision of the operators' decisions that this process applies. */
  readonly controlRevision: () => number;
  /** Hash of the application's own policy for a tenant. */
  readonly policyHash: (tenantId: string) => string;
  readonly redaction: ResultRedaction | undefined;
  /** Counts the tokens of definitions and results. */
  readonly tokens: Pick<DefinitionTokens, 'of' | 'count'>;
  /** Erases what is kept of the same calls elsewhere. @default nothing is */
  readonly eraseBeside?:
    ((whose: { readonly tenantId: string; readonly userId?: string }) => Promise<unknown>) | undefined;
  readonly onFault?: ((error: unknown) => void) | undefined;
  readonly now?: (() => number) | undefined;
}

type NotedKind = Exclude<CallKind, 'call' | 'admitted' | 'completed'>;

export interface RecordNote {
  /** How many surfaces the run was shown. */
  readonly step: number;
  readonly tools: readonly string[];
  readonly reason?: string;
  /** The definitions of `tools`, in their order, if their tokens are counted. */
  readonly definitions?: readonly ToolDefinition[];
}

/** Where the parts of a toolbox report to the record. Implemented by {@link ToolCallRecords}. */
export interface CallRecorder {
  /**
   * Runs a call and records how it ended.
   *
   * @param step how many surfaces the run was shown
   */
  call(caller: Caller, step: () => number, work: (trace?: CallTrace) => Promise<ToolResult>): Promise<ToolResult>;
  /** Like {@link call}, for the admission of work that the application does itself. It is refused by an error. */
  admission<T>(caller: Caller, step: () => number, work: (trace?: CallTrace) => Promise<T>): Promise<T>;
  /** Like {@link admission}, for suggestions: one record for all of a user and item within a minute. */
  completion<T>(caller: Caller, step: () => number, work: (trace?: CallTrace) => Promise<T>): Promise<T>;
  /** Records what a model was shown or found. Must not throw. */
  note(kind: NotedKind, caller: Caller, note: RecordNote): void;
}

const MAX_NAMES = 200;
const MAX_PAGE = 201;
const PAGE = 200;
const SWEEP_BATCH = 500;
const HOUR_MS = 3_600_000;

/**
 * The record: what models were shown and did, and every decision about a call, with who, when and why. A call only
 * appends an object to a buffer in memory; batches are written in the background.
 */
export class ToolCallRecords implements CallRecorder {
  readonly #content: RecordedContent;
  readonly #tokens: RecordedTokens;
  readonly #buffer: RecordBuffer;
  readonly #completed = new CompletionRecords((record) => this.#buffer.push(record));
  readonly #ids = new RecordIds();
  readonly #now: () => number;
  readonly #overview: CallOverview;
  #writtenSinceSweep = 0;
  #sweptAt = performance.now();
  #sweeping: Promise<number> | undefined;

  /** @throws ToolSearchError `INVALID_CONFIGURATION` */
  constructor(
    private readonly parts: RecordParts,
    private readonly settings: RecordSettings,
  ) {
    this.#content = new RecordedContent(settings, parts.redaction);
    this.#tokens = new RecordedTokens(parts.tokens, parts.onFault);
    this.#now = parts.now ?? Date.now;
    this.#overview = new CallOverview((filter, spanMs) => guarded(() => parts.store.groups(filter, spanMs)), this.#now);
    this.#buffer = new RecordBuffer({
      store: parts.store,
      onFault: parts.onFault ?? (() => undefined),
      onLost: (records) => parts.events.emit({ type: 'record.lost', records }),
      onWritten: (records) => this.#written(records),
    });
  }

  /** Whether calls are recorded. */
  get isOn(): boolean {
    return this.settings.isOn;
  }

  async call(
    caller: Caller,
    step: () => number,
    work: (trace?: CallTrace) => Promise<ToolResult>,
  ): Promise<ToolResult> {
    if (!this.isOn) return work();
    const trace = this.#trace('call', caller, step());
    try {
      return trace.ended(await work(trace));
    } catch (error) {
      trace.failed(error);
      throw error;
    }
  }

  async admission<T>(caller: Caller, step: () => number, work: (trace?: CallTrace) => Promise<T>): Promise<T> {
    return this.#admission('admitted', caller, step, work);
  }

  async completion<T>(caller: Caller, step: () => number, work: (trace?: CallTrace) => Promise<T>): Promise<T> {
    return this.#admission('completed', caller, step, work);
  }

  note(kind: NotedKind, caller: Caller, { step, tools, reason = '', definitions = [] }: RecordNote): void {
    if (!this.isOn) return;
    const at = this.#now();
    const { tenantId } = caller.context;
    this.#buffer.push({
      id: this.#ids.next(at),
      at,
      ...startOf(kind, caller, step),
      ...NO_CALL,
      reason,
      controlRevision: this.parts.controlRevision(),
      policyHash: this.parts.policyHash(tenantId),
      tools: tools.slice(0, MAX_NAMES),
      toolCount: tools.length,
      ...this.#tokens.ofShown(definitions.slice(0, MAX_NAMES)),
    });
  }

  /** Whether the arguments of a tool are recorded. */
  recordsArguments(tool: string): boolean {
    return this.isOn && this.#content.takesArguments(tool);
  }

  /** Matching records, the newest first unless the page says otherwise; at most 201. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async list(filter: CallFilter, { limit, ...page }: CallPage): Promise<readonly CallRecord[]> {
    await this.#flush();
    return guarded(() => this.parts.store.list(filter, { ...page, limit: Math.min(limit, MAX_PAGE) }));
  }

  /** All matching records, the oldest first, read in pages of 200. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async *entries(filter: CallFilter): AsyncGenerator<CallRecord> {
    for (let after: string | undefined; ;) {
      const records = await this.list(filter, { limit: PAGE, oldestFirst: true, ...(after && { after }) });
      yield* records;
      after = records.at(-1)?.id;
      if (records.length < PAGE) return;
    }
  }

  /** Counts of calls by hour, layer, decision and outcome. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async sums(filter: CallFilter): Promise<readonly CallSum[]> {
    await this.#flush();
    return guarded(() => this.parts.store.sums(filter));
  }

  /**
   * How the calls of a period went, by time, layer, part of the catalog and tenant. Hours that are over are read once.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async overview(question: OverviewQuestion): Promise<CallOverviewAnswer> {
    await this.#flush();
    return this.#overview.of(question);
  }

  /**
   * The tools or tenants whose definitions and results cost most tokens, in the newest records.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  costs(question: CostQuestion = {}): Promise<TokenCosts> {
    return tokenCosts(this, question);
  }

  /**
   * Deletes the records of a tenant, or of one of its users, and the arguments of calls that wait for an approval. Returns
   * how many records.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async erase(whose: { readonly tenantId: string; readonly userId?: string }): Promise<number> {
    const { tenantId, userId } = whose;
    await this.parts.eraseBeside?.(whose);
    this.#completed.end();
    // Otherwise records whose write failed would be written after the others were deleted.
    this.#buffer.discard((one) => one.tenantId === tenantId && (userId === undefined || one.userId === userId));
    await this.#buffer.flush();
    const removed = await guarded(() => sweepInBatches(SWEEP_BATCH, () => this.parts.store.erase(whose, SWEEP_BATCH)));
    this.#overview.clear();
    return removed;
  }

  /** Deletes records that are too old or too many. Returns how many. @throws ToolSearchError `STORE_UNAVAILABLE` */
  sweep(): Promise<number> {
    const { ttlMs, maxRecords } = this.settings;
    const before = ttlMs === 0 ? 0 : this.#now() - ttlMs;
    const batch = () => this.parts.store.sweep({ before, keep: maxRecords }, SWEEP_BATCH);
    this.#sweeping ??= guarded(() => sweepInBatches(SWEEP_BATCH, batch)).finally(() => (this.#sweeping = undefined));
    return this.#sweeping;
  }

  /** Starts to write records periodically, and to delete old ones: every hour, and after a twentieth of `maxRecords`. */
  start(): void {
    if (!this.isOn) return;
    this.#buffer.start(this.settings.flushEveryMs);
    this.#completed.start(this.#now);
  }

  /** Writes what waits. Records that come later are written at once. Never rejects. */
  async stop(): Promise<void> {
    this.#completed.stop();
    await this.#buffer.stop();
    await this.#sweeping?.catch(() => 0);
  }

  async #admission<T>(
    kind: 'admitted' | 'completed',
    caller: Caller,
    step: () => number,
    work: (trace?: CallTrace) => Promise<T>,
  ): Promise<T> {
    if (!this.isOn) return work();
    const trace = this.#trace(kind, caller, step());
    try {
      const admitted = await work(trace);
      trace.ended({ ok: true, content: [] });
      return admitted;
    } catch (error) {
      trace.failed(error);
      throw error;
    }
  }

  #trace(kind: Exclude<CallKind, NotedKind>, caller: Caller, step: number): CallTrace {
    const at = this.#now();
    const { controlRevision } = this.parts;
    const ended = (trace: CallTrace, result: ToolResult) => this.#ended(trace, result);
    return new CallTrace(this.#ids.next(at), at, startOf(kind, caller, step), controlRevision, ended);
  }

  #ended(trace: CallTrace, result: ToolResult): void {
    const record = trace.recordOf(result);
    const { tool, tenantId, kind } = record;
    const policyHash = this.parts.policyHash(tenantId);
    if (kind === 'completed') return this.#completed.add({ ...record, policyHash }, this.#now());
    const { given } = trace;
    const tokens = kind === 'call' && trace.hasRun ? this.#tokens.ofResult(record, result) : {};
    this.#buffer.push(
      { ...record, policyHash, ...tokens, ...this.#content.resultOf(tool, result) },
      given && this.#content.argumentsOf(tool, given.value),
    );
  }

  #flush(): Promise<void> {
    this.#completed.end();
    return this.#buffer.flush();
  }

  #written(records: number): void {
    this.#writtenSinceSweep += records;
    const isDue = this.#writtenSinceSweep >= this.settings.maxRecords / 20;
    if (this.#sweeping || (!isDue && performance.now() - this.#sweptAt < HOUR_MS)) return;
    this.#writtenSinceSweep = 0;
    this.#sweptAt = performance.now();
    // If it fails, the next one tries again.
    this.sweep().catch(() => 0);
  }
}

const NO_CALL = {
  callId: '',
  tool: '',
  definitionHash: '',
  decision: 'allow',
  layer: 'approval',
  rule: 'default',
  outcome: 'ok',
  catalogRevision: 0,
  ms: 0,
  argumentBytes: 0,
  resultBytes: 0,
  cached: false,
} as const;

function guarded<T>(work: () => Promise<T>): Promise<T> {
  return guardStore('Records of calls', work);
}
