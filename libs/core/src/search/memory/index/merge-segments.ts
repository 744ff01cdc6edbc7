import type { TimeSlicer } from '../../../async/time-slicer.js';
import { GONE, type Segment } from './segment.js';

/** A segment and, per tool, its number in the merged segment; {@link GONE} drops the tool. */
export interface SegmentPart {
  readonly segment: Segment;
  /** Ascending, except for {@link GONE}. */
  readonly numbers: Int32Array;
}

// A term may have a posting for every tool, so large segments are merged a few terms at a time.
const LARGE = 1 << 20;
const TERM_STEP = { small: 4_096, large: 16 };
const TOOL_STEP = 2_048;

/** Merges parts that together have each number below `count` once. @param terms one more than the largest term */
export async function mergeSegments(
  parts: readonly SegmentPart[],
  count: number,
  terms: number,
  slices: TimeSlicer,
): Promise<Segment> {
  const postings = await mergePostings(parts, terms, slices);
  const sequences = await mergeSequences(parts, count, slices);
  return { count, ...postings, ...sequences };
}

async function mergePostings(
  parts: readonly SegmentPart[],
  terms: number,
  slices: TimeSlicer,
): Promise<Pick<Segment, 'starts' | 'tools' | 'impacts'>> {
  const starts = new Uint32Array(terms + 1);
  for (const part of parts) {
    const { segment } = part;
    await slices.each(segment.starts.length - 1, stepOf(segment), (from, to) => {
      for (let term = from; term < to; term++) {
        if (segment.starts[term] === segment.starts[term + 1]) continue;
        starts[term + 1] = (starts[term + 1] ?? 0) + livingPostings(part, term);
      }
    });
  }
  for (let term = 0; term < terms; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  const size = starts[terms] ?? 0;
  const columns = { tools: new Uint32Array(size), impacts: new Uint16Array(size) };
  // Per term: the end of the postings merged so far.
  const ends = starts.slice();
  for (const part of parts) {
    const { segment } = part;
    if (slices.due) await slices.pause();
    await slices.each(segment.starts.length - 1, stepOf(segment), (from, to) => {
      for (let term = from; term < to; term++) {
        if (segment.starts[term] === segment.starts[term + 1]) continue;
        ends[term] = addRow(part, term, columns, starts[term] ?? 0, ends[term] ?? 0);
      }
    });
  }
  return { starts, ...columns };
}

function stepOf({ tools }: Segment): number {
  return tools.length < LARGE ? TERM_STEP.small : TERM_STEP.large;
}

function livingPostings({ segment: { starts, tools }, numbers }: SegmentPart, term: number): number {
  const start = starts[term] ?? 0;
  const end = starts[term + 1] ?? start;
  let living = 0;
  for (let i = start; i < end; i++) if ((numbers[tools[i] ?? 0] ?? GONE) !== GONE) living += 1;
  return living;
}

/** Merges a part's row into the postings from `start` to `filled`, back to front, in order; returns the new end. */
function addRow(
  part: SegmentPart,
  term: number,
  { tools, impacts }: Pick<Segment, 'tools' | 'impacts'>,
  start: number,
  filled: number,
): number {
  const { segment, numbers } = part;
  const from = segment.starts[term] ?? 0;
  const to = segment.starts[term + 1] ?? from;
  const end = filled + livingPostings(part, term);
  let free = end - 1;
  let known = filled - 1;
  for (let i = to - 1; i >= from; i--) {
    const number = numbers[segment.tools[i] ?? 0] ?? GONE;
    if (number === GONE) continue;
    while (known >= start && (tools[known] ?? 0) > number) {
      tools[free] = tools[known] ?? 0;
      impacts[free--] = impacts[known--] ?? 0;
    }
    tools[free] = number;
    impacts[free--] = segment.impacts[i] ?? 0;
  }
  return end;
}

async function mergeSequences(
  parts: readonly SegmentPart[],
  count: number,
  slices: TimeSlicer,
): Promise<Pick<Segment, 'sequenceStarts' | 'sequences' | 'nameLengths' | 'namespaceLengths'>> {
  const sequenceStarts = new Uint32Array(count + 1);
  const [nameLengths, namespaceLengths] = [new Uint8Array(count), new Uint8Array(count)];
  for (const { segment, numbers } of parts) {
    await slices.each(segment.count, TOOL_STEP, (from, to) => {
      for (let tool = from; tool < to; tool++) {
        const number = numbers[tool] ?? GONE;
        if (number === GONE) continue;
        sequenceStarts[number + 1] = (segment.sequenceStarts[tool + 1] ?? 0) - (segment.sequenceStarts[tool] ?? 0);
        nameLengths[number] = segment.nameLengths[tool] ?? 0;
        namespaceLengths[number] = segment.namespaceLengths[tool] ?? 0;
      }
    });
  }
  for (let i = 0; i < count; i++) sequenceStarts[i + 1] = (sequenceStarts[i + 1] ?? 0) + (sequenceStarts[i] ?? 0);
  const sequences = new Uint32Array(sequenceStarts[count] ?? 0);
  for (const { segment, numbers } of parts) {
    await slices.each(segment.count, TOOL_STEP, (from, to) => {
      for (let tool = from; tool < to; tool++) {
        const number = numbers[tool] ?? GONE;
        if (number === GONE) continue;
        let free = sequenceStarts[number] ?? 0;
        const end = segment.sequenceStarts[tool + 1] ?? 0;
        for (let i = segment.sequenceStarts[tool] ?? end; i < end; i++) sequences[free++] = segment.sequences[i] ?? 0;
      }
    });
  }
  return { sequenceStarts, sequences, nameLengths, namespaceLengths };
}
