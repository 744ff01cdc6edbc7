import fc from 'fast-check';
import { nthLargest } from './nth-largest.js';

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
