import { Deadline, withDeadline } from '../../async/deadline.js';
import { isToolSearchError, type ToolSearchErrorCode } from '../../tool/tool-search.error.js';
import type { ExposedKind, ToolFinding } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ToolSource } from '../../tool/tool-source.js';
import { type Ingested, NOTHING_INGESTED } from '../ingest/ingest.js';
import type { SourceLoader } from './source-loader.js';
import { LoadBudget } from './load-budget.js';
import { printed } from '../ingest/printed.js';
import { SourceReports } from './source-reports.js';

/** All states of a source. */
export const SOURCE_STATES = ['loading', 'ready', 'degraded'] as const;

/** The state of one source. */
export interface SourceStatus {
  readonly source: string;
  readonly owner: string;
  /**
   * `loading` until the first load ends; `degraded` while the last load failed and the last good tools stay, or listed
   * only a part of the tools.
   */
  readonly state: (typeof SOURCE_STATES)[number];
  /** Number of its tools and context items. */
  readonly tools: number;
  /** The kinds of context items that it may have; `logging` if its tools log for their callers, `apps` if they may have pages. */
  readonly exposes: readonly ExposedKind[];
  readonly refused: Ingested['refused'];
  /** Tools that were accepted after a part of them was changed, and what was changed. */
  readonly amended: Ingested['amended'];
  /** Number of suspicious tools: in quarantine unless an operator approved them. */
  readonly held: number;
  /** Tools that are usable although the inspector suspects them, until an operator decides. */
  readonly reported: readonly ReportedTool[];
  /** Code of the last failure; `reason` describes it for operators. */
  readonly code?: ToolSearchErrorCode;
  readonly reason?: string;
  /** What an operator should know of the last load although nothing failed. */
  readonly hint?: string;
  /** Epoch milliseconds. Until then it is not loaded for changes, because it changes more than its budget allows. */
  readonly throttledUntil?: number;
  /** Epoch milliseconds of the last successful load. */
  readonly loadedAt?: number;
}

/** A tool that an operator should look at, and why. */
export interface ReportedTool extends ToolFinding {
  readonly name: string;
}

export interface FeedTiming {
  /** First delay after a failure; doubles up to `retryMaxMs`. @default 1000 */
  readonly retryMinMs: number;
  /** @default 60000 */
  readonly retryMaxMs: number;
  /** Minimum interval between loads for reported changes; changes within it share one load. @default 5000 */
  readonly refreshEveryMs: number;
}

// One reason for all: an abort without one makes a DOMException with a stack, each time a tenant leaves.
const CLOSED = new Error('the source has been closed');
const DEFAULT_LOAD_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 5_000;
const MAX_HINT = 500;
/** If the first load takes longer, the tools stored at the last run are used in the meantime. */
const REMEMBER_AFTER_MS = 2_000;

/** Keeps one source's last good tools: loads and watches it, combines its change reports, retries after failures. */
export class SourceFeed {
  #ingested = NOTHING_INGESTED;
  #held = 0;
  #reported: readonly ReportedTool[] = [];
  #isStarted = false;
  #state: SourceStatus['state'] = 'loading';
  #failure: { readonly code: ToolSearchErrorCode; readonly reason: string } | undefined;
  #hint: string | undefined;
  #loadedAt: number | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #failures = 0;
  #downSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = 0;
  #throttledUntil = 0;
  #lastLoadAt = Number.NEGATIVE_INFINITY;
  #lastLoadEndedAt = Number.NEGATIVE_INFINITY;
  /** When the next attempt was due before a load that was asked for. */
  #retryAt: number | undefined;
  #stopWatching: (() => void) | undefined;
  readonly #closed = new AbortController();
  readonly #reports: SourceReports;
  readonly #budget: LoadBudget;

  constructor(
    readonly loader: SourceLoader,
    private readonly events: ToolEvents,
    private readonly timing: FeedTiming,
    private readonly changed: () => Promise<void>,
  ) {
    this.#reports = new SourceReports(loader.source, events);
    this.#budget = new LoadBudget(loader.limits.changedCharsPerMinute);
  }

  get source(): ToolSource {
    return this.loader.source;
  }

  get ingested(): Ingested {
    return this.#ingested;
  }

  get status(): SourceStatus {
    return {
      source: this.source.name,
      owner: this.source.owner ?? '',
      state: this.#state,
      tools: this.#ingested.tools.length,
      exposes: this.source.exposes ?? [],
      refused: this.#ingested.refused,
      amended: this.#ingested.amended,
      held: this.#held,
      reported: this.#reported,
      ...this.#failure,
      ...(this.#hint !== undefined && { hint: this.#hint }),
      ...(this.#throttledUntil > Date.now() && { throttledUntil: this.#throttledUntil }),
      ...(this.#loadedAt === undefined ? {} : { loadedAt: this.#loadedAt }),
    };
  }

  /** Loads now. If a load is running, one more follows it. Resolves when the last one has ended. */
  load(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#loadUntilCurrent().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Milliseconds until {@link reload} loads again; 0 = now, or a load is running. */
  get reloadWaitMs(): number {
    if (this.#running) return 0;
    const sinceLoad = performance.now() - this.#lastLoadEndedAt;
    return Math.max(0, this.#budget.waitMs, this.timing.refreshEveryMs - sinceLoad);
  }

  /**
   * Loads because somebody asks for it: shares the load that is running, and does nothing where {@link reloadWaitMs} is not 0.
   * If it fails, the next attempt is no later than it would have been.
   */
  async reload(): Promise<void> {
    if (this.#running) return this.#running;
    if (this.reloadWaitMs > 0) return;
    this.#retryAt = this.#state === 'degraded' && this.#timer ? this.#dueAt : undefined;
    await this.load();
  }

  async close(): Promise<void> {
    this.#closed.abort(CLOSED);
    clearTimeout(this.#timer);
    this.#stopWatching?.();
    // A source that cannot close its connections must not block the caller.
    await withDeadline(CLOSE_TIMEOUT_MS, () => this.source.close()).catch(() => undefined);
  }

  async #loadUntilCurrent(): Promise<void> {
    do {
      this.#again = false;
      await this.#loadOnce();
    } while (this.#again && !this.#closed.signal.aborted);
  }

  async #loadOnce(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const started = performance.now();
    const deadline = new Deadline(this.source.loadTimeoutMs ?? DEFAULT_LOAD_TIMEOUT_MS, this.#closed.signal);
    const patience = this.#rememberMeanwhile();
    try {
      if (await this.#startLazily(started)) return;
      this.#lastLoadAt = started;
      const ingested = await this.loader.load(deadline.signal, this.#closed.signal);
      if (this.#closed.signal.aborted) return;
      await this.#take(ingested, started);
    } catch (error) {
      await this.#rememberIfNew().catch(() => undefined);
      if (!this.#closed.signal.aborted) this.#degrade(error, deadline.passed);
    } finally {
      clearTimeout(patience);
      deadline.clear();
      this.#lastLoadEndedAt = performance.now();
      this.#retryAt = undefined;
    }
  }

  async #take(ingested: Ingested, started: number): Promise<void> {
    const before = this.#isStarted ? this.#ingested : undefined;
    this.#keep(ingested);
    this.#isStarted = true;
    this.#stopWatching ??= this.source.watch?.(() => this.#reportChange());
    this.#reports.loaded(ingested, performance.now() - started);
    if (before) {
      this.#reports.changed(before, ingested);
      this.#budget.spend(ingested.chars);
    }
    await this.changed();
    const incomplete = this.source.incomplete?.();
    if (incomplete) this.#degrade(incomplete, false);
    else this.#becomeReady();
    const hint = this.source.hint?.();
    this.#hint = hint === undefined ? undefined : printed(hint, MAX_HINT);
    this.#loadedAt = Date.now();
  }

  /** A lazy source starts with its stored tools, if it was ever registered. */
  async #startLazily(started: number): Promise<boolean> {
    if (!this.source.lazy || this.#isStarted || !(await this.#rememberIfNew())) return false;
    this.#stopWatching ??= this.source.watch?.(() => this.#reportChange());
    this.#reports.loaded(this.#ingested, performance.now() - started);
    this.#becomeReady();
    return true;
  }

  #rememberMeanwhile(): NodeJS.Timeout | undefined {
    if (this.#isStarted || this.source.lazy || !this.loader.isRemembered) return undefined;
    return setTimeout(() => void this.#rememberIfNew().catch(() => undefined), REMEMBER_AFTER_MS).unref();
  }

  async #rememberIfNew(): Promise<boolean> {
    const isWanted = () => !this.#isStarted && !this.#closed.signal.aborted;
    if (!isWanted()) return false;
    const remembered = await this.loader.remembered(isWanted);
    if (!remembered || !isWanted()) return false;
    this.#keep(remembered);
    this.#isStarted = true;
    this.#reports.judged(remembered);
    await this.changed();
    return true;
  }

  // Counted once: every new tenant reads the status of the shared sources.
  #keep(ingested: Ingested): void {
    this.#ingested = ingested;
    this.#held = ingested.tools.filter(({ definition }) => definition.suspicion !== undefined).length;
    this.#reported = reportedTools(ingested);
  }

  #becomeReady(): void {
    this.#state = 'ready';
    this.#failure = undefined;
    this.#failures = 0;
    if (this.#downSince === undefined) return;
    this.#reports.recovered(performance.now() - this.#downSince);
    this.#downSince = undefined;
  }

  #degrade(error: unknown, wasLate: boolean): void {
    this.#state = 'degraded';
    this.#downSince ??= performance.now();
    this.#failure = this.#failureOf(error, wasLate);
    const retryInMs = this.#retryInMs();
    this.#schedule(retryInMs);
    this.events.emit({ type: 'source.degraded', source: this.source.name, ...this.#failure, retryInMs });
  }

  #retryInMs(): number {
    const { retryMinMs, retryMaxMs } = this.timing;
    if (this.#retryAt !== undefined) return Math.round(Math.max(retryMinMs, this.#retryAt - performance.now()));
    const backOff = Math.min(retryMaxMs, retryMinMs * 2 ** this.#failures);
    this.#failures += 1;
    // Random jitter of 25 %, so that sources that failed together do not retry together.
    return Math.round(backOff * (0.75 + Math.random() / 2));
  }

  #failureOf(error: unknown, wasLate: boolean): { readonly code: ToolSearchErrorCode; readonly reason: string } {
    if (isToolSearchError(error)) {
      const { code, message, hint } = error;
      return { code, reason: hint === undefined ? message : `${message} ${hint}` };
    }
    const ms = this.source.loadTimeoutMs ?? DEFAULT_LOAD_TIMEOUT_MS;
    const reason = wasLate ? `loading took longer than ${ms} ms (loadTimeoutMs)` : 'loading failed';
    return { code: 'SOURCE_UNAVAILABLE', reason };
  }

  #reportChange(): void {
    if (this.#closed.signal.aborted) return;
    const now = performance.now();
    const { waitMs, spent } = this.#budget;
    const due = Math.max(now + waitMs, this.#lastLoadAt + this.timing.refreshEveryMs);
    if (waitMs > 0) this.#throttled(waitMs, spent);
    // The source responds again, so it need not wait for a later retry.
    if (!this.#timer || due < this.#dueAt) this.#schedule(due - now);
  }

  /** Emits one event per waiting period. */
  #throttled(waitMs: number, chars: number): void {
    if (this.#throttledUntil > Date.now()) return;
    this.#throttledUntil = Date.now() + waitMs;
    this.events.emit({ type: 'source.throttled', source: this.source.name, chars, waitMs });
  }

  #schedule(inMs: number): void {
    clearTimeout(this.#timer);
    this.#dueAt = performance.now() + inMs;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.load();
    }, inMs);
    this.#timer.unref();
  }
}

export function reportedTools({ tools }: Ingested): readonly ReportedTool[] {
  return tools.flatMap(({ definition: { name, finding } }) => (finding ? [{ name, ...finding }] : []));
}
