import type { TimeSlicer } from '../../../async/time-slicer.js';
import { analysisVersion } from '../index/analyze-tool.js';
import { checksum } from './checksum.js';
import { CHECKED_FROM, columnsOf, FORMAT_VERSION, HEADER, MAGIC, type SegmentSizes } from './segment-format.js';
import type { StoredSegment } from './stored-segment.js';

const TEXT_STEP = 4_096;
const COPY_STEP = 4 * 1024 * 1024;

/** Serializes a segment with its lexicon and hashes, for {@link decodeSegment}. */
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
  const columns = columnsOf(sizes);
  const bytes = new Uint8Array(columns.end);
  const header = new Uint32Array(bytes.buffer, 0, CHECKED_FROM / 4 + Object.keys(sizes).length);
  header[HEADER.magic] = MAGIC;
  header[HEADER.format] = FORMAT_VERSION;
  header[HEADER.analysis] = analysisVersion();
  for (const name of Object.keys(sizes) as (keyof SegmentSizes)[]) header[HEADER[name]] = sizes[name];
  const put = async (column: { buffer: ArrayBufferLike; byteOffset: number; byteLength: number }, at: number) => {
    const source = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
    await slices.each(source.length, COPY_STEP, (from, to) => bytes.set(source.subarray(from, to), at + from));
  };
  await put(segment.starts, columns.starts);
  await put(segment.sequenceStarts, columns.sequenceStarts);
  await put(segment.tools, columns.tools);
  await put(segment.sequences, columns.sequences);
  await put(segment.impacts, columns.impacts);
  await put(segment.nameLengths, columns.nameLengths);
  await put(segment.namespaceLengths, columns.namespaceLengths);
  await put(lexiconBytes, columns.lexicon);
  await put(hashBytes, columns.hashes);
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
