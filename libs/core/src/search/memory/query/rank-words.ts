import type { ToolSet } from '../../../tool/snapshot/tool-set.js';
import { BestHits } from '../../best-hits.js';
import { verdictOn, WITNESSES } from '../../search-verdict.js';
import type { LearnedOverlay } from '../../learned/learned-overlay.js';
import type { QueryTerms } from '../../text/query-terms.js';
import type { SearchVerdict } from '../../../tool/tool-event.js';
import { MAX_MATCHING, type ScorePart } from '../../tool-index.js';
import { CandidateSearch, type HeadStart } from './candidate-search.js';
import { NearDuplicates } from '../index/near-duplicates.js';
import { explainScore } from './explain-score.js';
import type { SearchState } from '../index/index-state.js';
import { MAX_COVERAGE, QueryWords } from './query-words.js';
import { GONE, impactIn } from '../index/segment.js';
import type { ViewStatistics } from './view-statistics.js';
import { planQuery, type QueryPlan } from './query-plan.js';

export interface RankedTool {
  /** Dense id. */
  readonly id: number;
  /** Above 0, up to 1. */
  readonly score: number;
  readonly matched: readonly string[];
  /** Dense ids of the near-copies that it represents, best first; only if there are any. */
  readonly similar?: readonly number[];
  /** Only if the query asks to explain scores. */
  readonly parts?: readonly ScorePart[];
}

export interface RankedTools {
  /** Best first. */
  readonly hits: readonly RankedTool[];
  /** Words of the query that no visible tool has; without numbers, which are values more often than words. */
  readonly unmatched: readonly string[];
  readonly verdict: SearchVerdict;
  /** Tools that may be hits and have one of the words, counted up to {@link MAX_MATCHING}. */
  readonly matching: number;
}

/** Selects the tools that may be hits, and their maximum number. */
export interface RankScope {
  readonly among?: ToolSet;
  /** Number of visible tools that may be hits. */
  readonly tools: number;
  readonly limit: number;
  readonly learned?: LearnedOverlay;
  readonly explain?: boolean;
}

// Coverage is computed for the tools with the best words, proximity for the best of those.
const MIN_CANDIDATES = MAX_MATCHING;
const MIN_FINALISTS = 30;
const MAX_CANDIDATES = 10_000;
// Fitted on labelled sets and requests that no tool serves, in catalogs cut to 10 to 3,000 tools: docs/benchmarks.md.
const NEEDED_FOR_FOUND = 0.35;

/**
 * Ranks the visible tools by the words of a query: BM25F, then the share of a tool's name and namespace that the query
 * covers, then adjacent words of the query that are adjacent in the tool's text too. A score is relative to a tool that
 * has every word of the query everywhere, 0 to 1.
 */
export class WordRanking {
  readonly #candidates = new CandidateSearch();
  readonly #words = new QueryWords();

  /** Runs without a pause, because the buffers serve one query at a time. */
  rank(state: SearchState, statistics: ViewStatistics, terms: QueryTerms, scope: RankScope): RankedTools {
    const { limit } = scope;
    const sees = (tool: number): boolean => state.slotOf(tool) !== GONE && statistics.sees(state.slotOf(tool));
    const query = planQuery(
      terms,
      state.lexicon,
      statistics,
      (term) =>
        // A learned query for a hidden tool must not even make a word known.
        (scope.learned?.postings(term) ?? []).filter(({ tool }) => sees(tool)),
      scope.learned?.isShown,
    );
    const learned = query.learned.map(({ tool, gain }) => ({ slot: state.slotOf(tool), gain }));
    const isBefore = (slot: number, other: number): boolean => state.isBefore(slot, other);
    this.#words.take(query, state.lexicon.size);

    const { finalists, copies, matching } = this.#finalists(state, statistics, query, learned, scope);
    const ceiling = query.termWeight * MAX_COVERAGE + query.pairWeight;
    const best = new BestHits(Math.max(limit, WITNESSES), isBefore);
    for (const { id, score } of finalists.sorted()) {
      best.offer(id, (score + this.#words.proximity(state, id)) / ceiling);
    }
    const ranked = best.sorted();
    const matches = ranked.map(({ id: slot }) => matchedWords(state, query, slot, true));
    const witnesses = ranked.slice(0, WITNESSES).map(({ score }, rank) => {
      return { score, words: matches[rank]?.length ?? 0 };
    });
    const hits = ranked.slice(0, limit).map(({ id: slot, score }, position): RankedTool => {
      const matched = query.showsLearned ? matches[position] : matchedWords(state, query, slot, false);
      const similar = copies.copiesOf(slot).map((copy) => state.idOf(copy));
      // Learned queries add to what a tool can reach by its own words, so the sum may exceed 1.
      const hit = {
        id: state.idOf(slot),
        score: Math.min(1, score),
        matched: matched ?? [],
        ...(similar.length > 0 && { similar }),
      };
      if (!scope.explain) return hit;
      const coverage = this.#words.coverage(state, statistics, slot);
      const agreement = this.#words.agreement(state, slot);
      const proximity = this.#words.proximity(state, slot);
      // If a score was capped at 1, its parts are scaled down with it.
      const divisor = ceiling * Math.max(1, score);
      return { ...hit, parts: explainScore(state, query, slot, { coverage, agreement, proximity, ceiling: divisor }) };
    });
    return { hits, unmatched: query.unmatched, verdict: verdictOn(witnesses, scope.tools, NEEDED_FOR_FOUND), matching };
  }

  /** The tools with the best words and names, and the near-copies of each. */
  #finalists(
    state: SearchState,
    statistics: ViewStatistics,
    query: QueryPlan,
    learned: readonly HeadStart[],
    { limit, among }: RankScope,
  ): { finalists: BestHits; copies: NearDuplicates; matching: number } {
    const wanted = Math.max(limit, WITNESSES);
    for (let depth = Math.max(MIN_CANDIDATES, 5 * limit); ; depth *= 8) {
      const candidates = this.#candidates.find(state, statistics, query.meanings, depth, among, learned);
      const matching = Math.min(MAX_MATCHING, candidates.size);
      const finalists = new BestHits(Math.max(MIN_FINALISTS, 3 * limit), (a, b) => state.isBefore(a, b));
      const copies = new NearDuplicates(state);
      let [taken, distinct] = [0, 0];
      for (let slot = candidates.take(); slot !== undefined; slot = candidates.take()) {
        taken += 1;
        // No remaining tool can reach the floor, even with a full match of its name.
        if (candidates.score * MAX_COVERAGE < finalists.floor) break;
        if (candidates.score * this.#words.coverageBound(state, slot) < finalists.floor) continue;
        if (!copies.add(slot)) continue;
        distinct += 1;
        const agreement = this.#words.agreement(state, slot);
        finalists.offer(slot, candidates.score * this.#words.coverage(state, statistics, slot) * agreement);
      }
      candidates.clear(0);
      // Copies may have displaced other candidates: search deeper.
      if (distinct >= wanted || taken < depth || depth > MAX_CANDIDATES) return { finalists, copies, matching };
    }
  }
}

/** @param withLearned whether words count that the tool has only through learned queries */
function matchedWords(
  state: SearchState,
  { words, learned }: QueryPlan,
  slot: number,
  withLearned: boolean,
): readonly string[] {
  const segment = state.segmentOf(slot);
  const tool = state.numberOf(slot);
  const lessons = new Set(
    (withLearned ? learned : []).filter((gain) => gain.tool === state.idOf(slot)).map(({ term }) => term),
  );
  return words
    .filter(({ meanings }) =>
      meanings.some(
        ({ term, senses }) =>
          senses.some(({ id }) => impactIn(segment, id, tool) > 0) || (term !== undefined && lessons.has(term)),
      ),
    )
    .map(({ word }) => word);
}
