import type { ToolSet } from '../../../tool/snapshot/tool-set.js';
import { BestFirst } from './best-first.js';
import type { SearchState } from '../index/index-state.js';
import { PostingRows } from '../postings/posting-rows.js';
import type { ScoredTools, ScoreWindow, SlotFilter } from './score-window.js';
import type { Segment } from '../index/segment.js';
import type { ViewStatistics } from './view-statistics.js';
import type { Meaning } from './weighed-query.js';

// Tools whose scores are added up at a time: few enough for them to stay in the processor's fastest memory. The first windows
// are smaller, because what they find spares work in the later ones.
const WINDOW = 2_048;
const FIRST_WINDOW = 512;

// How much of the score to beat the meanings may give together that are not read everywhere. With all of it too many tools
// would be promising.
const UNREAD_SHARE = 1 / 2;

// A view that shows less than this share of the slots is looked at before a score is added up, others afterwards.
const SMALL_VIEW = 1 / 4;

/** What a slot has before any word is added up. */
export interface HeadStart {
  readonly slot: number;
  readonly gain: number;
}

/**
 * Adds up what the meanings of a query contribute to each tool (BM25F), and keeps the best: exactly those that adding up
 * everything and sorting it would give. Tools are gone through window by window. As soon as the best so far are so good that
 * the weakest meanings cannot make one of them, these are read for the tools alone that have something already and might
 * still get there (after MaxScore: Turtle and Flood, "Query evaluation: strategies and optimizations", 1995).
 */
export class CandidateSearch {
  readonly #rows = new PostingRows();
  readonly #best = new BestFirst();
  readonly #window: ScoreWindow = { from: 0, to: 0, scores: new Float64Array(WINDOW), gains: new Float64Array(WINDOW) };
  // Tools of the window that may still become one of the best.
  readonly #promising: ScoredTools = {
    count: 0,
    tools: new Uint32Array(WINDOW),
    scores: new Float64Array(WINDOW),
    gains: new Float64Array(WINDOW),
  };

  /**
   * The best slots, best first, at most `limit`. They are to be taken before the next query: its buffers are the same.
   *
   * @param meanings largest contribution first; so they are added up
   * @param among only these tools may be candidates
   * @param headStarts of visible slots
   */
  find(
    state: SearchState,
    statistics: ViewStatistics,
    meanings: readonly Meaning[],
    limit: number,
    among?: ToolSet,
    headStarts: readonly HeadStart[] = [],
  ): BestFirst {
    this.#rows.take(meanings);
    this.#best.clear(limit);
    const { slots } = statistics;
    const accepts = (slot: number): boolean => statistics.sees(slot) && (!among || among.has(state.idOf(slot)));
    // Where little is visible it is cheaper to look before a score is added up, elsewhere afterwards.
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

  /** Completes the scores of the tools that might get to the floor, and offers these. */
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
