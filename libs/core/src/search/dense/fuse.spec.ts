import { closeness, fuse } from './fuse.js';

const hit = (score: number) => ({ id: 1, score, match: 'bm25' as const });

describe('closeness', () => {
  it('runs from the mean of the visible tools to the best of them', () => {
    const among = { mean: 0.7, max: 0.9 };
    expect([0.5, 0.7, 0.8, 0.9].map((cosine) => closeness(cosine, among))).toEqual([0, 0, expect.closeTo(0.5), 1]);
    expect(closeness(Number.NaN, among)).toBeNaN();
  });

  it('tells nothing apart where all tools are equally close', () => {
    expect(closeness(0.4, { mean: 0.4, max: 0.4 })).toBe(1);
    expect(closeness(0, { mean: 0, max: 0 })).toBe(0);
    expect(closeness(Number.NaN, { mean: 0, max: -1 })).toBeNaN();
  });
});

describe('fuse', () => {
  it('mixes words and meaning on the scale of the words', () => {
    expect(fuse(hit(0.8), 0.8, 1, 0.2).score).toBeCloseTo(0.8);
    expect(fuse(hit(0.8), 0.8, 0, 0.2).score).toBeCloseTo(0.64);
    expect(fuse(hit(0.4), 0.8, 1, 0.25).score).toBeCloseTo(0.5);
    expect(fuse(hit(0.4), 0.8, 0.3, 0).score).toBe(0.4);
  });

  it('leaves a tool without a vector to its words', () => {
    expect(fuse(hit(0.4), 0.8, Number.NaN, 0.2)).toEqual(hit(0.4));
  });

  it('keeps a hit a hit that only meaning found, however little it adds', () => {
    expect(fuse(hit(0), 0.8, 0, 0.2).score).toBeGreaterThan(0);
  });

  it('says what the score is made of', () => {
    const parts = [
      { field: 'name', word: 'pay', score: 0.3 },
      { field: 'coverage', score: 0.1 },
    ];
    const fused = fuse({ ...hit(0.4), parts }, 0.8, 1, 0.5);
    expect(fused.parts).toEqual([
      { field: 'meaning', score: 0.4 },
      { field: 'name', word: 'pay', score: 0.15 },
      { field: 'coverage', score: 0.05 },
    ]);
    expect(fused.score).toBeCloseTo(0.6);
  });
});
