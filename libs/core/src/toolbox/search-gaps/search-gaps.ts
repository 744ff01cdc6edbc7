import { flag, object, type OptionsOf, type SettingsOf, whole } from '../../options/options.js';
import { truncated } from '../../json/safe-text.js';
import { sweepOlder } from '../../activation/sweep-in-batches.js';
import { redactedText } from '../../catalog/ingest/secret-shapes.js';
import {
  addedGaps,
  type GapCounts,
  type GapEntry,
  type GapFilter,
  type GapKind,
  type GapQuery,
  type GapQueryEntry,
  NO_GAPS,
  type SearchGapStore,
  type TenantGaps,
} from './search-gap-store.js';
import { BatchedCounts } from '../../collections/batched-counts.js';
import { TenantFairLru } from '../../collections/tenant-fair-lru.js';
import { type ToolContext, eventIds } from '../../tool/tool-context.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { guardStore } from '../../tool/store-guard.js';
import { LOOP_AT, type OpenSearch, RunSearches } from './run-searches.js';
import type { Found } from '../search/tool-finder.js';

export const searchGapOptions = object({
  /** Keep the texts of gap queries, shortened and with credentials redacted. @default false (counts only) */
  keepQueries: flag().default(false),
  /** Milliseconds for which counts and query texts are kept; 0 = no limit. @default 2592000000 (30 days) */
  ttlMs: whole(0, 31_536_000_000).default(2_592_000_000),
});

export interface SearchGapOptions extends OptionsOf<typeof searchGapOptions> {}

export const searchGapTuning = object({
  /** Maximum number of queries kept per tenant. @default 500 */
  maxQueries: whole(1, 100_000).default(500),
  /** Milliseconds without a search or call after which a run counts as ended. @default 600000 (10 min) */
  idleMs: whole(1000, 86_400_000).default(600_000),
  /** Milliseconds between two writes to the store. @default 5000 */
  flushEveryMs: whole(10, 3_600_000).default(5000),
});

export interface SearchGapTuning extends OptionsOf<typeof searchGapTuning> {}

export const searchGapSchema = object({ ...searchGapOptions.shape, ...searchGapTuning.shape });

const HOUR_MS = 3_600_000;
const MAX_QUERY_CHARS = 200;
const MAX_RUNS = 10_000;
const SWEEP_BATCH = 500;

type Principal = ReturnType<typeof eventIds>;

interface WatchedRun {
  readonly principal: Principal;
  readonly searches: RunSearches;
  readonly touchedAt: number;
}

/**
 * Search-gap analytics: searches without a fitting tool, searches whose hits are never called, and runs that search in
 * a loop. Counts are per tenant; query texts are stored only with `keepQueries`. A run that is still open when the
 * process ends, or that is evicted because there are too many runs, is not counted: its outcome is unknown.
 */
export class SearchGaps {
  readonly #counts: BatchedCounts<GapEntry>;
  readonly #queries: BatchedCounts<GapQueryEntry>;
  readonly #runs = new TenantFairLru<WatchedRun>(MAX_RUNS);
  readonly #keys = new WeakMap<object, string>();
  #lastKey = 0;

  constructor(
    private readonly store: SearchGapStore,
    private readonly events: ToolEvents,
    private readonly settings: SettingsOf<typeof searchGapSchema>,
    onFault: (error: unknown) => void = () => undefined,
    private readonly now: () => number = Date.now,
  ) {
    this.#counts = new BatchedCounts<GapEntry>({
      keyOf: ({ hour }) => `${hour}`,
      merge: (left, right) => ({ ...left, ...addedGaps(left, right) }),
      write: (entries) => this.store.add(entries),
      onFault,
    });
    this.#queries = new BatchedCounts<GapQueryEntry>({
      keyOf: ({ kind, query }) => JSON.stringify([kind, query]),
      merge: (left, right) => ({ ...right, uses: left.uses + right.uses }),
      write: (entries) => this.store.addQueries(entries, this.settings.maxQueries),
      onFault,
    });
  }

  /**
   * The searches of the run, or of the session where the context has no run id.
   *
   * @param run identifies the run where the context has neither a run id nor a session id
   */
  of(run: object, context: ToolContext): RunSearches {
    const { tenantId } = context;
    const key = this.#keyOf(run, context);
    const searches = this.#runs.get(tenantId, key)?.searches ?? new RunSearches();
    this.#runs.set(tenantId, key, { principal: eventIds(context), searches, touchedAt: this.now() });
    return searches;
  }

  /**
   * Counts a completed search.
   *
   * @param inRow number of searches the run has made in a row
   * @param isRepeated whether every query without good hits had been searched before, also without good hits
   */
  answered(searches: RunSearches, context: ToolContext, found: Found, inRow: number, isRepeated: boolean): void {
    const { searchId, verdict, request, answers } = found;
    const principal = eventIds(context);
    const { queries } = request;
    this.#count(principal.tenantId, { searches: 1 });
    if (verdict === 'none') this.#gap('zero_hit', principal, { searchId, queries });
    if ((inRow >= LOOP_AT || (verdict !== 'found' && isRepeated)) && searches.loops()) {
      this.#gap('looped', principal, { searchId, queries });
    }
    const names = new Set(answers.flatMap((answer) => answer.names));
    const displaced = searches.found({ searchId, queries, found: names });
    if (displaced) this.#gap('unused', principal, displaced);
  }

  /** Records that a run did something other than searching, successful or not. */
  resetSearchStreak(run: object, context: ToolContext): void {
    this.#known(run, context)?.searches.resetSearchStreak();
  }

  /** Records that a run calls a tool. */
  used(run: object, context: ToolContext, tool: string): void {
    this.#known(run, context)?.searches.used(tool);
  }

  /** Closes the runs that were idle for longer than `idleMs` and counts their unused searches. */
  closeIdle(): void {
    const before = this.now() - this.settings.idleMs;
    for (const [tenant, key, { principal, searches, touchedAt }] of this.#runs.entries()) {
      if (touchedAt >= before) continue;
      this.#runs.delete(tenant, key);
      for (const search of searches.close()) this.#gap('unused', principal, search);
    }
  }

  /**
   * Counts per tenant, after the tenant `page.after`. Includes the counts of other instances up to their last write.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async totals(
    filter: GapFilter = {},
    page: { readonly limit: number; readonly after?: string } = { limit: 200 },
  ): Promise<readonly TenantGaps[]> {
    await this.#counts.flush();
    const { since } = filter;
    const hourly = since === undefined ? filter : { ...filter, since: since - (since % HOUR_MS) };
    return guarded(() => this.store.sums(hourly, page));
  }

  /**
   * A tenant's query texts, most frequent first; empty without `keepQueries`. @throws ToolSearchError
   * `STORE_UNAVAILABLE`
   */
  async queries(tenantId: string, kind?: GapKind): Promise<readonly GapQuery[]> {
    await this.#queries.flush();
    return guarded(() => this.store.queries(tenantId, kind));
  }

  /** Deletes counts and query texts of a tenant, or of all tenants. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async reset(tenantId?: string): Promise<number> {
    // Flush first: pending counts would otherwise be written after the reset.
    await Promise.all([this.#counts.flush(), this.#queries.flush()]);
    return guarded(() => this.store.reset(tenantId));
  }

  /** Starts the periodic writes, the closing of idle runs and the hourly cleanup. */
  start(): void {
    const every = this.settings.flushEveryMs;
    this.#counts.start(
      every,
      () => this.closeIdle(),
      () => this.sweep(),
    );
    this.#queries.start(every);
  }

  /** Writes the pending counts a last time. Never rejects. */
  async stop(): Promise<void> {
    await Promise.all([this.#counts.stop(), this.#queries.stop()]);
  }

  /** Deletes records older than `ttlMs`. Returns the number deleted. */
  sweep(): Promise<number> {
    return guarded(() => sweepOlder(this.store, SWEEP_BATCH, this.settings.ttlMs, this.now()));
  }

  #gap(kind: GapKind, principal: Principal, { searchId, queries }: Pick<OpenSearch, 'searchId' | 'queries'>): void {
    const { tenantId } = principal;
    this.#count(tenantId, COUNT_OF[kind]);
    this.events.emit({ type: 'search.gap_found', ...principal, kind, searchId });
    if (!this.settings.keepQueries) return;
    for (const query of new Set(queries.map(keptWords))) {
      this.#queries.add({ tenantId, kind, query, uses: 1, lastUsedAt: this.now() });
    }
  }

  #count(tenantId: string, counts: Partial<GapCounts>): void {
    const now = this.now();
    this.#counts.add({ tenantId, hour: now - (now % HOUR_MS), ...NO_GAPS, ...counts });
  }

  #known(run: object, context: ToolContext): WatchedRun | undefined {
    const { tenantId } = context;
    const key = this.#keyOf(run, context);
    const known = this.#runs.get(tenantId, key);
    if (known) this.#runs.set(tenantId, key, { ...known, touchedAt: this.now() });
    return known;
  }

  #keyOf(run: object, { userId = '', runId, sessionId }: ToolContext): string {
    if (runId !== undefined) return JSON.stringify(['run', userId, runId]);
    if (sessionId !== undefined) return JSON.stringify(['session', userId, sessionId]);
    const key = this.#keys.get(run) ?? `${++this.#lastKey}`;
    this.#keys.set(run, key);
    return key;
  }
}

const COUNT_OF: Record<GapKind, Partial<GapCounts>> = {
  zero_hit: { zeroHits: 1 },
  unused: { unused: 1 },
  looped: { loops: 1 },
};

/** The query text as stored: one space between words, credentials redacted, at most 200 characters. */
function keptWords(query: string): string {
  const text = redactedText(query).replace(/\s+/g, ' ').trim();
  return truncated(text, MAX_QUERY_CHARS);
}

function guarded<T>(work: () => Promise<T>): Promise<T> {
  return guardStore('Search gaps', work);
}
