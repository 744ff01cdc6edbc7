import fc from 'fast-check';
import { verdictOn } from './search-verdict.js';

describe('verdictOn', () => {
  it('asks for more in a larger catalog', () => {
    const best = [{ score: 0.05, words: 2 }];
    expect([verdictOn(best, 100, 0.3), verdictOn(best, 3_000, 0.3)]).toEqual(['found', 'weak']);
  });

  it('takes a lower score of a tool that has more words of the request', () => {
    const of = (words: number) => verdictOn([{ score: 0.08, words }], 3_000, 0.3);
    expect([of(1), of(4)]).toEqual(['weak', 'found']);
  });

  it('needs one good tool among the best', () => {
    const poor = { score: 0.05, words: 1 };
    expect(verdictOn([poor, poor, { score: 0.2, words: 2 }], 3_000, 0.3)).toBe('found');
    expect(verdictOn([poor, poor, poor], 3_000, 0.3)).toBe('weak');
  });

  it('asks for something in a catalog of a few tools too', () => {
    expect([0.005, 0.02].map((score) => verdictOn([{ score, words: 1 }], 5, 0.3))).toEqual(['weak', 'found']);
  });

  it('is "found" for a full match in a catalog of any size, and "none" without hits', () => {
    expect(verdictOn([{ score: 0.3, words: 1 }], 1_000_000, 0.3)).toBe('found');
    expect(verdictOn([], 1_000_000, 0.3)).toBe('none');
  });

  it('is never worse for a higher score, more words or fewer tools', () => {
    const witness = fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }), words: fc.nat(10) });
    fc.assert(
      fc.property(witness, witness, fc.nat(10_000), fc.nat(10_000), (one, more, tools, fewer) => {
        fc.pre(verdictOn([one], tools, 0.3) === 'found');
        const better = { score: Math.max(one.score, more.score), words: one.words + more.words };
        expect(verdictOn([better], Math.min(tools, fewer), 0.3)).toBe('found');
      }),
    );
  });
});
