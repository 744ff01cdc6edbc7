import type { ToolDefinition } from '../../../tool/tool-definition.js';
import type { TimeSlicer } from '../../../async/time-slicer.js';
import { ToolAnalyzer } from './analyze-tool.js';
import type { Lexicon } from './lexicon.js';
import { EMPTY_SEGMENT, type Segment } from './segment.js';

const STEP = 1_024;

export async function writeSegment(
  tools: readonly ToolDefinition[],
  lexicon: Lexicon,
  slices: TimeSlicer,
): Promise<Segment> {
  if (tools.length === 0) return EMPTY_SEGMENT;
  const analyzer = new ToolAnalyzer(lexicon);
  const [terms, impacts, sequences] = [new GrowingArray(), new GrowingArray(), new GrowingArray()];
  const rowStarts = new Uint32Array(tools.length + 1);
  const sequenceStarts = new Uint32Array(tools.length + 1);
  const [nameLengths, namespaceLengths] = [new Uint8Array(tools.length), new Uint8Array(tools.length)];
  for (const [tool, definition] of tools.entries()) {
    const analysis = analyzer.analyze(definition);
    for (const term of analysis.terms) terms.push(term);
    for (const impact of analysis.impacts) impacts.push(impact);
    for (const term of analysis.sequence) sequences.push(term);
    rowStarts[tool + 1] = terms.length;
    sequenceStarts[tool + 1] = sequences.length;
    nameLengths[tool] = analysis.nameLength;
    namespaceLengths[tool] = analysis.namespaceLength;
    if (slices.due) await slices.pause();
  }
  const postings = await sortByTerm(terms, impacts, rowStarts, lexicon.size, slices);
  return {
    count: tools.length,
    ...postings,
    sequenceStarts,
    sequences: await sequences.toArray(slices),
    nameLengths,
    namespaceLengths,
  };
}

/** Counting sort by term of rows that are ordered by tool. */
async function sortByTerm(
  terms: GrowingArray,
  impactsByTool: GrowingArray,
  rowStarts: Uint32Array,
  size: number,
  slices: TimeSlicer,
): Promise<Pick<Segment, 'starts' | 'tools' | 'impacts'>> {
  const starts = new Uint32Array(size + 1);
  await slices.each(terms.length, 64 * STEP, (from, to) => {
    for (let row = from; row < to; row++) {
      const term = terms.at(row);
      starts[term + 1] = (starts[term + 1] ?? 0) + 1;
    }
  });
  for (let term = 0; term < size; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  const free = starts.slice();
  const [tools, impacts] = [new Uint32Array(terms.length), new Uint16Array(terms.length)];
  if (slices.due) await slices.pause();
  await slices.each(rowStarts.length - 1, STEP, (from, to) => {
    for (let tool = from; tool < to; tool++) {
      const end = rowStarts[tool + 1] ?? 0;
      for (let row = rowStarts[tool] ?? end; row < end; row++) {
        const term = terms.at(row);
        const position = free[term] ?? 0;
        free[term] = position + 1;
        tools[position] = tool;
        impacts[position] = impactsByTool.at(row);
      }
    }
  });
  return { starts, tools, impacts };
}

const CHUNK_BITS = 13;
const CHUNK = 1 << CHUNK_BITS;
/** Initial capacity, for a few tools: many tenants have no more. */
const FIRST = 256;

/** A growing list of 32-bit unsigned integers, 4 bytes each. Growing copies its content only while it is small. */
export class GrowingArray {
  #last = new Uint32Array(FIRST);
  readonly #chunks = [this.#last];
  #used = 0;

  get length(): number {
    return (this.#chunks.length - 1) * CHUNK + this.#used;
  }

  push(value: number): void {
    if (this.#used === this.#last.length) this.#grow();
    this.#last[this.#used++] = value;
  }

  #grow(): void {
    if (this.#used === CHUNK) {
      this.#last = new Uint32Array(CHUNK);
      this.#chunks.push(this.#last);
      this.#used = 0;
      return;
    }
    const small = this.#last;
    this.#last = new Uint32Array(2 * small.length);
    this.#last.set(small);
    this.#chunks[0] = this.#last;
  }

  /** The number at a position; 0 beyond the end. */
  at(position: number): number {
    return this.#chunks[position >>> CHUNK_BITS]?.[position & (CHUNK - 1)] ?? 0;
  }

  async toArray(slices: TimeSlicer): Promise<Uint32Array> {
    const items = new Uint32Array(this.length);
    for (const [index, chunk] of this.#chunks.entries()) {
      items.set(chunk === this.#last ? chunk.subarray(0, this.#used) : chunk, index * CHUNK);
      if (slices.due) await slices.pause();
    }
    return items;
  }
}
