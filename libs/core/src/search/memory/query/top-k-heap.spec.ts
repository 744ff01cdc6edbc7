import fc from 'fast-check';
import { nthLargest, TopKHeap } from './top-k-heap.js';

describe('BestFirst', () => {
  it('gives what sorting by score and order would put first', () => {
    const best = new TopKHeap();
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(0.1, 0.2, 0.3), fc.double({ min: 0, max: 1, noNaN: true })), {
          maxLength: 3_000,
        }),
        fc.oneof(fc.nat(20), fc.nat(2_000)),
        (scores, limit) => {
          best.clear(limit);
          for (const [slot, score] of scores.entries()) if (score >= best.floor) best.add(slot, score);
          best.order((slot, other) => slot > other);
          const taken: (readonly [number, number])[] = [];
          for (let slot = best.take(); slot !== undefined; slot = best.take()) taken.push([slot, best.score]);
          const sorted = [...scores.entries()].sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || b - a);
          expect(taken).toEqual(sorted.slice(0, limit));
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('nthLargest', () => {
  it('gives what sorting would put there', () => {
    const anyValues = fc.array(fc.oneof(fc.nat(5), fc.double({ noNaN: true })), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(anyValues, fc.nat(), (values, choice) => {
        const nth = 1 + (choice % values.length);
        const sorted = [...values].sort((a, b) => b - a);
        expect(nthLargest(Float64Array.from([...values, Infinity]), values.length, nth)).toBeCloseTo(
          sorted[nth - 1]!,
          10,
        );
      }),
    );
  });
});
