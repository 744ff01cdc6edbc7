/**
 * The binary layout of a segment: a header of 32-bit numbers, then the columns, each aligned to four bytes. Numbers are
 * in the machine's byte order; a machine with another order does not find the magic number and builds a new index.
 */

/** First number of the header: "TSSG". */
export const MAGIC = 0x4753_5354;

/** Second number. Raise it with every change of the layout. */
export const FORMAT_VERSION = 1;

/** Position of each number in the header. */
export const HEADER = {
  magic: 0,
  format: 1,
  analysis: 2,
  /** CRC-32 of all bytes after it. */
  checksum: 3,
  tools: 4,
  terms: 5,
  postings: 6,
  sequences: 7,
  lexiconBytes: 8,
  hashBytes: 9,
} as const;

export const HEADER_BYTES = 4 * 10;

/** Start of the bytes that the checksum covers. */
export const CHECKED_FROM = 4 * (HEADER.checksum + 1);

/** The sizes of a segment's columns, as stored in its header. */
export interface SegmentSizes {
  readonly tools: number;
  /** One more than the largest term. */
  readonly terms: number;
  readonly postings: number;
  readonly sequences: number;
  readonly lexiconBytes: number;
  readonly hashBytes: number;
}

/** Positions of the columns of a segment with these sizes, and the end of the last one. */
export function columnsOf(sizes: SegmentSizes) {
  let end = HEADER_BYTES;
  const column = (bytes: number): number => {
    const start = end;
    end += 4 * Math.ceil(bytes / 4);
    return start;
  };
  return {
    starts: column(4 * (sizes.terms + 1)),
    sequenceStarts: column(4 * (sizes.tools + 1)),
    tools: column(4 * sizes.postings),
    sequences: column(4 * sizes.sequences),
    impacts: column(2 * sizes.postings),
    nameLengths: column(sizes.tools),
    namespaceLengths: column(sizes.tools),
    /** The terms from number 1 on, UTF-8, each followed by a line break. */
    lexicon: column(sizes.lexiconBytes),
    /** The tools' hashes, UTF-8, each followed by a line break. */
    hashes: column(sizes.hashBytes),
    end,
  };
}
