import type { TimeSlicer } from '../../../async/time-slicer.js';
import { analysisVersion } from '../index/analyze-tool.js';
import { checksum } from './checksum.js';
import { Lexicon } from '../index/lexicon.js';
import {
  CHECKED_FROM,
  columnsOf,
  FORMAT_VERSION,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  type SegmentSizes,
} from './segment-format.js';
import type { Segment } from '../index/segment.js';
import type { StoredSegment } from './stored-segment.js';

const STEP = 64 * 1024;
const LINE_BREAK = 10;

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
  const sizes: SegmentSizes = {
    tools: number(HEADER.tools),
    terms: number(HEADER.terms),
    postings: number(HEADER.postings),
    sequences: number(HEADER.sequences),
    lexiconBytes: number(HEADER.lexiconBytes),
    hashBytes: number(HEADER.hashBytes),
  };
  const columns = columnsOf(sizes);
  if (columns.end !== bytes.length) return undefined;
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

const COPIED_BYTES = 1 << 20;

async function aligned(bytes: Uint8Array, slices: TimeSlicer): Promise<Uint8Array> {
  const copy = new Uint8Array(bytes.length);
  await slices.each(bytes.length, COPIED_BYTES, (from, to) => copy.set(bytes.subarray(from, to), from));
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
