import { LruMap } from '../../collections/lru-map.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { ToolSet } from '../../tool/snapshot/tool-set.js';
import { IndexState, type SearchState } from './index/index-state.js';
import { DEFAULT_THRESHOLDS, firstState, type MergeThresholds, nextState, resumedState } from './index/next-state.js';
import { isScan, scanSearch } from '../scan-search.js';
import { preparingSynonyms } from '../text/synonyms/synonyms.js';
import { queryTerms } from '../text/query-terms.js';
import { overlayState } from './index/overlay-state.js';
import { WordRanking } from './query/rank-words.js';
import type { SearchCache } from '../search-cache.js';
import { TimeSlicer } from '../../async/time-slicer.js';
import { IndexCache } from './persistence/index-cache.js';
import type { CatalogChange, SearchAnswer, ToolIndex, ToolQuery } from '../tool-index.js';
import { ViewStatistics } from './query/view-statistics.js';

const BUILD_SLICE_MS = 8;
const MAX_VIEW_BYTES = 32 * 1024 * 1024;
/** Smaller, because one tenant has few views and there are many tenants. */
const MAX_OVERLAY_VIEW_BYTES = 1024 * 1024;

export interface MemoryToolIndexOptions {
  /** When changes are merged into the large part. @default 1/8 of the tools changed, 1/4 removed */
  readonly thresholds?: Partial<MergeThresholds>;
  /** Keeps the index across restarts. @default none: it is built at every start */
  readonly cache?: SearchCache;
  /** Called when the cache cannot be read or written. The index is then built, after at most 2 seconds. */
  readonly onCacheFault?: (fault: unknown) => void;
}

interface Searchable {
  readonly state: SearchState;
  readonly views: LruMap<ViewStatistics>;
}

/** Plain words, a misspelt one, an identifier, a question with a name. */
const WARM_UP = [
  'list all open items of a user',
  'creat a new documnt',
  'get_user_by_id',
  'Where does Ada Lovelace live?',
];

/**
 * The default engine: an index in this process's memory, without further installation. Ranks by field-weighted BM25
 * (BM25F) over the visible tools, for every type of search; answers `fts` with `bm25`. The index of a snapshot is
 * searchable as long as the snapshot is referenced.
 */
export class MemoryToolIndex implements ToolIndex {
  readonly engine = 'memory';
  readonly canFork = true;
  readonly #indexes = new WeakMap<CatalogSnapshot, Searchable>();
  readonly #ranking = new WordRanking();
  readonly #thresholds: MergeThresholds;
  readonly #cache: IndexCache | undefined;
  #applying: Promise<void> = Promise.resolve();
  #isWarm = false;

  constructor({ thresholds, cache, onCacheFault }: MemoryToolIndexOptions = {}) {
    this.#thresholds = { ...DEFAULT_THRESHOLDS, ...thresholds };
    this.#cache = cache && new IndexCache(cache, onCacheFault);
  }

  // Applied one after the other: states share a lexicon, which each of them extends. An overlay does not change it.
  apply(change: CatalogChange): Promise<void> {
    const { next } = change;
    if (next.below) return this.#applyOn(next, next.below);
    const applied = this.#applying.then(() => this.#apply(change));
    this.#applying = applied.catch(() => undefined);
    return applied;
  }

  async #apply({ next, previous }: CatalogChange): Promise<void> {
    if (this.#indexes.has(next)) return;
    const known = previous && this.#indexes.get(previous)?.state;
    // Nothing can be built on an empty catalog, whose tools would only ever be a delta that the cache does not store.
    const before = known instanceof IndexState && known.slots > 0 ? known : undefined;
    const state = await this.#stateOf(next, before);
    if (state.base !== before?.base) this.#cache?.write(state);
    const slices = new TimeSlicer(BUILD_SLICE_MS);
    await state.lexicon.spelling.catchUp(slices);
    if (!this.#isWarm && next.size > 0) await this.#warmUp(state, slices);
    this.#indexes.set(next, { state, views: viewCache(MAX_VIEW_BYTES) });
  }

  /** Does what the first search would do for all others: synonyms, buffers, and code that V8 has not compiled yet. */
  async #warmUp(state: IndexState, slices: TimeSlicer): Promise<void> {
    this.#isWarm = true;
    await slices.run(preparingSynonyms());
    const everything = new ViewStatistics(
      state,
      ToolSet.of(state.snapshot.size, () => true),
    );
    for (const text of WARM_UP) {
      if (slices.due) await slices.pause();
      this.#ranking.rank(state, everything, queryTerms(text), { limit: 1, tools: everything.size });
    }
  }

  async #applyOn(next: CatalogSnapshot, below: CatalogSnapshot): Promise<void> {
    if (this.#indexes.has(next)) return;
    // Before any shared source has loaded, a tenant's tools are added to an empty catalog that was never published.
    const empty = below.size === 0 ? await firstState(below, new TimeSlicer(BUILD_SLICE_MS)) : undefined;
    const state = this.#indexes.get(below)?.state ?? empty;
    if (!(state instanceof IndexState)) throw notIndexed();
    const overlay = await overlayState(next, state, new TimeSlicer(BUILD_SLICE_MS));
    this.#indexes.set(next, { state: overlay, views: viewCache(MAX_OVERLAY_VIEW_BYTES) });
  }

  /** Resolves when no write to the cache is in progress. */
  async idle(): Promise<void> {
    await this.#cache?.idle();
  }

  /** Waits for pending writes to the cache, two seconds at most. */
  async close(): Promise<void> {
    await this.#cache?.close();
  }

  async search(
    query: ToolQuery,
    snapshot: CatalogSnapshot,
    visible: ToolSet,
    signal?: AbortSignal,
  ): Promise<SearchAnswer> {
    const searchable = this.#indexes.get(snapshot);
    if (!searchable) throw notIndexed();
    signal?.throwIfAborted();
    if (isScan(query)) return scanSearch(query, snapshot, visible, signal);
    const { text, type, limit, among, learned, explain } = query;
    const statistics = statisticsOf(searchable, visible);
    const tools = among ? among.overlapWith(visible) : visible.size;
    const scope = { limit, tools, ...(among && { among }), ...(learned && { learned }), ...(explain && { explain }) };
    const { bytes } = statistics;
    const terms = queryTerms(text);
    const { hits, unmatched, verdict, matching } = this.#ranking.rank(searchable.state, statistics, terms, scope);
    if (statistics.bytes !== bytes) keep(searchable, visible, statistics);
    return {
      hits: hits.map((hit) => ({ ...hit, match: 'bm25' })),
      searchType: { requested: type, effective: 'bm25' },
      unmatched,
      verdict,
      matching,
      ...(terms.isTruncated && { truncated: true }),
    };
  }

  async #stateOf(next: CatalogSnapshot, before: IndexState | undefined): Promise<IndexState> {
    const cache = this.#cache;
    const slices = new TimeSlicer(BUILD_SLICE_MS);
    const reserve = await cache?.reserve(next);
    const resumed = reserve ? await resumedState(next, reserve, before, this.#thresholds, slices) : 'not yet';
    if (typeof resumed === 'object') return resumed;
    if (resumed === 'needless') cache?.release();
    return before ? nextState(next, before, this.#thresholds, slices) : firstState(next, slices);
  }
}

function notIndexed(): ToolSearchError {
  return new ToolSearchError('INTERNAL', 'This state of the catalog has not been indexed.');
}

function viewCache(maxSize: number): Searchable['views'] {
  return new LruMap(maxSize, ({ bytes }, fingerprint) => bytes + 2 * fingerprint.length);
}

function statisticsOf(searchable: Searchable, visible: ToolSet): ViewStatistics {
  const known = searchable.views.get(visible.fingerprint);
  if (known) return known;
  const statistics = new ViewStatistics(searchable.state, visible);
  keep(searchable, visible, statistics);
  return statistics;
}

// Statistics grow with use, and the map reads a weight only when an entry is set.
function keep({ views }: Searchable, { fingerprint }: ToolSet, statistics: ViewStatistics): void {
  views.set(fingerprint, statistics);
}
