import type { ToolSet } from '../../tool/tool-set.js';
import { BestFirst } from './best-first.js';
import type { IndexState } from './index-state.js';
import { MAX_IMPACT, rowLength, type Segment } from './segment.js';
import type { ViewStatistics } from './view-statistics.js';
import type { Meaning, Sense } from './weighed-query.js';

// Slots whose scores are added up at a time: few enough for them to stay in the processor's fastest memory.
const WINDOW = 4_096;

// A view that shows less than this share of the slots is looked at before a score is added up, others afterwards.
const SMALL_VIEW = 1 / 4;

/** A sense with its place among all senses of a query. */
interface Row {
  readonly sense: Sense;
  /** The first sense of its meaning. */
  readonly isFirst: boolean;
  /** Its meaning has no other; of several a tool's best one counts. */
  readonly isOnly: boolean;
}

/** What a slot has before any word is added up. */
export interface HeadStart {
  readonly slot: number;
  readonly gain: number;
}

/**
 * Adds up what the meanings of a query contribute to each tool (BM25F), and keeps the best. All are gone through side by side,
 * one window of slots after the other, so that scores are added up close to the processor and only those that may still be
 * among the best are looked at again.
 */
export class CandidateSearch {
  readonly #scores = new Float64Array(WINDOW);
  // What the best sense so far of the meaning at hand has given to each slot of the window.
  readonly #gains = new Float64Array(WINDOW);
  readonly #best = new BestFirst();
  // Per row: its next posting in the segment at hand, and the end of its postings.
  #next = new Uint32Array(64);
  #ends = new Uint32Array(64);

  /**
   * The best slots, best first, at most `limit`. They are to be taken before the next query: its buffers are the same.
   *
   * @param meanings in the order in which contributions are added up
   * @param among only these tools may be candidates
   * @param headStarts of visible slots
   */
  find(
    state: IndexState,
    statistics: ViewStatistics,
    meanings: readonly Meaning[],
    limit: number,
    among?: ToolSet,
    headStarts: readonly HeadStart[] = [],
  ): BestFirst {
    const rows = meanings.flatMap(({ senses }) =>
      senses.map((sense, index): Row => ({ sense, isFirst: index === 0, isOnly: senses.length === 1 })),
    );
    if (this.#next.length < rows.length) {
      this.#next = new Uint32Array(2 * rows.length);
      this.#ends = new Uint32Array(2 * rows.length);
    }
    this.#best.clear(limit);
    const { slots } = statistics;
    const accepts = (slot: number): boolean => statistics.sees(slot) && (!among || among.has(state.idOf(slot)));
    // Where little is visible it is cheaper to look before a score is added up, elsewhere afterwards.
    const filter = statistics.size < SMALL_VIEW * state.slots ? slots : undefined;
    this.#search(state.base, 0, rows, headStarts, filter, accepts);
    this.#search(state.delta, state.base.count, rows, headStarts, filter, accepts);
    return this.#best.order((slot, other) => state.isBefore(slot, other));
  }

  #search(
    segment: Segment,
    offset: number,
    rows: readonly Row[],
    headStarts: readonly HeadStart[],
    filter: Uint32Array | undefined,
    accepts: (slot: number) => boolean,
  ): void {
    for (const [row, { sense }] of rows.entries()) {
      this.#next[row] = segment.starts[sense.id] ?? 0;
      this.#ends[row] = (segment.starts[sense.id] ?? 0) + rowLength(segment, sense.id);
    }
    for (let from = 0; from < segment.count; from += WINDOW) {
      let isTouched = false;
      for (const { slot, gain } of headStarts) {
        const place = slot - offset - from;
        if (place < 0 || place >= Math.min(WINDOW, segment.count - from)) continue;
        this.#scores[place] = (this.#scores[place] ?? 0) + gain;
        isTouched = true;
      }
      for (const [row, { sense, isFirst, isOnly }] of rows.entries()) {
        if (isFirst && !isOnly) this.#gains.fill(0);
        if (filter) isTouched = this.#addVisible(segment, row, sense, from, offset, filter, isOnly) || isTouched;
        else
          isTouched =
            (isOnly ? this.#add(segment, row, sense, from) : this.#raise(segment, row, sense, from)) || isTouched;
      }
      if (isTouched) this.#offer(Math.min(WINDOW, segment.count - from), offset + from, accepts);
    }
  }

  /** Adds what a sense gives to the slots of a window; says whether it gives anything. */
  #add({ tools, impacts }: Segment, row: number, { weight }: Sense, from: number): boolean {
    const scores = this.#scores;
    const unit = weight / MAX_IMPACT;
    const to = from + WINDOW;
    const start = this.#next[row] ?? 0;
    const end = this.#ends[row] ?? 0;
    let position = start;
    for (; position < end; position++) {
      const tool = tools[position] ?? to;
      if (tool >= to) break;
      scores[tool - from] = (scores[tool - from] ?? 0) + unit * (impacts[position] ?? 0);
    }
    this.#next[row] = position;
    return position > start;
  }

  /** The same for one of several senses: what is more than an earlier one has given. */
  #raise({ tools, impacts }: Segment, row: number, { weight }: Sense, from: number): boolean {
    const scores = this.#scores;
    const gains = this.#gains;
    const unit = weight / MAX_IMPACT;
    const to = from + WINDOW;
    const start = this.#next[row] ?? 0;
    const end = this.#ends[row] ?? 0;
    let position = start;
    for (; position < end; position++) {
      const tool = tools[position] ?? to;
      if (tool >= to) break;
      const place = tool - from;
      const before = gains[place] ?? 0;
      const gain = Math.max(before, unit * (impacts[position] ?? 0));
      scores[place] = (scores[place] ?? 0) + (gain - before);
      gains[place] = gain;
    }
    this.#next[row] = position;
    return position > start;
  }

  /** Either of the two for the slots that have a bit. */
  #addVisible(
    { tools, impacts }: Segment,
    row: number,
    { weight }: Sense,
    from: number,
    offset: number,
    visible: Uint32Array,
    isOnly: boolean,
  ): boolean {
    const scores = this.#scores;
    const gains = this.#gains;
    const unit = weight / MAX_IMPACT;
    const to = from + WINDOW;
    const end = this.#ends[row] ?? 0;
    let position = this.#next[row] ?? 0;
    let isTouched = false;
    for (; position < end; position++) {
      const tool = tools[position] ?? to;
      if (tool >= to) break;
      const slot = offset + tool;
      if ((((visible[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 0) continue;
      const place = tool - from;
      const before = isOnly ? 0 : (gains[place] ?? 0);
      const gain = Math.max(before, unit * (impacts[position] ?? 0));
      scores[place] = (scores[place] ?? 0) + (gain - before);
      gains[place] = gain;
      isTouched = true;
    }
    this.#next[row] = position;
    return isTouched;
  }

  #offer(length: number, firstSlot: number, accepts: (slot: number) => boolean): void {
    const scores = this.#scores;
    let { floor } = this.#best;
    for (let i = 0; i < length; i++) {
      const score = scores[i] ?? 0;
      if (score < floor || score === 0 || !accepts(firstSlot + i)) continue;
      floor = this.#best.add(firstSlot + i, score);
    }
    scores.fill(0, 0, length);
  }
}
