import { LRUCache } from 'lru-cache';
import type { CatalogSnapshot } from '../tool/catalog-snapshot.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import type { ToolSet } from '../tool/tool-set.js';
import type { ScoredTool } from './best-hits.js';
import { type IndexedTools, indexTools } from './indexed-tools.js';
import { matchExact } from './match-exact.js';
import { matchPattern } from './match-pattern.js';
import { queryTerms } from './query-terms.js';
import { WordRanking } from './rank-words.js';
import { Slices } from './slices.js';
import type { CatalogChange, SearchAnswer, ToolIndex, ToolQuery } from './tool-index.js';
import { ViewStatistics } from './view-statistics.js';

const BUILD_SLICE_MS = 8;
const SEARCH_SLICE_MS = 5;
const MAX_VIEW_BYTES = 32 * 1024 * 1024;

interface Searchable {
  readonly index: IndexedTools;
  readonly views: LRUCache<string, ViewStatistics>;
}

/**
 * The default engine: everything in this process's memory, nothing to install. Ranks by field-weighted BM25 (BM25F) and keeps
 * the index law for every type of search; `fts` is answered by `bm25`. Indexes follow their snapshots: one is searchable as
 * long as somebody holds its snapshot.
 */
export class MemoryToolIndex implements ToolIndex {
  readonly engine = 'memory';
  readonly #indexes = new WeakMap<CatalogSnapshot, Searchable>();
  readonly #ranking = new WordRanking();

  async apply({ next, previous }: CatalogChange): Promise<void> {
    if (this.#indexes.has(next)) return;
    const before = previous && this.#indexes.get(previous)?.index;
    const index = await indexTools(next, before, new Slices(BUILD_SLICE_MS));
    const views = new LRUCache<string, ViewStatistics>({
      maxSize: MAX_VIEW_BYTES,
      sizeCalculation: (statistics, fingerprint) => statistics.bytes + 2 * fingerprint.length,
    });
    this.#indexes.set(next, { index, views });
  }

  async search(
    query: ToolQuery,
    snapshot: CatalogSnapshot,
    visible: ToolSet,
    signal?: AbortSignal,
  ): Promise<SearchAnswer> {
    const searchable = this.#indexes.get(snapshot);
    if (!searchable) throw new ToolSearchError('INTERNAL', 'This state of the catalog has not been indexed.');
    const slices = new Slices(SEARCH_SLICE_MS, signal);
    const { text, type, limit, among } = query;
    const effective = type === 'fts' ? 'bm25' : type;
    const answer = (hits: readonly ScoredTool[], unmatched: readonly string[] = []): SearchAnswer => ({
      hits: hits.map(({ id, score }) => ({ id, score, match: effective })),
      searchType: { requested: type, effective },
      unmatched,
      verdict: hits.length > 0 ? 'found' : 'none',
    });
    if (effective === 'bm25') {
      const statistics = statisticsOf(searchable, visible);
      const scope = { visible, limit, ...(among && { among }) };
      const { hits, unmatched } = this.#ranking.rank(searchable.index, statistics, queryTerms(text), scope);
      return answer(hits, unmatched);
    }
    const scope = among ? visible.filter((id) => among.has(id)) : visible;
    const match = effective === 'regex' ? matchPattern : matchExact;
    return answer(await match(text, snapshot, scope, limit, slices));
  }
}

function statisticsOf({ index, views }: Searchable, visible: ToolSet): ViewStatistics {
  let statistics = views.get(visible.fingerprint);
  if (!statistics) {
    statistics = new ViewStatistics(index, visible);
    views.set(visible.fingerprint, statistics);
  }
  return statistics;
}
