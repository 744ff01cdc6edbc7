import { LRUCache } from 'lru-cache';
import { hasSecret } from '../../catalog/ingest/secret-shapes.js';
import { type AnalyzedQueries, analyzedQueries } from '../../search/learned/analyzed-queries.js';
import { LearnedOverlay } from '../../search/learned/learned-overlay.js';
import { LearnedQueryReader } from '../../search/learned/learned-query-reader.js';
import type { LearnedQuery, LearnedQueryStore, LearningLimits } from '../../search/learned/learned-query-store.js';
import { Slices } from '../../async/slices.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';

/** Settings of learning from use. */
export interface LearningOptions {
  /**
   * `tenant`: what a tenant's searches led to helps that tenant alone. `everyone`: it helps all tenants, only tools that all of
   * them share are learned, no search says which words were learned, and there is one list: whichever tenant is named, `list` and `forget` are about all. Queries are
   * kept as they were typed, so this is for the application to decide.
   */
  readonly from: 'tenant' | 'everyone';
  /** Queries kept of one tool. @default 20 */
  readonly perTool?: number;
  /** Queries kept of one tenant, or of all together for `everyone`. @default 500 */
  readonly perTenant?: number;
}

const MAX_QUERY_CHARS = 200;
const MAX_TENANTS = 1000;
/** How long a lesson may go unnoticed: reading them all again after each would be dear. */
const FRESH_MS = 5_000;

const SLICE_MS = 4;

interface Reading {
  /** Undefined when the store did not answer: searching goes on without. */
  readonly queries: Promise<AnalyzedQueries | undefined>;
  /** What was analyzed last, however long ago the store answered: it need not be analyzed again. */
  readonly analyzed: Promise<AnalyzedQueries>;
  readonly freshUntil: number;
}

/**
 * What searches led to: each query that was followed by a successful call of a tool it had found counts, at a low weight,
 * as an example query of that tool. Opt-in (`search.learning`), bounded, to be inspected and deleted here.
 */
export class LearnedQueries {
  readonly #reader: LearnedQueryReader;
  readonly #readings = new LRUCache<string, Reading>({ max: MAX_TENANTS });
  // An overlay is good for as long as its queries and its snapshot stay what they are.
  readonly #overlays = new WeakMap<AnalyzedQueries, WeakMap<CatalogSnapshot, Promise<LearnedOverlay>>>();
  readonly #limits: LearningLimits;

  constructor(
    private readonly store: LearnedQueryStore,
    private readonly options: LearningOptions | undefined,
    private readonly reportFault: (error: unknown) => void = () => undefined,
  ) {
    this.#reader = new LearnedQueryReader(store, (error) => this.reportFault(error));
    this.#limits = { perTool: options?.perTool ?? 20, perTenant: options?.perTenant ?? 500 };
  }

  /** Whether anything is learned at all. */
  get isOn(): boolean {
    return this.options !== undefined;
  }

  /** What a tenant has learned, the most recently used first. */
  list(tenantId: string): Promise<readonly LearnedQuery[]> {
    return this.store.list(this.#keyOf(tenantId));
  }

  /** Forgets one query, a tool's, or all that a tenant has learned. Returns how many went. */
  async forget(tenantId: string, filter?: { readonly tool?: string; readonly query?: string }): Promise<number> {
    const gone = await this.store.forget(this.#keyOf(tenantId), filter);
    this.#readings.delete(this.#keyOf(tenantId));
    return gone;
  }

  /** Learns that a query led to a tool. Never rejects: a lesson is not worth a failed call. */
  async learn(tenantId: string, tool: ToolDefinition, query: string): Promise<void> {
    if (!this.options || (this.options.from === 'everyone' && tool.owner !== '') || hasSecret(query)) return;
    const key = this.#keyOf(tenantId);
    const kept = query.slice(0, MAX_QUERY_CHARS).replace(/[\ud800-\udbff]$/, '');
    try {
      await this.store.learn(key, tool.name, kept, Date.now(), this.#limits);
    } catch (error) {
      this.reportFault(error);
    }
  }

  /** What a tenant has learned, ready for searching one snapshot; undefined when that is nothing, or not to be had in time. */
  async overlay(tenantId: string, snapshot: CatalogSnapshot): Promise<LearnedOverlay | undefined> {
    if (!this.options) return undefined;
    const queries = await this.#fresh(this.#keyOf(tenantId));
    if (!queries || queries.size === 0) return undefined;
    const overlays = this.#overlays.get(queries) ?? new WeakMap<CatalogSnapshot, Promise<LearnedOverlay>>();
    this.#overlays.set(queries, overlays);
    const overlay = overlays.get(snapshot) ?? overlayOf(queries, snapshot, tenantId, this.options.from);
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
      return queries && (await analyzedQueries(queries, await before, new Slices(SLICE_MS)));
    } catch (error) {
      // A store may answer anything; searching goes on without lessons.
      this.reportFault(error);
      return undefined;
    }
  }

  #keyOf(tenantId: string): string {
    return this.options?.from === 'everyone' ? '' : tenantId;
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
    // A tenant's own tool may bear the name of one that others have learned about.
    return id === undefined || (from === 'everyone' && snapshot.at(id).owner !== '') ? [] : [{ tool: id, learned }];
  });
  return LearnedOverlay.of(known, new Slices(SLICE_MS), from === 'tenant');
}
