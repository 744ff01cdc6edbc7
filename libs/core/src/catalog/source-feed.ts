import { Deadline } from '../tool/deadline.js';
import { isToolSearchError, type ToolSearchErrorCode } from '../tool/tool-search.error.js';
import type { ToolEvents } from '../tool/tool-event.js';
import type { ToolSource } from '../tool/tool-source.js';
import { unlessAborted } from '../tool/unless-aborted.js';
import { ingest, type Ingested, type LoadingRule } from './ingest.js';

/** How a source is doing. */
export interface SourceStatus {
  readonly source: string;
  readonly owner: string;
  /** `loading` until the first load ends; `degraded` while the last load failed and the last good tools stay. */
  readonly state: 'loading' | 'ready' | 'degraded';
  readonly tools: number;
  readonly refused: Ingested['refused'];
  /** Code of the last failure, and what it was in words for operators. */
  readonly code?: ToolSearchErrorCode;
  readonly reason?: string;
  /** Epoch milliseconds of the last good load. */
  readonly loadedAt?: number;
}

/** When to try again and how often to reload, in milliseconds. */
export interface FeedTiming {
  /** First wait after a failure; doubles up to `retryMaxMs`. @default 1000 */
  readonly retryMinMs: number;
  /** @default 60000 */
  readonly retryMaxMs: number;
  /** Changes that a source reports are gathered for this long. @default 5000 */
  readonly refreshEveryMs: number;
}

const DEFAULT_LOAD_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 5_000;
const NOTHING: Ingested = { tools: [], refused: [], amended: [] };

/**
 * Keeps one source's last good tools: loads it, watches it, gathers its change reports and tries again after a failure.
 */
export class SourceFeed {
  #ingested = NOTHING;
  #state: SourceStatus['state'] = 'loading';
  #failure: { readonly code: ToolSearchErrorCode; readonly reason: string } | undefined;
  #loadedAt: number | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = 0;
  #lastLoadAt = Number.NEGATIVE_INFINITY;
  #stopWatching: (() => void) | undefined;
  readonly #closed = new AbortController();

  constructor(
    readonly source: ToolSource,
    private readonly loadingOf: LoadingRule,
    private readonly events: ToolEvents,
    private readonly timing: FeedTiming,
    private readonly changed: () => Promise<void>,
  ) {}

  get ingested(): Ingested {
    return this.#ingested;
  }

  get status(): SourceStatus {
    return {
      source: this.source.name,
      owner: this.source.owner ?? '',
      state: this.#state,
      tools: this.#ingested.tools.length,
      refused: this.#ingested.refused,
      ...this.#failure,
      ...(this.#loadedAt === undefined ? {} : { loadedAt: this.#loadedAt }),
    };
  }

  /** Loads now; a load that is already running is followed by one more. Resolves when the newest one has ended. */
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

  async close(): Promise<void> {
    this.#closed.abort();
    clearTimeout(this.#timer);
    this.#stopWatching?.();
    // A source that cannot end its connections must not hold up whoever closes it.
    const patience = new Deadline(CLOSE_TIMEOUT_MS);
    await unlessAborted(() => this.source.close(), patience.signal).catch(() => undefined);
    patience.clear();
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
    this.#lastLoadAt = started;
    const deadline = new Deadline(this.source.loadTimeoutMs ?? DEFAULT_LOAD_TIMEOUT_MS, this.#closed.signal);
    try {
      const declarations = await unlessAborted(() => this.source.load(deadline.signal), deadline.signal);
      if (this.#closed.signal.aborted) return;
      this.#ingested = ingest(this.source, declarations, this.loadingOf);
      this.#stopWatching ??= this.source.watch?.(() => this.#reportChange());
      this.#reportLoaded(performance.now() - started);
      await this.changed();
      this.#state = 'ready';
      this.#failure = undefined;
      this.#failures = 0;
      this.#loadedAt = Date.now();
    } catch (error) {
      if (!this.#closed.signal.aborted) this.#degrade(error);
    } finally {
      deadline.clear();
    }
  }

  #reportLoaded(ms: number): void {
    const { tools, refused, amended } = this.#ingested;
    this.events.emit({
      type: 'source.loaded',
      source: this.source.name,
      tools: tools.length,
      refused: refused.length,
      ms,
    });
    for (const { name, code, reason } of refused) {
      this.events.emit({ type: 'tool.refused', source: this.source.name, tool: name, code, reason });
    }
    for (const { name, reason } of amended) {
      this.events.emit({ type: 'tool.amended', source: this.source.name, tool: name, reason });
    }
  }

  #degrade(error: unknown): void {
    this.#state = 'degraded';
    this.#failure = isToolSearchError(error)
      ? { code: error.code, reason: error.message }
      : { code: 'SOURCE_UNAVAILABLE', reason: 'loading failed' };
    const backOff = Math.min(this.timing.retryMaxMs, this.timing.retryMinMs * 2 ** this.#failures);
    this.#failures += 1;
    // Spread out, so that many sources that failed together do not come back together.
    const retryInMs = Math.round(backOff * (0.75 + Math.random() / 2));
    this.#schedule(retryInMs);
    this.events.emit({ type: 'source.degraded', source: this.source.name, ...this.#failure, retryInMs });
  }

  #reportChange(): void {
    if (this.#closed.signal.aborted) return;
    const now = performance.now();
    const due = Math.max(now, this.#lastLoadAt + this.timing.refreshEveryMs);
    // The source speaks again, so it need not wait for a later retry.
    if (!this.#timer || due < this.#dueAt) this.#schedule(due - now);
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
