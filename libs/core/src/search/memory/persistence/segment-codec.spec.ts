import { anyTool, fc } from '../../../testing/fakes/arbitrary-tools.js';
import { fakeTools } from '../../../testing/fakes/fake-tools.js';
import type { ToolDefinition } from '../../../tool/tool-definition.js';
import { TimeSlicer } from '../../../async/time-slicer.js';
import {
  CHECKED_FROM,
  checksum,
  decodeSegment,
  encodeSegment,
  HEADER,
  MAGIC,
  type StoredSegment,
} from './segment-codec.js';
import { Lexicon } from '../index/lexicon.js';
import { writeSegment } from '../index/write-segment.js';

const slices = new TimeSlicer(1_000);

const stored = async (tools: readonly ToolDefinition[]): Promise<StoredSegment> => {
  const lexicon = new Lexicon();
  const segment = await writeSegment(tools, lexicon, slices);
  return { segment, lexicon, hashes: tools.map(({ hash }) => hash) };
};

const plain = ({ segment, lexicon, hashes }: StoredSegment) => ({
  segment,
  hashes,
  terms: Array.from({ length: lexicon.size }, (_, id) => [lexicon.termOf(id), lexicon.find(lexicon.termOf(id))]),
});

/** A copy of the bytes with one changed number in the header and a valid checksum. */
const forged = async (bytes: Uint8Array, position: number, number: number): Promise<Uint8Array> => {
  const copy = bytes.slice();
  const header = new Uint32Array(copy.buffer, 0, 10);
  header[position] = number;
  header[HEADER.checksum] = await checksum(copy, CHECKED_FROM, slices);
  return copy;
};

/** The faults of a segment, by a direct check of its definition. */
const faultsOf = ({ segment, lexicon, hashes }: StoredSegment): string[] => {
  const { count, starts, tools, sequenceStarts, sequences, nameLengths, namespaceLengths } = segment;
  const rows = Array.from({ length: starts.length - 1 }, (_, term) =>
    Array.from(tools.subarray(starts[term], starts[term + 1])),
  );
  const texts = Array.from({ length: count }, (_, tool) =>
    sequences.slice(sequenceStarts[tool], sequenceStarts[tool + 1]),
  );
  const checks = {
    rows: rows.every((row) => row.every((tool, i) => tool < count && (i === 0 || tool > (row[i - 1] ?? tool)))),
    postings: rows.flat().length === tools.length,
    texts: texts.every((text) => text.every((term) => term < Math.max(1, lexicon.size))),
    sequences: texts.reduce((sum, text) => sum + text.length, 0) === sequences.length,
    names: texts.every((text, tool) => nameLengths[tool]! + namespaceLengths[tool]! <= text.length),
    hashes: hashes.length === count,
  };
  return Object.entries(checks).flatMap(([name, isFine]) => (isFine ? [] : [name]));
};

describe('decodeSegment', () => {
  it('gives back what was encoded, wherever in memory the bytes lie', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyTool, { maxLength: 10 }), fc.nat(5), async (tools, offset) => {
        const original = await stored(tools);
        const bytes = await encodeSegment(original, slices);
        const moved = new Uint8Array(bytes.length + offset).subarray(offset);
        moved.set(bytes);
        const decoded = await decodeSegment(moved, slices);
        expect(decoded && plain(decoded)).toEqual(plain(original));
      }),
      { numRuns: 60 },
    );
  });

  it('does not copy columns that lie well', async () => {
    const bytes = await encodeSegment(await stored(fakeTools(20)), slices);
    const decoded = await decodeSegment(bytes, slices);
    expect(decoded?.segment.tools.buffer).toBe(bytes.buffer);
  });

  it('gives undefined for bytes that are damaged or cut anywhere', async () => {
    const bytes = await encodeSegment(await stored(fakeTools(5)), slices);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (position, change) => {
        const damaged = bytes.slice();
        damaged[position] = damaged[position]! ^ change;
        expect(await decodeSegment(damaged, slices)).toBeUndefined();
        expect(await decodeSegment(bytes.slice(0, position), slices)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('gives undefined for bytes of anybody else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(await decodeSegment(bytes, slices)).toBeUndefined();
      }),
    );
  });

  it('gives undefined for another version, and for sizes that do not fit', async () => {
    const bytes = await encodeSegment(await stored(fakeTools(5)), slices);
    expect(await decodeSegment(await forged(bytes, HEADER.tools, 5), slices)).toBeDefined();
    for (const position of Object.values(HEADER).filter((number) => number !== HEADER.checksum)) {
      for (const number of [0, 99, 0xffff_ffff]) {
        expect(await decodeSegment(await forged(bytes, position, number), slices)).toBeUndefined();
      }
    }
  });

  it('refuses every damaged segment, also one with a correct checksum', async () => {
    const bytes = await encodeSegment(await stored(fakeTools(8)), slices);
    const change = fc.record({
      position: fc.integer({ min: CHECKED_FROM / 4, max: bytes.length / 4 - 1 }),
      number: fc.oneof(fc.nat(12), fc.nat(0xffff_ffff)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        let written = bytes;
        for (const { position, number } of changes) {
          const copy = written.slice();
          new Uint32Array(copy.buffer)[position] = number;
          written = copy;
        }
        const decoded = await decodeSegment(await forged(written, HEADER.magic, MAGIC), slices);
        if (decoded) expect(faultsOf(decoded)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('gives undefined for numbers that point outside, though the checksum is right', async () => {
    const original = await stored(fakeTools(5));
    const { segment } = original;
    const last = (numbers: Uint32Array) => numbers.map((number, i) => (i === numbers.length - 1 ? number + 1 : number));
    const wrong = [
      { starts: segment.starts.toReversed() },
      { starts: last(segment.starts) },
      { sequenceStarts: last(segment.sequenceStarts) },
      { tools: segment.tools.with(0, segment.count) },
      { tools: segment.tools.toReversed() },
      { tools: segment.tools.map(() => 0) },
      { sequences: segment.sequences.with(0, segment.starts.length) },
      { nameLengths: segment.nameLengths.fill(255) },
    ];
    for (const part of wrong) {
      const bytes = await encodeSegment({ ...original, segment: { ...segment, ...part } }, slices);
      expect(await decodeSegment(bytes, slices)).toBeUndefined();
    }
  });
});
