import fc from 'fast-check';
import { isAnswer } from './admission.js';

describe('isAnswer', () => {
  it('admits weak matches in a small catalog and refuses them in a large one', () => {
    const weak = { score: 0.05, known: 0.4 };
    expect(isAnswer({ ...weak, tools: 100 })).toBe(true);
    expect(isAnswer({ ...weak, tools: 3_000 })).toBe(false);
  });

  it('admits a good match however large the catalog is', () => {
    expect(isAnswer({ score: 0.3, known: 1, tools: 1_000_000 })).toBe(true);
  });

  it('never refuses more for a better score or more known words', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, share, fc.nat(10_000), (score, known, more, better, tools) => {
        fc.pre(isAnswer({ score, known, tools }));
        const other = { score: Math.max(score, better), known: Math.max(known, more), tools };
        expect(isAnswer(other)).toBe(true);
      }),
    );
  });
});
