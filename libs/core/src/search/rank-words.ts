import type { ToolSet } from '../tool/tool-set.js';
import { GAP, MAX_IMPACT } from './analyze-tool.js';
import { BestHits, type ScoredTool } from './best-hits.js';
import type { IndexedTools } from './indexed-tools.js';
import type { QueryTerms } from './query-terms.js';
import type { ViewStatistics } from './view-statistics.js';

/** What ranking words found. */
export interface RankedTools {
  /** Best first. */
  readonly hits: readonly ScoredTool[];
  /** Words of the query that no visible tool has; numbers are left out, they are values more often than words. */
  readonly unmatched: readonly string[];
}

/** Which tools may be hits and how many of them. */
export interface RankScope {
  readonly visible: ToolSet;
  readonly among?: ToolSet;
  readonly limit: number;
}

// A tool whose whole name the query covers is worth half as much again; its namespace says less.
const NAME_COVERAGE = 0.5;
const NAMESPACE_COVERAGE = 0.15;
const PROXIMITY = 0.7;

// Coverage is worked out for the tools with the best words, proximity for the best of those.
const MIN_CANDIDATES = 300;
const MIN_FINALISTS = 60;

/** A query term as one view weighs it. */
interface WeighedTerm {
  readonly id: number | undefined;
  readonly rarity: number;
  /** Largest contribution the term can make. */
  readonly weight: number;
  readonly isKnown: boolean;
}

/**
 * Ranks the visible tools by the words of a query: BM25F, then how much of a tool's name and namespace the query covers, then
 * neighbouring words of the query that are neighbours in the tool's text too. A score is the share of what a tool could
 * reach that has every word of the query everywhere, 0 to 1.
 */
export class WordRanking {
  #scores = new Float64Array(0);
  #touched = new Uint32Array(0);

  /** Runs to its end without a pause: the buffers belong to one query at a time. */
  rank(index: IndexedTools, statistics: ViewStatistics, query: QueryTerms, scope: RankScope): RankedTools {
    const terms = query.terms.map(({ term, weight, isNumber, isWhole }): WeighedTerm => {
      const id = index.lexicon.find(term);
      const isKnown = id !== undefined && statistics.frequency(id) > 0;
      const isCounted = isKnown || !(isNumber || isWhole);
      const rarity = isCounted ? statistics.rarity(id ?? GAP) : 0;
      return { id, rarity, weight: weight * rarity, isKnown };
    });
    const unmatched = query.words
      .filter(({ terms: positions }) => !positions.some((position) => terms[position]?.isKnown))
      .map(({ word }) => word);
    const pairs = query.pairs.map(([a, b]) => pairOf(terms[a], terms[b]));
    const candidates = this.#accumulate(index, terms, scope);
    const finalists = new BestHits(index.snapshot, Math.max(MIN_FINALISTS, 3 * scope.limit));
    const known = new Set(terms.flatMap(({ id, isKnown }) => (isKnown && id !== undefined ? [id] : [])));
    for (const { id, score } of candidates.sorted())
      finalists.offer(id, score * coverage(index, statistics, known, id));
    const best = new BestHits(index.snapshot, scope.limit);
    const ceiling = ceilingOf(terms, pairs);
    const rarities = new Map(pairs.flatMap(({ key, rarity }) => (key === undefined ? [] : [[key, rarity]])));
    for (const { id, score } of finalists.sorted()) {
      best.offer(id, (score + PROXIMITY * proximity(index, rarities, known, id)) / ceiling);
    }
    return { hits: best.sorted(), unmatched };
  }

  #accumulate(index: IndexedTools, terms: readonly WeighedTerm[], { visible, among, limit }: RankScope): BestHits {
    const count = index.snapshot.tools.length;
    if (this.#scores.length < count) {
      this.#scores = new Float64Array(count);
      this.#touched = new Uint32Array(count);
    }
    const [scores, touched] = [this.#scores, this.#touched];
    const { starts, tools, impacts } = index;
    const isAllVisible = visible.size === count;
    let touchedCount = 0;
    for (const { id, weight, isKnown } of terms) {
      if (id === undefined || !isKnown) continue;
      const end = starts[id + 1] ?? 0;
      const unit = weight / MAX_IMPACT;
      for (let position = starts[id] ?? end; position < end; position++) {
        const tool = tools[position] ?? 0;
        if (!isAllVisible && !visible.has(tool)) continue;
        const score = scores[tool] ?? 0;
        if (score === 0) touched[touchedCount++] = tool;
        scores[tool] = score + unit * (impacts[position] ?? 0);
      }
    }
    const candidates = new BestHits(index.snapshot, Math.max(MIN_CANDIDATES, 5 * limit));
    for (let i = 0; i < touchedCount; i++) {
      const tool = touched[i] ?? 0;
      if (!among || among.has(tool)) candidates.offer(tool, scores[tool] ?? 0);
      scores[tool] = 0;
    }
    return candidates;
  }
}

/** What the best scores are multiplied with for the words of a tool's name and namespace that the query has. */
function coverage(index: IndexedTools, statistics: ViewStatistics, known: ReadonlySet<number>, id: number): number {
  const start = index.sequenceStarts[id] ?? 0;
  const middle = start + (index.nameLengths[id] ?? 0);
  const end = middle + (index.namespaceLengths[id] ?? 0);
  const share = (from: number, to: number): number => {
    let [all, covered] = [0, 0];
    for (let i = from; i < to; i++) {
      const term = index.sequences[i] ?? GAP;
      const rarity = statistics.rarity(term);
      all += rarity;
      if (known.has(term)) covered += rarity;
    }
    return all === 0 ? 0 : covered / all;
  };
  return (1 + NAME_COVERAGE * share(start, middle)) * (1 + NAMESPACE_COVERAGE * share(middle, end));
}

/** The summed weight of the query's word pairs that are neighbours in the tool's name, title or description. */
function proximity(
  index: IndexedTools,
  rarities: ReadonlyMap<number, number>,
  known: ReadonlySet<number>,
  id: number,
): number {
  if (rarities.size === 0) return 0;
  const found = new Set<number>();
  let total = 0;
  const skipped = (index.nameLengths[id] ?? 0) + (index.namespaceLengths[id] ?? 0);
  const end = index.sequenceStarts[id + 1] ?? 0;
  for (let i = (index.sequenceStarts[id] ?? 0) + skipped; i + 1 < end; i++) {
    const term = index.sequences[i] ?? GAP;
    if (!known.has(term)) continue;
    const key = pairKey(term, index.sequences[i + 1] ?? GAP);
    if (found.has(key)) continue;
    found.add(key);
    total += rarities.get(key) ?? 0;
  }
  return total;
}

function pairOf(a: WeighedTerm | undefined, b: WeighedTerm | undefined): { key: number | undefined; rarity: number } {
  const rarity = Math.min(a?.rarity ?? 0, b?.rarity ?? 0);
  return { key: a?.isKnown && b?.isKnown ? pairKey(a.id ?? GAP, b.id ?? GAP) : undefined, rarity };
}

// Exact for lexicons of up to 2^26 terms.
function pairKey(a: number, b: number): number {
  return a * 2 ** 27 + b;
}

function ceilingOf(terms: readonly WeighedTerm[], pairs: readonly { rarity: number }[]): number {
  const words = terms.reduce((sum, { weight }) => sum + weight, 0);
  const neighbours = pairs.reduce((sum, { rarity }) => sum + rarity, 0);
  return words * (1 + NAME_COVERAGE) * (1 + NAMESPACE_COVERAGE) + PROXIMITY * neighbours;
}
