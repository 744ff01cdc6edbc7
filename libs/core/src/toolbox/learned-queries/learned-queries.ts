import { LruMap } from '../../collections/lru-map.js';
import { object, oneOf, type OptionsOf, type SettingsOf, whole } from '../../options/options.js';
import { truncated } from '../../json/safe-text.js';
import { hasSecret } from '../../catalog/ingest/secret-shapes.js';
import { type AnalyzedQueries, analyzedQueries } from '../../search/learned/analyzed-queries.js';
import { LearnedOverlay } from '../../search/learned/learned-overlay.js';
import { LearnedQueryReader } from '../../search/learned/learned-query-reader.js';
import type { LearnedQuery, LearnedQueryStore } from '../../search/learned/learned-query-store.js';
import { TimeSlicer } from '../../async/time-slicer.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';

export const learningOptions = object({
  /**
   * `tenant`: a tenant's learned queries help only that tenant. `everyone`: they help all tenants; only tools that all
   * tenants share are learned, search replies do not report which words were learned, and there is one list, so `list`
   * and `forget` ignore the tenant id. Queries are stored as typed, so the application has to decide this.
   */
  from: oneOf('tenant', 'everyone'),
});

export interface LearningOptions extends OptionsOf<typeof learningOptions> {}

export const learningTuning = object({
  /** Maximum number of queries kept per tool. @default 20 */
  perTool: whole(1, 1000).default(20),
  /** Maximum number of queries kept per tenant, or in total for `everyone`. @default 500 */
  perTenant: whole(1, 100_000).default(500),
});

export interface LearningTuning extends OptionsOf<typeof learningTuning> {}

export const learningSchema = object({ ...learningOptions.shape, ...learningTuning.shape });

const MAX_QUERY_CHARS = 200;
const MAX_TENANTS = 1000;
/** Cache time of learned queries: a new one may take this long to have an effect. Reading all of them is expensive. */
const FRESH_MS = 5_000;

const SLICE_MS = 4;

interface Reading {
  /** Undefined when the store did not answer: the search continues without learned queries. */
  readonly queries: Promise<AnalyzedQueries | undefined>;
  /** The last successful analysis, so that unchanged queries are not analyzed again. */
  readonly analyzed: Promise<AnalyzedQueries>;
  readonly freshUntil: number;
}

/**
 * Learns from use: a query that was followed by a successful call of a tool it had found counts as an example query of
 * that tool, at a low weight. Opt-in (`search.learning`) and bounded. Learned queries can be listed and deleted here.
 */
export class LearnedQueries {
  readonly #reader: LearnedQueryReader;
  readonly #readings = new LruMap<Reading>(MAX_TENANTS);
  // An overlay is valid for one set of queries and one snapshot.
  readonly #overlays = new WeakMap<AnalyzedQueries, WeakMap<CatalogSnapshot, Promise<LearnedOverlay>>>();

  constructor(
    private readonly store: LearnedQueryStore,
    /** Undefined: nothing is learned. */
    private readonly settings: SettingsOf<typeof learningSchema> | undefined,
    private readonly reportFault: (error: unknown) => void = () => undefined,
  ) {
    this.#reader = new LearnedQueryReader(store, (error) => this.reportFault(error));
  }

  get isOn(): boolean {
    return this.settings !== undefined;
  }

  /** A tenant's learned queries, most recently used first. */
  list(tenantId: string): Promise<readonly LearnedQuery[]> {
    return this.store.list(this.#keyOf(tenantId));
  }

  /** Deletes one query, the queries of one tool, or all queries of a tenant. Returns the number deleted. */
  async forget(tenantId: string, filter?: { readonly tool?: string; readonly query?: string }): Promise<number> {
    const gone = await this.store.forget(this.#keyOf(tenantId), filter);
    this.#readings.delete(this.#keyOf(tenantId));
    return gone;
  }

  /** Records that a query led to a tool. Never rejects: a failing store must not fail the call. */
  async learn(tenantId: string, tool: ToolDefinition, query: string): Promise<void> {
    if (!this.settings || (this.settings.from === 'everyone' && tool.owner !== '') || hasSecret(query)) return;
    const key = this.#keyOf(tenantId);
    const kept = truncated(query, MAX_QUERY_CHARS);
    try {
      await this.store.learn(key, tool.name, kept, Date.now(), this.settings);
    } catch (error) {
      this.reportFault(error);
    }
  }

  /** A tenant's learned queries, prepared for one snapshot; undefined when there are none or the store is too slow. */
  async overlay(tenantId: string, snapshot: CatalogSnapshot): Promise<LearnedOverlay | undefined> {
    if (!this.settings) return undefined;
    const queries = await this.#fresh(this.#keyOf(tenantId));
    if (!queries || queries.size === 0) return undefined;
    const overlays = this.#overlays.get(queries) ?? new WeakMap<CatalogSnapshot, Promise<LearnedOverlay>>();
    this.#overlays.set(queries, overlays);
    const overlay = overlays.get(snapshot) ?? overlayOf(queries, snapshot, tenantId, this.settings.from);
    overlays.set(snapshot, overlay);
    return overlay;
  }

  #fresh(key: string): Promise<AnalyzedQueries | undefined> {
    const last = this.#readings.get(key);
    if (last && performance.now() < last.freshUntil) return last.queries;
    const before = last?.analyzed ?? Promise.resolve<AnalyzedQueries>(new Map());
    const queries = this.#read(key, before);
    const analyzed = queries.then((read) => read ?? before);
    this.#readings.set(key, { queries, analyzed, freshUntil: performance.now() + FRESH_MS });
    return queries;
  }

  async #read(key: string, before: Promise<AnalyzedQueries>): Promise<AnalyzedQueries | undefined> {
    const queries = await this.#reader.list(key);
    try {
      return queries && (await analyzedQueries(queries, await before, new TimeSlicer(SLICE_MS)));
    } catch (error) {
      // A store may return malformed data; the search continues without learned queries.
      this.reportFault(error);
      return undefined;
    }
  }

  #keyOf(tenantId: string): string {
    return this.settings?.from === 'everyone' ? '' : tenantId;
  }
}

function overlayOf(
  queries: AnalyzedQueries,
  snapshot: CatalogSnapshot,
  tenantId: string,
  from: LearningOptions['from'],
): Promise<LearnedOverlay> {
  const known = Array.from(queries.values()).flatMap(({ tool, learned }) => {
    const id = snapshot.idOf(tool, tenantId);
    // A tenant's own tool may have the same name as a shared tool that was learned.
    return id === undefined || (from === 'everyone' && snapshot.at(id).owner !== '') ? [] : [{ tool: id, learned }];
  });
  return LearnedOverlay.of(known, new TimeSlicer(SLICE_MS), from === 'tenant');
}
