import fc from 'fast-check';
import { passesRelevanceThreshold } from './relevance-threshold.js';

describe('isAnswer', () => {
  it('admits weak matches in a small catalog and refuses them in a large one', () => {
    const weak = { score: 0.05, known: 0.4, words: 2 };
    expect(passesRelevanceThreshold({ ...weak, tools: 100 })).toBe(true);
    expect(passesRelevanceThreshold({ ...weak, tools: 3_000 })).toBe(false);
  });

  it('refuses one word of many in a large catalog, and admits several', () => {
    const some = { score: 0.1, known: 0.6, tools: 3_000 };
    expect(passesRelevanceThreshold({ ...some, words: 1 })).toBe(false);
    expect(passesRelevanceThreshold({ ...some, words: 4 })).toBe(true);
  });

  it('admits a good match of one known word however large the catalog is', () => {
    expect(passesRelevanceThreshold({ score: 0.3, known: 1, words: 1, tools: 1_000_000 })).toBe(true);
  });

  it('refuses what matches nothing', () => {
    expect(passesRelevanceThreshold({ score: 0, known: 0, words: 0, tools: 0 })).toBe(false);
  });

  it('never refuses more for a better score, more known words or more words in one tool', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const count = fc.nat(10);
    fc.assert(
      fc.property(
        share,
        share,
        share,
        share,
        count,
        count,
        fc.nat(10_000),
        (score, known, more, better, words, further, tools) => {
          fc.pre(passesRelevanceThreshold({ score, known, words, tools }));
          const other = { score: Math.max(score, better), known: Math.max(known, more), words: words + further, tools };
          expect(passesRelevanceThreshold(other)).toBe(true);
        },
      ),
    );
  });
});
