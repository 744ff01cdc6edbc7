import { percentile, timedMeasures } from './measures.js';

describe('timedMeasures', () => {
  it('says how good answers were and how long they took', () => {
    const query = { relevant: new Set(['a']) };
    expect(timedMeasures([1, 2, 30].map((ms) => ({ ...query, found: ms > 2 ? [] : ['a'], ms })))).toMatchObject({
      recall1: 2 / 3,
      p50Ms: 2,
      p95Ms: 30,
    });
  });
});

describe('percentile', () => {
  it('takes the nearest rank', () => {
    expect(percentile([3, 1, 2, 4], 0.5)).toBe(2);
    expect(percentile([3, 1, 2, 4], 0.99)).toBe(4);
    expect(percentile([], 0.5)).toBe(0);
  });
});
