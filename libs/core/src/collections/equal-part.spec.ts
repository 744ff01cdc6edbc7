import fc from 'fast-check';
import { equalPart } from './equal-part.js';

describe('equalPart', () => {
  it.each([
    [[], 10, Infinity],
    [[3, 4], 10, Infinity],
    [[100, 100], 10, 5],
    [[100, 2, 1], 10, 7],
    [[5, 5, 5], 2, 0],
  ])('of %p in a room of %d is %d', (counts, room, part) => expect(equalPart(counts, room)).toBe(part));

  it('is the largest part with which all fit', () => {
    const sumWith = (counts: readonly number[], part: number) =>
      counts.reduce((sum, count) => sum + Math.min(count, part), 0);
    const check = (counts: readonly number[], room: number) => {
      const part = equalPart(counts, room);
      expect(sumWith(counts, part)).toBeLessThanOrEqual(room);
      if (part !== Infinity) expect(sumWith(counts, part + 1)).toBeGreaterThan(room);
    };
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 8 }), fc.nat(100), check));
  });
});
