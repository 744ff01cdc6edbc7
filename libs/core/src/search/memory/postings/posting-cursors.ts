import type { ScoredTools, ScoreWindow, SlotFilter } from '../query/score-window.js';
import { EMPTY_SEGMENT, MAX_IMPACT, rowLength, rowStart, type Segment } from '../index/segment.js';
import { type TermGroup, peakOf } from '../query/query-plan.js';

// Sums of the same numbers in another order differ by less.
const ROUNDING = 1 + 1e-9;
// Cost of finding one tool in a row, relative to reading one posting.
const LOOK_UP_COST = 12;

/**
 * The postings of a query's meanings in one segment. Each row is read once from start to end: window by window, or for
 * single tools. Of several senses of a meaning the best counts, so a sense adds only the amount by which it exceeds the
 * earlier ones.
 */
export class PostingCursors {
  #segment: Segment = EMPTY_SEGMENT;
  #meanings: readonly TermGroup[] = [];
  // Per row: the term, the gain per unit of impact, the next posting and the end of the postings.
  #ids = new Uint32Array(0);
  #units = new Float64Array(0);
  #next = new Uint32Array(0);
  #ends = new Uint32Array(0);
  // Per meaning: its first row; the maximum gain and the number of postings of it and all later meanings.
  #firstRows = new Uint32Array(1);
  #rest = new Float64Array(1);
  #postings = new Float64Array(1);

  get count(): number {
    return this.#meanings.length;
  }

  take(meanings: readonly TermGroup[]): void {
    this.#meanings = meanings;
    this.#reserve(
      meanings.length + 1,
      meanings.reduce((rows, { senses }) => rows + senses.length, 0),
    );
    let row = 0;
    for (const [meaning, { senses }] of meanings.entries()) {
      this.#firstRows[meaning] = row;
      for (const { id, weight } of senses) {
        this.#ids[row] = id;
        this.#units[row++] = weight / MAX_IMPACT;
      }
    }
    this.#firstRows[meanings.length] = row;
    this.#rest[meanings.length] = 0;
    for (let meaning = meanings.length - 1; meaning >= 0; meaning--) {
      const own = meanings[meaning];
      this.#rest[meaning] = this.restFrom(meaning + 1) + (own ? peakOf(own) * ROUNDING : 0);
    }
  }

  open(segment: Segment): void {
    this.#segment = segment;
    this.#postings[this.count] = 0;
    for (let meaning = this.count - 1; meaning >= 0; meaning--) {
      let postings = this.#postings[meaning + 1] ?? 0;
      for (let row = this.#firstRow(meaning); row < this.#firstRow(meaning + 1); row++) {
        const id = this.#ids[row] ?? 0;
        const start = rowStart(segment, id);
        const length = rowLength(segment, id);
        this.#next[row] = start;
        this.#ends[row] = start + length;
        postings += length;
      }
      this.#postings[meaning] = postings;
    }
  }

  close(): void {
    this.#segment = EMPTY_SEGMENT;
    this.#meanings = [];
  }

  /** The maximum that this meaning and all later ones can add to a score. */
  restFrom(meaning: number): number {
    return this.#rest[meaning] ?? 0;
  }

  /** Number of leading meanings that must be read: the remaining ones together add less than `score` to any tool. */
  essential(score: number): number {
    let essential = this.count;
    while (essential > 0 && this.restFrom(essential - 1) < score) essential -= 1;
    return essential;
  }

  /** Whether looking up this many tools in the rows from this meaning on is cheaper than reading these in a window. */
  isLookUpCheaper(meaning: number, tools: number, { from, to }: ScoreWindow): boolean {
    const rows = this.#firstRow(this.count) - this.#firstRow(meaning);
    const postings = ((this.#postings[meaning] ?? 0) * (to - from)) / this.#segment.count;
    return tools * rows * LOOK_UP_COST < postings;
  }

  /** Adds the gains of a meaning to the tools of a window. Returns whether there were any. */
  add(meaning: number, window: ScoreWindow, filter: SlotFilter | undefined): boolean {
    const first = this.#firstRow(meaning);
    const end = this.#firstRow(meaning + 1);
    const isOnly = end - first === 1 && !filter;
    if (!isOnly) window.gains.fill(0, 0, window.to - window.from);
    let isTouched = false;
    for (let row = first; row < end; row++) {
      const start = this.#seek(row, window.from);
      const stop = filter
        ? this.#addVisible(row, start, window, filter)
        : isOnly
          ? this.#addOnly(row, start, window)
          : this.#addBetter(row, start, window);
      this.#next[row] = stop;
      isTouched ||= stop > start;
    }
    return isTouched;
  }

  lookUp(meaning: number, { count, tools, scores, gains }: ScoredTools): void {
    gains.fill(0, 0, count);
    for (let row = this.#firstRow(meaning); row < this.#firstRow(meaning + 1); row++) {
      const unit = this.#units[row] ?? 0;
      const end = this.#ends[row] ?? 0;
      for (let i = 0; i < count; i++) {
        const tool = tools[i] ?? 0;
        const position = this.#seek(row, tool);
        if (position === end) break;
        if (this.#segment.tools[position] !== tool) continue;
        const before = gains[i] ?? 0;
        const gain = unit * (this.#segment.impacts[position] ?? 0);
        if (gain <= before) continue;
        scores[i] = (scores[i] ?? 0) + (gain - before);
        gains[i] = gain;
      }
    }
  }

  // Three loops that differ in a line or two: a search spends most of its time here, and a condition inside the loop
  // would slow it down.

  #addOnly(row: number, start: number, { from, to, scores }: ScoreWindow): number {
    const { tools, impacts } = this.#segment;
    const unit = this.#units[row] ?? 0;
    const end = this.#ends[row] ?? 0;
    let position = start;
    for (; position < end; position++) {
      const tool = tools[position] ?? to;
      if (tool >= to) break;
      const place = (tool - from) | 0;
      scores[place] = (scores[place] ?? 0) + unit * (impacts[position] ?? 0);
    }
    return position;
  }

  #addBetter(row: number, start: number, { from, to, scores, gains }: ScoreWindow): number {
    const { tools, impacts } = this.#segment;
    const unit = this.#units[row] ?? 0;
    const end = this.#ends[row] ?? 0;
    let position = start;
    for (; position < end; position++) {
      const tool = tools[position] ?? to;
      if (tool >= to) break;
      const place = (tool - from) | 0;
      const before = gains[place] ?? 0;
      const gain = unit * (impacts[position] ?? 0);
      if (gain <= before) continue;
      scores[place] = (scores[place] ?? 0) + (gain - before);
      gains[place] = gain;
    }
    return position;
  }

  #addVisible(
    row: number,
    start: number,
    { from, to, scores, gains }: ScoreWindow,
    { bits, offset }: SlotFilter,
  ): number {
    const { tools, impacts } = this.#segment;
    const unit = this.#units[row] ?? 0;
    const end = this.#ends[row] ?? 0;
    let position = start;
    for (; position < end; position++) {
      const tool = tools[position] ?? to;
      if (tool >= to) break;
      const slot = (offset + tool) | 0;
      if ((((bits[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 0) continue;
      const place = (tool - from) | 0;
      const before = gains[place] ?? 0;
      const gain = unit * (impacts[position] ?? 0);
      if (gain <= before) continue;
      scores[place] = (scores[place] ?? 0) + (gain - before);
      gains[place] = gain;
    }
    return position;
  }

  /** Advances in a row to the first posting of this tool or a later one, by galloping search. */
  #seek(row: number, tool: number): number {
    const { tools } = this.#segment;
    const end = this.#ends[row] ?? 0;
    let low = this.#next[row] ?? 0;
    if (low === end || (tools[low] ?? 0) >= tool) return low;
    let step = 1;
    while (low + step < end && (tools[low + step] ?? 0) < tool) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, end);
    while (low + 1 < high) {
      const middle = (low + high) >>> 1;
      if ((tools[middle] ?? 0) < tool) low = middle;
      else high = middle;
    }
    this.#next[row] = high;
    return high;
  }

  #firstRow(meaning: number): number {
    return this.#firstRows[meaning] ?? 0;
  }

  #reserve(meanings: number, rows: number): void {
    if (this.#firstRows.length < meanings) {
      this.#firstRows = new Uint32Array(2 * meanings);
      this.#rest = new Float64Array(2 * meanings);
      this.#postings = new Float64Array(2 * meanings);
    }
    if (this.#ids.length >= rows) return;
    this.#ids = new Uint32Array(2 * rows);
    this.#units = new Float64Array(2 * rows);
    this.#next = new Uint32Array(2 * rows);
    this.#ends = new Uint32Array(2 * rows);
  }
}
