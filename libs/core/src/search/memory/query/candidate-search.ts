import type { ToolSet } from '../../../tool/snapshot/tool-set.js';
import { TopKHeap } from './top-k-heap.js';
import type { SearchState } from '../index/index-state.js';
import { PostingCursors } from '../postings/posting-cursors.js';
import type { ScoredTools, ScoreWindow, SlotFilter } from './score-window.js';
import type { Segment } from '../index/segment.js';
import type { ViewStatistics } from './view-statistics.js';
import type { TermGroup } from './query-plan.js';

// Number of tools scored at a time: few enough to stay in the processor's fastest cache. The first windows are smaller,
// because their results save work in later ones.
const WINDOW = 2_048;
const FIRST_WINDOW = 512;

// The meanings that are not read for every tool may together give this share of the score to beat. With the full score
// too many tools would be promising.
const UNREAD_SHARE = 1 / 2;
// If a view shows a smaller share of the slots, visibility is checked before scores are summed, else afterwards.
const SMALL_VIEW = 1 / 4;

/** A score that a slot has before words are added. */
export interface HeadStart {
  readonly slot: number;
  readonly gain: number;
}

/**
 * Sums the contributions of a query's meanings to each tool (BM25F) and keeps the best: exactly those that summing and
 * sorting everything would give. Tools are processed window by window. Once the weakest meanings alone cannot lift a
 * tool into the best so far, they are read only for tools that already have a score and can still reach the best (after
 * MaxScore: Turtle and Flood, "Query evaluation: strategies and optimizations", 1995).
 */
export class CandidateSearch {
  readonly #rows = new PostingCursors();
  readonly #best = new TopKHeap();
  readonly #window: ScoreWindow = { from: 0, to: 0, scores: new Float64Array(WINDOW), gains: new Float64Array(WINDOW) };
  // Tools of the window that can still become one of the best.
  readonly #promising: ScoredTools = {
    count: 0,
    tools: new Uint32Array(WINDOW),
    scores: new Float64Array(WINDOW),
    gains: new Float64Array(WINDOW),
  };

  /**
   * The best slots, best first, at most `limit`. Take them before the next query, which reuses the buffers.
   *
   * @param meanings largest contribution first, in the order of summation
   * @param among only these tools may be candidates
   * @param headStarts of visible slots
   */
  find(
    state: SearchState,
    statistics: ViewStatistics,
    meanings: readonly TermGroup[],
    limit: number,
    among?: ToolSet,
    headStarts: readonly HeadStart[] = [],
  ): TopKHeap {
    this.#rows.take(meanings);
    this.#best.clear(limit);
    const { slots } = statistics;
    const accepts = (slot: number): boolean => statistics.sees(slot) && (!among || among.has(state.idOf(slot)));
    // If few tools are visible it is cheaper to check before summing a score, else afterwards.
    const bits = statistics.size < SMALL_VIEW * state.slots ? slots : undefined;
    for (const { segment, offset } of state.segments) this.#search(segment, offset, headStarts, bits, accepts);
    this.#rows.close();
    return this.#best.order((slot, other) => state.isBefore(slot, other));
  }

  #search(
    segment: Segment,
    offset: number,
    headStarts: readonly HeadStart[],
    bits: Uint32Array | undefined,
    accepts: (slot: number) => boolean,
  ): void {
    const rows = this.#rows;
    const window = this.#window;
    const filter = bits && { bits, offset };
    rows.open(segment);
    for (window.from = 0; window.from < segment.count; window.from = window.to) {
      window.to = Math.min(segment.count, window.from + Math.min(WINDOW, Math.max(FIRST_WINDOW, window.from)));
      let isTouched = this.#giveHeadStarts(headStarts, offset);
      const essential = rows.essential(UNREAD_SHARE * this.#best.floor);
      for (let meaning = 0; meaning < essential; meaning++) {
        isTouched = rows.add(meaning, window, filter) || isTouched;
      }
      if (!isTouched) continue;
      if (essential === rows.count) this.#offerAll(offset, accepts);
      else this.#offerPromising(essential, offset, filter, accepts);
      window.scores.fill(0, 0, window.to - window.from);
    }
  }

  #giveHeadStarts(headStarts: readonly HeadStart[], offset: number): boolean {
    const { from, to, scores } = this.#window;
    let isTouched = false;
    for (const { slot, gain } of headStarts) {
      const tool = slot - offset;
      if (tool < from || tool >= to) continue;
      scores[tool - from] = (scores[tool - from] ?? 0) + gain;
      isTouched = true;
    }
    return isTouched;
  }

  #offerAll(offset: number, accepts: (slot: number) => boolean): void {
    const { from, to, scores } = this.#window;
    let { floor } = this.#best;
    for (let i = 0; i < to - from; i++) {
      const score = scores[i] ?? 0;
      if (score < floor || score === 0 || !accepts(offset + from + i)) continue;
      floor = this.#best.add(offset + from + i, score);
    }
  }

  /** Completes the scores of the tools that can reach the floor, and offers those tools. */
  #offerPromising(
    essential: number,
    offset: number,
    filter: SlotFilter | undefined,
    accepts: (slot: number) => boolean,
  ): void {
    const rows = this.#rows;
    const window = this.#window;
    const promising = this.#promising;
    this.#gatherPromising(this.#best.floor - rows.restFrom(essential));
    const { tools, scores } = promising;
    const isLookedUp = rows.isLookUpCheaper(essential, promising.count, window);
    for (let meaning = essential; meaning < rows.count && promising.count > 0; meaning++) {
      if (!isLookedUp) {
        rows.add(meaning, window, filter);
        continue;
      }
      rows.lookUp(meaning, promising);
      this.#dropBelow(this.#best.floor - rows.restFrom(meaning + 1));
    }
    for (let i = 0; i < promising.count; i++) {
      const tool = tools[i] ?? 0;
      const score = (isLookedUp ? scores[i] : window.scores[tool - window.from]) ?? 0;
      if (score >= this.#best.floor && accepts(offset + tool)) this.#best.add(offset + tool, score);
    }
  }

  #gatherPromising(floor: number): void {
    const { from, to, scores } = this.#window;
    const promising = this.#promising;
    let count = 0;
    for (let i = 0; i < to - from; i++) {
      const score = scores[i] ?? 0;
      if (score < floor || score === 0) continue;
      promising.tools[count] = from + i;
      promising.scores[count++] = score;
    }
    promising.count = count;
  }

  #dropBelow(floor: number): void {
    const { tools, scores, count } = this.#promising;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const score = scores[i] ?? 0;
      if (score < floor) continue;
      tools[kept] = tools[i] ?? 0;
      scores[kept++] = score;
    }
    this.#promising.count = kept;
  }
}
