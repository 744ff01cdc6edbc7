/** Some tools as flat arrays, in catalog order. Immutable and independent of views and of other tools. */
export interface Segment {
  readonly count: number;
  /** The postings of row `r` are from `starts[r]` up to, not including, `starts[r + 1]`, ascending by tool. */
  readonly starts: Uint32Array;
  /** The row of each term; a term without an entry has no row. Left out if each term is its own row. */
  readonly rows?: ReadonlyMap<number, number>;
  /** Per posting: the tool's number in this segment. */
  readonly tools: Uint32Array;
  /** Per posting: the weight of the term in the tool, 1 to {@link MAX_IMPACT}. */
  readonly impacts: Uint16Array;
  /** The sequence of tool `i` is from `sequenceStarts[i]` up to, not including, `sequenceStarts[i + 1]`. */
  readonly sequenceStarts: Uint32Array;
  /** Per tool: the terms of its name, of its namespace, then name, title and description in word order. */
  readonly sequences: Uint32Array;
  readonly nameLengths: Uint8Array;
  readonly namespaceLengths: Uint8Array;
}

/** Impacts are stored in 16 bits; this is the impact of a fully saturated term. */
export const MAX_IMPACT = 65_535;

/** Separates texts in a sequence, so that no word pair spans two texts. */
export const GAP = 0;

/** Marks a tool without a position or id in a table. */
export const GONE = -1;

export const EMPTY_SEGMENT: Segment = {
  count: 0,
  starts: new Uint32Array(1),
  tools: new Uint32Array(0),
  impacts: new Uint16Array(0),
  sequenceStarts: new Uint32Array(1),
  sequences: new Uint32Array(0),
  nameLengths: new Uint8Array(0),
  namespaceLengths: new Uint8Array(0),
};

/** Start of a term's postings; 0 if it has none. */
export function rowStart({ starts, rows }: Segment, term: number): number {
  return starts[rows ? (rows.get(term) ?? 0) : term] ?? 0;
}

/** Number of the segment's tools that have a term. */
export function rowLength({ starts, rows }: Segment, term: number): number {
  const row = rows ? (rows.get(term) ?? starts.length) : term;
  return row + 1 < starts.length ? (starts[row + 1] ?? 0) - (starts[row] ?? 0) : 0;
}

/** The impact of a term in a tool of the segment; 0 if the tool does not have it. */
export function impactIn(segment: Segment, term: number, tool: number): number {
  const start = rowStart(segment, term);
  const end = start + rowLength(segment, term);
  const position = positionOf(tool, segment.tools, start, end);
  return position < end ? (segment.impacts[position] ?? 0) : 0;
}

/** Position of a tool's posting between `start` and `end` (binary search); `end` if it has none. */
export function positionOf(tool: number, tools: Uint32Array, start: number, end: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tools[middle] ?? 0) < tool) low = middle + 1;
    else high = middle;
  }
  return low < end && tools[low] === tool ? low : end;
}
