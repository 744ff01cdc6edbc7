import fc from 'fast-check';
import { TimeSlicer } from '../../async/time-slicer.js';
import { checkedVectors, queryVector } from './query-vectors.js';
import { archiveVectors, unarchiveVectors, VectorTable } from './vector-table.js';

const key = (number: number) => number.toString(16).padStart(64, '0');
const slices = () => new TimeSlicer(8);
const component = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const anyPair = fc
  .integer({ min: 1, max: 70 })
  .chain((size) =>
    fc.tuple(
      fc.array(component, { minLength: size, maxLength: size }),
      fc.array(component, { minLength: size, maxLength: size }),
    ),
  );

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

describe('VectorTable', () => {
  it('gives cosines to about one part in a hundred, at one byte a dimension', () => {
    fc.assert(
      fc.property(anyPair, ([stored, asked]) => {
        fc.pre([stored, asked].every((vector) => vector.some((value) => Math.abs(value) > 1e-3)));
        const table = new VectorTable(stored.length);
        table.put(table.rowOf('a'), stored);
        const found = table.cosine(0, queryVector(asked));
        expect(Math.abs(found)).toBeLessThanOrEqual(1 + 1e-9);
        expect(Math.abs(found - cosine(stored, asked))).toBeLessThan(0.02);
      }),
    );
  });

  it('does not overflow at its largest', () => {
    const vector = new Float32Array(4_096).fill(1);
    const table = new VectorTable(4_096);
    table.put(table.rowOf('a'), vector);
    expect(table.cosine(0, queryVector(vector))).toBeCloseTo(1, 9);
    expect(table.cosine(0, queryVector(vector.map(() => -1)))).toBeCloseTo(-1, 9);
  });

  it('gives a vector without direction the cosine 0, and an empty row none', () => {
    const table = new VectorTable(3);
    const [empty, still] = [table.rowOf('empty'), table.rowOf('still')];
    table.put(still, [0, 0, 0]);
    expect(table.cosine(still, queryVector([1, 2, 3]))).toBe(0);
    expect(table.cosine(empty, queryVector([1, 2, 3]))).toBeNaN();
    table.put(empty, [1, 2, 3]);
    expect(table.cosine(empty, queryVector([0, 0, 0]))).toBe(0);
  });

  it('gives each key one row, and fills it once', () => {
    const table = new VectorTable(400_000);
    const rows = ['a', 'b', 'a', 'c', 'd'].map((each) => table.rowOf(each));
    expect(rows).toEqual([0, 1, 0, 2, 3]);
    expect([table.size, table.filled, table.find('d'), table.find('e')]).toEqual([4, 0, 3, undefined]);
    const one = new Float32Array(400_000);
    for (const row of [3, 1]) {
      one[row] = 1;
      table.put(row, one);
    }
    table.put(1, one.fill(0));
    expect([0, 1, 2, 3].map((row) => table.has(row))).toEqual([false, true, false, true]);
    one[1] = 1;
    expect(table.cosine(1, queryVector(one))).toBeCloseTo(Math.SQRT1_2);
    expect(table.filled).toBe(2);
  });
});

describe('an archive of vectors', () => {
  async function archiveOf(count: number): Promise<{ table: VectorTable; archive: Uint8Array }> {
    const table = new VectorTable(5);
    for (let i = 0; i < count; i++) table.put(table.rowOf(key(i)), [i, -i, 1, 0, 100]);
    table.rowOf(key(99));
    return { table, archive: await archiveVectors(table, new Set([...table.keys(), 'no hash']), slices()) };
  }

  it('brings every filled row back as it was', async () => {
    const { table, archive } = await archiveOf(20);
    const other = new VectorTable(5);
    other.put(other.rowOf(key(7)), [1, 1, 1, 1, 1]);
    expect(await unarchiveVectors(archive, other, slices())).toBe(20);
    expect(other.size).toBe(20);
    const query = queryVector([3, 1, 4, 1, 5]);
    for (let i = 0; i < 20; i++) {
      const [before, after] = [table, other].map((each) => each.cosine(each.find(key(i))!, query));
      if (i !== 7) expect(after).toBe(before);
    }
    expect(other.cosine(0, queryVector([1, 1, 1, 1, 1]))).toBeCloseTo(1);
  });

  it('of another format is ignored', async () => {
    const { archive } = await archiveOf(3);
    const foreign = archive.slice();
    foreign[0] = 0;
    const miscounted = archive.slice();
    miscounted[8] = 2;
    for (const bytes of [new Uint8Array(0), archive.slice(0, -1), foreign, miscounted]) {
      const table = new VectorTable(5);
      expect([await unarchiveVectors(bytes, table, slices()), table.size]).toEqual([0, 0]);
    }
    expect(await unarchiveVectors(archive, new VectorTable(6), slices())).toBe(0);
  });
});

describe('checkedVectors', () => {
  it.each([
    ['no list', undefined, /2 vectors/],
    ['too few', [[1, 2]], /2 vectors/],
    ['a vector too short', [[1, 2], [1]], /2 numbers/],
    ['a hole', [[1, 2], undefined], /2 numbers/],
    [
      'a NaN',
      [
        [1, 2],
        [1, Number.NaN],
      ],
      /2 numbers/,
    ],
    ['an infinite number', [Float32Array.of(1, Infinity), [1, 2]], /2 numbers/],
  ])('refuses %s', (_, answer, said) => {
    expect(() => checkedVectors(answer as number[][], 2, 2)).toThrow(said);
  });
});
