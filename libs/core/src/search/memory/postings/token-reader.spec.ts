import fc from 'fast-check';
import { TokenCache } from './token-reader.js';

const find = (table: TokenCache<number>, raw: string, hash: number) =>
  table.find(`a ${raw} b`, 2, 2 + raw.length, hash);

describe('RunTable', () => {
  it('finds runs where they stand in a text, and never one for another', () => {
    const run = fc.record({ raw: fc.string({ maxLength: 3 }), hash: fc.oneof(fc.nat(3), fc.integer()) });
    fc.assert(
      fc.property(fc.uniqueArray(run, { selector: ({ raw }) => raw, maxLength: 60 }), run, (runs, other) => {
        const table = new TokenCache<number>();
        for (const [number, { raw, hash }] of runs.entries()) table.add(raw, hash, number);
        for (const [number, { raw, hash }] of runs.entries()) expect(find(table, raw, hash)).toBe(number);
        const known = runs.findIndex(({ raw, hash }) => raw === other.raw && hash === other.hash);
        expect(find(table, other.raw, other.hash)).toBe(known < 0 ? undefined : known);
      }),
    );
  });

  it('keeps only so many runs that meet in one place, and finds all others as before', () => {
    const table = new TokenCache<number>();
    for (let number = 0; number < 1_000; number++) table.add(`same${number}`, 7, number);
    const kept = Array.from({ length: 1_000 }, (_, number) => find(table, `same${number}`, 7));
    expect(kept.filter((number) => number !== undefined)).toHaveLength(64);
    table.add('other', 500, 1);
    expect(find(table, 'other', 500)).toBe(1);
  });

  it('grows, and starts anew when it is full', () => {
    const table = new TokenCache<number>();
    const hashOf = (number: number) => Math.imul(number, 0x9e37_79b1);
    const count = 65_536;
    for (let number = 0; number < count; number++) table.add(`run${number}`, hashOf(number), number);
    const found = Array.from({ length: count }, (_, number) => find(table, `run${number}`, hashOf(number)));
    expect(found.filter((number) => number !== undefined).length).toBeGreaterThan(0.99 * count);
    table.add('one more', 1, 1);
    expect(find(table, 'run0', hashOf(0))).toBeUndefined();
    expect(find(table, 'one more', 1)).toBe(1);
  });
});
