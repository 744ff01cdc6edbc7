import { object, type OptionsOf, type SettingsOf, share, whole, withDefaults } from '../../options/options.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { StatisticsScope } from '../../tool/snapshot/statistics-scope.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { ToolSet } from '../../tool/snapshot/tool-set.js';
import { BestHits, byName } from '../best-hits.js';
import type { Embedder } from '../embedder.js';
import type { SearchCache } from '../search-cache.js';
import { TimeSlicer } from '../../async/time-slicer.js';
import type { CatalogChange, SearchAnswer, SearchHit, ToolIndex, ToolQuery } from '../tool-index.js';
import { type QueryVector, QueryVectors } from './query-vectors.js';
import { type SimilarTools, similarTools } from './similar-tools.js';
import { type SnapshotVectors, ToolVectors, type ToolVectorsListener } from './tool-vectors.js';

export const denseOptions = object({
  /** Share of the vectors in a score, from 0 to 1. @default 0.2 */
  weight: share().default(0.2),
  /**
   * Minimum cosine for a tool to be found by meaning alone, without a matching word; the right value depends on the
   * model. Without it vectors only reorder the tools found by words, and a search that finds none answers `none`.
   */
  minSimilarity: share().optional(),
});

/** The share of ranking by meaning. */
export interface DenseOptions extends OptionsOf<typeof denseOptions> {}

export const denseTuning = object({
  /** Milliseconds that a search waits for the vector of its query; then it uses words alone. @default 300 */
  queryDeadlineMs: whole(1, 60_000).default(300),
  /** Milliseconds that a changed catalog waits for its vectors; then it is published without them. @default 1000 */
  buildWaitMs: whole(0, 600_000).default(1000),
});

export interface DenseTuning extends OptionsOf<typeof denseTuning> {}

const denseSchema = object({ ...denseOptions.shape, ...denseTuning.shape });

/** Optional parts of a {@link FusedToolIndex}. */
export interface FusedToolIndexParts {
  readonly cache?: SearchCache | undefined;
  readonly events?: ToolEvents | undefined;
}

interface Search {
  readonly query: ToolQuery;
  readonly snapshot: CatalogSnapshot;
  readonly visible: ToolSet;
  readonly signal: AbortSignal | undefined;
}

/** How many of the best tools by words, and by meaning, are considered. */
const DEPTH = 100;
const SEARCH_SLICE_MS = 5;
const MAX_REASON_CHARS = 200;

/**
 * Ranks by words and meaning: mixes the scores of a word index with the cosines of an embedder's vectors. Searches by
 * pattern or name, and searches of tools without vectors, go to the word index unchanged. Its
 * statistics are those of the word index: means and maxima are taken over the visible tools.
 */
export class FusedToolIndex implements ToolIndex {
  readonly #settings: SettingsOf<typeof denseSchema>;
  readonly engine: string;
  readonly statistics: StatisticsScope;
  readonly canFork: boolean;
  readonly #vectors: ToolVectors;
  readonly #queries: QueryVectors;

  constructor(
    private readonly words: ToolIndex,
    embedder: Embedder,
    given: DenseOptions & DenseTuning = {},
    { cache, events }: FusedToolIndexParts = {},
  ) {
    this.#settings = withDefaults(denseSchema, given);
    this.engine = words.engine;
    this.statistics = words.statistics ?? 'visible';
    this.canFork = words.canFork ?? false;
    const degraded = (task: 'tools' | 'query') => (fault: { error: unknown; retryInMs: number }) => {
      const { error, retryInMs } = fault;
      const reason = String(error instanceof Error ? error.message : error).slice(0, MAX_REASON_CHARS);
      events?.emit({ type: 'embedder.degraded', embedder: embedder.id, task, reason, retryInMs });
    };
    const ready: ToolVectorsListener['ready'] = (progress) =>
      events?.emit({ type: 'embedder.ready', embedder: embedder.id, ...progress });
    this.#vectors = new ToolVectors(embedder, { ready, degraded: degraded('tools') }, cache);
    this.#queries = new QueryVectors(embedder, this.#settings.queryDeadlineMs, degraded('query'));
  }

  async open(): Promise<void> {
    await this.words.open?.();
  }

  async apply(change: CatalogChange): Promise<void> {
    await Promise.all([this.words.apply(change), this.#vectors.add(change.next, this.#settings.buildWaitMs)]);
  }

  async close(): Promise<void> {
    this.#vectors.close();
    await this.words.close?.();
  }

  async search(
    query: ToolQuery,
    snapshot: CatalogSnapshot,
    visible: ToolSet,
    signal?: AbortSignal,
  ): Promise<SearchAnswer> {
    const isRanked = query.type === 'bm25' || query.type === 'fts';
    const vectors = isRanked ? this.#vectors.of(snapshot) : undefined;
    if (!vectors || !hasVectors(vectors, visible)) return this.words.search(query, snapshot, visible, signal);
    const search: Search = { query, snapshot, visible, signal };
    // Started first, so that the embedder works while the words are looked up.
    const embedding = this.#queries.of(query.text, signal);
    const answer = await this.#ask(search, { limit: Math.max(DEPTH, query.limit) });
    const isHopeless = answer.verdict === 'none' && this.#settings.minSimilarity === undefined;
    const vector = isHopeless ? undefined : await embedding;
    signal?.throwIfAborted();
    return vector
      ? this.#fused(search, answer, vector, vectors)
      : { ...answer, hits: answer.hits.slice(0, query.limit) };
  }

  async #fused(
    search: Search,
    answer: SearchAnswer,
    vector: QueryVector,
    vectors: SnapshotVectors,
  ): Promise<SearchAnswer> {
    const { query, snapshot, visible, signal } = search;
    const slices = new TimeSlicer(SEARCH_SLICE_MS, signal);
    const similar = await similarTools(vector, vectors, { snapshot, visible, among: query.among }, DEPTH, slices);
    const added = await this.#addedBy(similar, search, answer);
    const top = await this.#topScore(search, answer);
    const best = new BestHits(query.limit, byName(snapshot));
    const fused = new Map<number, SearchHit>();
    for (const hit of [...answer.hits, ...added]) {
      const close = closeness(vectors.table.cosine(vectors.rowOf(hit.id), vector), similar);
      const scored = fuse(hit, top, close, this.#settings.weight);
      fused.set(hit.id, scored);
      best.offer(hit.id, scored.score);
    }
    const hits = best.sorted().flatMap(({ id }) => fused.get(id) ?? []);
    const { minSimilarity = Number.POSITIVE_INFINITY } = this.#settings;
    const isClose = similar.best.some(({ score }) => score >= minSimilarity);
    return { ...answer, hits, verdict: isClose && hits.length > 0 ? 'found' : answer.verdict };
  }

  /** Tools found by meaning alone, with their word scores; without those that another hit represents. */
  async #addedBy(similar: SimilarTools, search: Search, answer: SearchAnswer): Promise<readonly SearchHit[]> {
    const { minSimilarity = Number.POSITIVE_INFINITY } = this.#settings;
    const known = new Set(answer.hits.flatMap(({ id, similar: twins = [] }) => [id, ...twins]));
    const close = similar.best.filter(({ id, score }) => score >= minSimilarity && !known.has(id));
    const ids = new Set(close.map(({ id }) => id));
    if (ids.size === 0) return [];
    const among = ToolSet.of(search.snapshot.size, (id) => ids.has(id));
    const { hits } = await this.#ask(search, { limit: ids.size, among });
    const byId = new Map(hits.map((hit) => [hit.id, hit]));
    for (const twin of hits.flatMap((hit) => hit.similar ?? [])) ids.delete(twin);
    return [...ids].map((id) => byId.get(id) ?? { id, score: 0, match: answer.searchType.effective, matched: [] });
  }

  /** The best word score of all visible tools: the top of the scale for vectors. */
  async #topScore(search: Search, answer: SearchAnswer): Promise<number> {
    const { among, ...everywhere } = search.query;
    const { hits } = among ? await this.#ask({ ...search, query: everywhere }, { limit: 1 }) : answer;
    return hits[0]?.score ?? 1;
  }

  #ask({ query, snapshot, visible, signal }: Search, other: Partial<ToolQuery>): Promise<SearchAnswer> {
    return this.words.search({ ...query, ...other }, snapshot, visible, signal);
  }
}

// Only visible tools are checked: whether hidden tools have vectors must not affect the query to the word index.
function hasVectors({ table, rowOf }: SnapshotVectors, visible: ToolSet): boolean {
  if (table.filled === 0) return false;
  for (const id of visible.ids()) if (table.has(rowOf(id))) return true;
  return false;
}

// With a smaller spread all tools have the same cosine, except for rounding.
const MIN_SPREAD = 1e-6;
// A hit found by meaning alone may lie below the mean, but its score must be above 0.
const MIN_SCORE = 1e-6;

/**
 * Scales a cosine to one search: 0 for the mean of the visible tools and below, 1 for the best of them; NaN stays NaN.
 * The scale starts at the mean and not at 0, because many models give any two texts a cosine of 0.7.
 */
export function closeness(cosine: number, { mean, max }: { readonly mean: number; readonly max: number }): number {
  if (Number.isNaN(cosine) || max - mean >= MIN_SPREAD) return Math.max(0, (cosine - mean) / (max - mean));
  return cosine > 0 ? 1 : 0;
}

/**
 * Returns the hit with the mixed score `(1 - weight) * words + weight * top * closeness`, a convex combination on the
 * scale of the word scores. A tool without a vector keeps its word score.
 *
 * @param hit with its word score, 0 if no word matches
 * @param top the best word score of any visible tool
 * @param close from {@link closeness}
 */
export function fuse(hit: SearchHit, top: number, close: number, weight: number): SearchHit {
  if (Number.isNaN(close)) return hit;
  const meaning = Math.max(weight * top * close, hit.score === 0 ? MIN_SCORE : 0);
  const score = (1 - weight) * hit.score + meaning;
  if (!hit.parts) return { ...hit, score };
  const parts = hit.parts.map((part) => ({ ...part, score: (1 - weight) * part.score }));
  return { ...hit, score, parts: [...parts, { field: 'meaning', score: meaning }].sort((a, b) => b.score - a.score) };
}
