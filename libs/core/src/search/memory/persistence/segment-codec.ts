import type { TimeSlicer } from '../../../async/time-slicer.js';
import { analysisVersion } from '../index/analyze-tool.js';
import { Lexicon } from '../index/lexicon.js';
import type { Segment } from '../index/segment.js';
import { crc32 } from 'node:zlib';

const STEP = 64 * 1024;
const TEXT_STEP = 4_096;
const COPY_STEP = 1 << 20;
const LINE_BREAK = 10;

/** A segment with everything needed to continue from it in another process. */
export interface StoredSegment {
  readonly segment: Segment;
  /** Contains at least the terms of the segment. */
  readonly lexicon: Lexicon;
  /** Per tool: the hash of its definition. */
  readonly hashes: readonly string[];
}

/**
 * The binary layout of a segment: a header of 32-bit numbers, then the columns, each aligned to four bytes. Numbers are
 * in the machine's byte order; a machine with another order does not find the magic number and builds a new index.
 */
export const HEADER = {
  magic: 0,
  format: 1,
  analysis: 2,
  /** CRC-32 of all bytes after it. */
  checksum: 3,
  tools: 4,
  /** One more than the largest term. */
  terms: 5,
  postings: 6,
  sequences: 7,
  lexiconBytes: 8,
  hashBytes: 9,
} as const;

/** First number of the header: "TSSG". */
export const MAGIC = 0x4753_5354;
/** Second number. Raise it with every change of the layout. */
const FORMAT_VERSION = 1;
const HEADER_BYTES = 4 * 10;
export const CHECKED_FROM = 4 * (HEADER.checksum + 1);
const SIZES = ['tools', 'terms', 'postings', 'sequences', 'lexiconBytes', 'hashBytes'] as const;

type SegmentSizes = Readonly<Record<(typeof SIZES)[number], number>>;

/** Positions of the columns of a segment with these sizes, and the end of the last one. */
function columnsOf({ tools, terms, postings, sequences, lexiconBytes, hashBytes }: SegmentSizes) {
  let end = HEADER_BYTES;
  const column = (bytes: number): number => {
    const start = end;
    end += 4 * Math.ceil(bytes / 4);
    return start;
  };
  const columns = {
    starts: column(4 * (terms + 1)),
    sequenceStarts: column(4 * (tools + 1)),
    tools: column(4 * postings),
    sequences: column(4 * sequences),
    impacts: column(2 * postings),
    nameLengths: column(tools),
    namespaceLengths: column(tools),
    /** The terms from number 1 on, UTF-8, each followed by a line break. */
    lexicon: column(lexiconBytes),
    /** The tools' hashes, UTF-8, each followed by a line break. */
    hashes: column(hashBytes),
  };
  return { columns, end };
}

/** CRC-32 of the bytes from a position on. */
export async function checksum(bytes: Uint8Array, from: number, slices: TimeSlicer): Promise<number> {
  let sum = 0;
  await slices.each(bytes.length - from, COPY_STEP, (start, end) => {
    sum = crc32(bytes.subarray(from + start, from + end), sum);
  });
  return sum;
}

export async function encodeSegment(
  { segment, lexicon, hashes }: StoredSegment,
  slices: TimeSlicer,
): Promise<Uint8Array> {
  const terms = segment.starts.length - 1;
  const lexiconBytes = await linesOf(Math.max(0, terms - 1), (line) => lexicon.termOf(line + 1), slices);
  const hashBytes = await linesOf(segment.count, (line) => hashes[line] ?? '', slices);
  const sizes: SegmentSizes = {
    tools: segment.count,
    terms,
    postings: segment.tools.length,
    sequences: segment.sequences.length,
    lexiconBytes: lexiconBytes.length,
    hashBytes: hashBytes.length,
  };
  const { columns, end } = columnsOf(sizes);
  const bytes = new Uint8Array(end);
  const header = new Uint32Array(bytes.buffer, 0, HEADER_BYTES / 4);
  header[HEADER.magic] = MAGIC;
  header[HEADER.format] = FORMAT_VERSION;
  header[HEADER.analysis] = analysisVersion();
  for (const name of SIZES) header[HEADER[name]] = sizes[name];
  const parts = { ...segment, lexicon: lexiconBytes, hashes: hashBytes };
  for (const [name, at] of Object.entries(columns)) {
    const { buffer, byteOffset, byteLength } = parts[name as keyof typeof columns];
    const source = new Uint8Array(buffer, byteOffset, byteLength);
    await slices.each(byteLength, COPY_STEP, (from, to) => bytes.set(source.subarray(from, to), at + from));
  }
  header[HEADER.checksum] = await checksum(bytes, CHECKED_FROM, slices);
  return bytes;
}

async function linesOf(count: number, lineOf: (line: number) => string, slices: TimeSlicer): Promise<Buffer> {
  const parts: Buffer[] = [];
  await slices.each(count, TEXT_STEP, (from, to) => {
    parts.push(Buffer.from(Array.from({ length: to - from }, (_, line) => `${lineOf(from + line)}\n`).join('')));
  });
  return Buffer.concat(parts);
}

/**
 * Reads the bytes that {@link encodeSegment} wrote; columns are views of the bytes if their alignment allows it.
 * Returns undefined for anything else: damaged bytes, another version, or other data.
 */
export async function decodeSegment(blob: Uint8Array, slices: TimeSlicer): Promise<StoredSegment | undefined> {
  if (blob.length < HEADER_BYTES) return undefined;
  const bytes = blob.byteOffset % 4 === 0 ? blob : await aligned(blob, slices);
  const header = new Uint32Array(bytes.buffer, bytes.byteOffset, HEADER_BYTES / 4);
  const number = (position: number): number => header[position] ?? 0;
  if (number(HEADER.magic) !== MAGIC || number(HEADER.format) !== FORMAT_VERSION) return undefined;
  if (number(HEADER.analysis) !== analysisVersion()) return undefined;
  const sizes = Object.fromEntries(SIZES.map((name) => [name, number(HEADER[name])])) as SegmentSizes;
  const { columns, end } = columnsOf(sizes);
  if (end !== bytes.length) return undefined;
  if ((await checksum(bytes, CHECKED_FROM, slices)) !== number(HEADER.checksum)) return undefined;

  const at = (column: number): [ArrayBufferLike, number] => [bytes.buffer, bytes.byteOffset + column];
  const segment: Segment = {
    count: sizes.tools,
    starts: new Uint32Array(...at(columns.starts), sizes.terms + 1),
    tools: new Uint32Array(...at(columns.tools), sizes.postings),
    impacts: new Uint16Array(...at(columns.impacts), sizes.postings),
    sequenceStarts: new Uint32Array(...at(columns.sequenceStarts), sizes.tools + 1),
    sequences: new Uint32Array(...at(columns.sequences), sizes.sequences),
    nameLengths: new Uint8Array(...at(columns.nameLengths), sizes.tools),
    namespaceLengths: new Uint8Array(...at(columns.namespaceLengths), sizes.tools),
  };
  if (!(await isSound(segment, slices))) return undefined;

  const lexicon = new Lexicon();
  const textAt = (column: number, length: number) => Buffer.from(...at(column), length) as Buffer;
  const terms = await eachLine(textAt(columns.lexicon, sizes.lexiconBytes), (term) => lexicon.add(term), slices);
  const hashes: string[] = [];
  await eachLine(textAt(columns.hashes, sizes.hashBytes), (hash) => hashes.push(hash), slices);
  const isComplete = terms === Math.max(0, sizes.terms - 1) && lexicon.size === terms + 1;
  return isComplete && hashes.length === sizes.tools ? { segment, lexicon, hashes } : undefined;
}

async function aligned(bytes: Uint8Array, slices: TimeSlicer): Promise<Uint8Array> {
  const copy = new Uint8Array(bytes.length);
  await slices.each(bytes.length, COPY_STEP, (from, to) => copy.set(bytes.subarray(from, to), from));
  return copy;
}

/** Whether all positions and numbers are within bounds and rows ascend, so that no search reads out of bounds. */
async function isSound(segment: Segment, slices: TimeSlicer): Promise<boolean> {
  const { count, starts, tools, sequenceStarts, sequences, nameLengths, namespaceLengths } = segment;
  const terms = starts.length - 1;
  const isRising = async (positions: Uint32Array, end: number): Promise<boolean> => {
    let isFine = positions[0] === 0 && positions.at(-1) === end;
    await slices.each(positions.length - 1, STEP, (from, to) => {
      for (let i = from; i < to; i++) if ((positions[i] ?? 0) > (positions[i + 1] ?? 0)) isFine = false;
    });
    return isFine;
  };
  const isBelow = async (numbers: Uint32Array, bound: number): Promise<boolean> => {
    let largest = 0;
    await slices.each(numbers.length, STEP, (from, to) => {
      for (let i = from; i < to; i++) largest = Math.max(largest, numbers[i] ?? 0);
    });
    return numbers.length === 0 || largest < bound;
  };
  if (!(await isRising(starts, tools.length)) || !(await isRising(sequenceStarts, sequences.length))) return false;
  if (!(await isBelow(tools, count)) || !(await isBelow(sequences, Math.max(1, terms)))) return false;
  if (!(await areRowsRising(segment, slices))) return false;
  let isFine = true;
  await slices.each(count, STEP, (from, to) => {
    for (let tool = from; tool < to; tool++) {
      const names = (nameLengths[tool] ?? 0) + (namespaceLengths[tool] ?? 0);
      if (names > (sequenceStarts[tool + 1] ?? 0) - (sequenceStarts[tool] ?? 0)) isFine = false;
    }
  });
  return isFine;
}

/** Whether every row has each tool at most once and in ascending order: a search reads all rows in parallel. */
async function areRowsRising({ starts, tools }: Segment, slices: TimeSlicer): Promise<boolean> {
  let isFine = true;
  let row = 0;
  await slices.each(tools.length, STEP, (from, to) => {
    for (let i = from; i < to; i++) {
      while ((starts[row + 1] ?? tools.length) <= i) row += 1;
      if (i > (starts[row] ?? 0) && (tools[i] ?? 0) <= (tools[i - 1] ?? 0)) isFine = false;
    }
  });
  return isFine;
}

/** Calls `take` for each line of a text and returns their number. Text after the last line break is ignored. */
async function eachLine(text: Buffer, take: (line: string) => void, slices: TimeSlicer): Promise<number> {
  let count = 0;
  for (let from = 0; from < text.length;) {
    const end =
      text.indexOf(LINE_BREAK, Math.min(text.length - 1, from + STEP)) + 1 || text.lastIndexOf(LINE_BREAK) + 1;
    if (end <= from) return -1;
    const lines = text.toString('utf8', from, end - 1).split('\n');
    for (const line of lines) take(line);
    count += lines.length;
    from = end;
    if (slices.due) await slices.pause();
  }
  return count;
}
