import type { ScoredTools, ScoreWindow, SlotFilter } from '../query/score-window.js';
import { EMPTY_SEGMENT, MAX_IMPACT, rowLength, rowStart, type Segment } from '../index/segment.js';
import { type Meaning, peakOf } from '../query/weighed-query.js';

// The same numbers added up in another order differ by less.
const ROUNDING = 1 + 1e-9;
// What finding one tool in a row costs, in postings that could be read instead.
const LOOK_UP_COST = 12;

/**
 * The postings of a query's meanings in one segment, each row of them read from begin to end: window by window, or for single
 * tools. Of several senses of a meaning the best one counts, so each gives a tool what is more than an earlier one has given.
 */
export class PostingRows {
  #segment: Segment = EMPTY_SEGMENT;
  #meanings: readonly Meaning[] = [];
  // Per row: the term, what one unit of impact gives, the next posting and the end of the postings.
  #ids = new Uint32Array(0);
  #units = new Float64Array(0);
  #next = new Uint32Array(0);
  #ends = new Uint32Array(0);
  // Per meaning: its first row; what it and all after it can give at most; how many postings they have.
  #firstRows = new Uint32Array(1);
  #rest = new Float64Array(1);
  #postings = new Float64Array(1);

  /** How many meanings there are. */
  get count(): number {
    return this.#meanings.length;
  }

  /** Makes the meanings of a query those that are read, in this order. */
  take(meanings: readonly Meaning[]): void {
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

  /** Begins to read the postings of a segment. */
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

  /** Lets go of the segment and the query. */
  close(): void {
    this.#segment = EMPTY_SEGMENT;
    this.#meanings = [];
  }

  /** What this meaning and all after it can add to a score at most. */
  restFrom(meaning: number): number {
    return this.#rest[meaning] ?? 0;
  }

  /** How many meanings there are before those that together give less than this to any tool. */
  essential(score: number): number {
    let essential = this.count;
    while (essential > 0 && this.restFrom(essential - 1) < score) essential -= 1;
    return essential;
  }

  /** Whether it is cheaper to look up so many tools in the rows from this meaning on than to read the rows in a window. */
  isLookUpCheaper(meaning: number, tools: number, { from, to }: ScoreWindow): boolean {
    const rows = this.#firstRow(this.count) - this.#firstRow(meaning);
    const postings = ((this.#postings[meaning] ?? 0) * (to - from)) / this.#segment.count;
    return tools * rows * LOOK_UP_COST < postings;
  }

  /** Adds what a meaning gives to the tools of a window; says whether it gives anything. */
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

  /** Adds what a meaning gives to single tools. */
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

  // Three loops that differ in a line or two: this is where a search spends its time, and a test in the loop would cost it.

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

  /** Goes on in a row to the first posting of this tool or a later one: in steps that double, then by halves. */
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
