/**
 * Some tools as flat arrays, numbered from 0 in the order of the catalog. It never changes and knows nothing of a view or of
 * the tools beside it, so a change of the catalog can keep it.
 */
export interface Segment {
  /** How many tools it holds. */
  readonly count: number;
  /** The postings of row `r` are at `starts[r]` up to, not including, `starts[r + 1]`, in rising order of the tool. */
  readonly starts: Uint32Array;
  /** The row of each term it knows. A term without one has no row; left out where each term is its own row. */
  readonly rows?: ReadonlyMap<number, number>;
  /** Per posting: the tool's number in this segment. */
  readonly tools: Uint32Array;
  /** Per posting: how strongly the tool speaks of the term, 1 to {@link MAX_IMPACT}. */
  readonly impacts: Uint16Array;
  /** The sequence of tool `i` is at `sequenceStarts[i]` up to, not including, `sequenceStarts[i + 1]`. */
  readonly sequenceStarts: Uint32Array;
  /** Per tool: the terms of its name, of its namespace, then name, title and description as they are read. */
  readonly sequences: Uint32Array;
  readonly nameLengths: Uint8Array;
  readonly namespaceLengths: Uint8Array;
}

/** Impacts are stored in 16 bits; this one stands for a term that saturates a tool completely. */
export const MAX_IMPACT = 65_535;

/** Separates texts in a sequence, so that no pair of words reaches over the gap. */
export const GAP = 0;

/** Says in a table of positions or ids that a tool has none. */
export const GONE = -1;

/** A segment without tools. */
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

/** Where a term's postings begin; 0 if it has none. */
export function rowStart({ starts, rows }: Segment, term: number): number {
  return starts[rows ? (rows.get(term) ?? 0) : term] ?? 0;
}

/** In how many of the segment's tools a term occurs. */
export function rowLength({ starts, rows }: Segment, term: number): number {
  const row = rows ? (rows.get(term) ?? starts.length) : term;
  return row + 1 < starts.length ? (starts[row + 1] ?? 0) - (starts[row] ?? 0) : 0;
}

/** How strongly a tool of the segment speaks of a term, 0 if it does not have it. */
export function impactIn(segment: Segment, term: number, tool: number): number {
  const start = rowStart(segment, term);
  const end = start + rowLength(segment, term);
  const position = positionOf(tool, segment.tools, start, end);
  return position < end ? (segment.impacts[position] ?? 0) : 0;
}

/** Where a tool's posting is between `start` and `end`; `end` if it has none. */
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
