/**
 * The layout of a segment as bytes: a header of 32-bit numbers, then the columns one after the other, each at a multiple of
 * four bytes. Numbers are in the order of the machine's bytes; another machine does not find the magic number and starts anew.
 */

/** First number of the header: "TSSG". */
export const MAGIC = 0x4753_5354;

/** Second number: raised with every change of the layout. */
export const FORMAT_VERSION = 1;

/** Where each number of the header is. */
export const HEADER = {
  magic: 0,
  format: 1,
  analysis: 2,
  /** CRC-32 of everything that follows it. */
  checksum: 3,
  tools: 4,
  terms: 5,
  postings: 6,
  sequences: 7,
  lexiconBytes: 8,
  hashBytes: 9,
} as const;

/** Bytes of the header. */
export const HEADER_BYTES = 4 * 10;

/** From where on the checksum is taken. */
export const CHECKED_FROM = 4 * (HEADER.checksum + 1);

/** How many of what a segment has, as its header says. */
export interface SegmentSizes {
  readonly tools: number;
  /** One more than the largest term. */
  readonly terms: number;
  readonly postings: number;
  readonly sequences: number;
  readonly lexiconBytes: number;
  readonly hashBytes: number;
}

/** Where the columns of a segment of these sizes start, and where the last one ends. */
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
