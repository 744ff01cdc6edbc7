import { sweepInBatches } from '../../activation/sweep-in-batches.js';
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
} from '../../search/gaps/search-gap-store.js';
import { BatchedCounts } from '../../collections/batched-counts.js';
import { FairMap } from '../../collections/fair-map.js';
import { principalOf } from '../../tool/principal.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { LOOP_AT, type OpenSearch, RunSearches } from '../runs/run-searches.js';
import type { Found } from '../search/tool-finder.js';

/** Settings of search-gap analytics. */
export interface SearchGapOptions {
  /** Keep the words of searches that were a gap, shortened and without credentials. @default false: counts alone */
  readonly keepQueries?: boolean;
  /** Queries kept of one tenant. @default 500 */
  readonly maxQueries?: number;
  /** Milliseconds without a search or call after which a run is over. @default 10 min */
  readonly idleMs?: number;
  /** Milliseconds between two writes to the store. @default 5000 */
  readonly flushEveryMs?: number;
  /** Milliseconds for which counts and words are kept; 0 = for ever. @default 30 days */
  readonly ttlMs?: number;
}

const HOUR_MS = 3_600_000;
const MAX_QUERY_CHARS = 200;
const MAX_RUNS = 10_000;
const SWEEP_BATCH = 500;

type Principal = ReturnType<typeof principalOf>;

interface WatchedRun {
  readonly principal: Principal;
  readonly searches: RunSearches;
  readonly touchedAt: number;
}

/**
 * What searches say about a catalog: those that nothing fits, those whose hits nobody uses, runs that search in circles.
 * Counted by tenant, without words unless the application keeps them. Runs that a process still has open when it ends, or has
 * to forget because there are too many, are not counted: nobody knows how they went on.
 */
export class SearchGaps {
  readonly #counts: BatchedCounts<GapEntry>;
  readonly #queries: BatchedCounts<GapQueryEntry>;
  readonly #runs = new FairMap<WatchedRun>(MAX_RUNS);
  readonly #keys = new WeakMap<object, string>();
  #lastKey = 0;
  #lastSweep = 0;

  constructor(
    private readonly store: SearchGapStore,
    private readonly events: ToolEvents,
    private readonly options: SearchGapOptions = {},
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
      write: (entries) => this.store.addQueries(entries, this.options.maxQueries ?? 500),
      onFault,
    });
  }

  /**
   * What the run has searched for; without an id of its own it is the session's.
   *
   * @param run stands for the run where the context names neither
   */
  of(run: object, context: ToolContext): RunSearches {
    const { tenantId } = context;
    const key = this.#keyOf(run, context);
    const searches = this.#runs.get(tenantId, key)?.searches ?? new RunSearches();
    this.#runs.set(tenantId, key, { principal: principalOf(context), searches, touchedAt: this.now() });
    return searches;
  }

  /**
   * Counts an answered search.
   *
   * @param inRow how many the run has made in a row
   * @param isRepeated all it found nothing for was searched in vain before
   */
  answered(searches: RunSearches, context: ToolContext, found: Found, inRow: number, isRepeated: boolean): void {
    const { searchId, verdict, request, answers } = found;
    const principal = principalOf(context);
    const { queries } = request;
    this.#count(principal.tenantId, { searches: 1 });
    if (verdict === 'none') this.#gap('zero_hit', principal, { searchId, queries });
    if ((inRow >= LOOP_AT || (verdict === 'none' && isRepeated)) && searches.loops()) {
      this.#gap('looped', principal, { searchId, queries });
    }
    const names = new Set(answers.flatMap((answer) => answer.names));
    const displaced = searches.found({ searchId, queries, found: names });
    if (displaced) this.#gap('unused', principal, displaced);
  }

  /** A run did something else than searching, whatever came of it. */
  didElse(run: object, context: ToolContext): void {
    this.#known(run, context)?.searches.didElse();
  }

  /** A run calls a tool. */
  used(run: object, context: ToolContext, tool: string): void {
    this.#known(run, context)?.searches.used(tool);
  }

  /** Counts what runs left unused that have done nothing for too long. */
  closeIdle(): void {
    const before = this.now() - (this.options.idleMs ?? 600_000);
    for (const [tenant, key, { principal, searches, touchedAt }] of this.#runs.entries()) {
      if (touchedAt >= before) continue;
      this.#runs.delete(tenant, key);
      for (const search of searches.close()) this.#gap('unused', principal, search);
    }
  }

  /** Counts by tenant, by all instances up to their last write; those behind the tenant `after`. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async totals(
    filter: GapFilter = {},
    page: { readonly limit: number; readonly after?: string } = { limit: 200 },
  ): Promise<readonly TenantGaps[]> {
    await this.#counts.flush();
    const { since } = filter;
    const hourly = since === undefined ? filter : { ...filter, since: since - (since % HOUR_MS) };
    return guarded(() => this.store.sums(hourly, page));
  }

  /** A tenant's words, the commonest first; none where none are kept. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async queries(tenantId: string, kind?: GapKind): Promise<readonly GapQuery[]> {
    await this.#queries.flush();
    return guarded(() => this.store.queries(tenantId, kind));
  }

  /** Forgets counts and words of a tenant, or of all. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async reset(tenantId?: string): Promise<number> {
    // What waits would be written afterwards.
    await Promise.all([this.#counts.flush(), this.#queries.flush()]);
    return guarded(() => this.store.reset(tenantId));
  }

  /** Starts writing, closing and forgetting by itself. */
  start(): void {
    const every = this.options.flushEveryMs ?? 5000;
    this.#counts.start(every, () => {
      this.closeIdle();
      this.#sweepHourly();
    });
    this.#queries.start(every);
  }

  /** Writes what has been counted, for the last time. Never rejects. */
  async stop(): Promise<void> {
    await Promise.all([this.#counts.stop(), this.#queries.stop()]);
  }

  /** Removes what is older than it is kept. Returns how much went. */
  async sweep(): Promise<number> {
    const ttl = this.options.ttlMs ?? 720 * HOUR_MS;
    if (ttl === 0) return 0;
    const before = this.now() - ttl;
    return guarded(() => sweepInBatches(SWEEP_BATCH, () => this.store.sweep(before, SWEEP_BATCH)));
  }

  #sweepHourly(): void {
    const now = this.now();
    if (this.#lastSweep === 0) this.#lastSweep = now;
    if (now - this.#lastSweep < HOUR_MS) return;
    this.#lastSweep = now;
    // A store that is down is met by the next sweep; nobody waits for this one.
    this.sweep().catch(() => 0);
  }

  #gap(kind: GapKind, principal: Principal, { searchId, queries }: Pick<OpenSearch, 'searchId' | 'queries'>): void {
    const { tenantId } = principal;
    this.#count(tenantId, COUNT_OF[kind]);
    this.events.emit({ type: 'search.gap_found', ...principal, kind, searchId });
    if (!this.options.keepQueries) return;
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

/** Words as they are kept: one spacing, no credentials, and not longer than they may be. */
function keptWords(query: string): string {
  const text = redactedText(query).replace(/\s+/g, ' ').trim();
  return text.slice(0, MAX_QUERY_CHARS).replace(/[\ud800-\udbff]$/, '');
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new ToolSearchError('STORE_UNAVAILABLE', 'Search gaps cannot be read or written at the moment.', {
      hint: 'Try again in a moment.',
      cause,
    });
  }
}
