import { denseMeans, denseResult, denseRows } from './dense-result.js';

const set = (name: string) => ({
  name,
  tools: [],
  queries: ['a', 'b'].map((query) => ({ query, relevant: new Set(['a']) })),
});

describe('denseResult', () => {
  it('measures the whole and each half, and means over sets', async () => {
    const results = [
      await denseResult(set('x'), 'echo', async (text) => [text]),
      await denseResult(set('y'), 'echo', async () => ['a']),
    ];
    expect(results).toMatchObject([
      { set: 'x', engine: 'echo', ndcg5: 0.5, even: 1, odd: 0, recall10: 0.5, p50Ms: expect.any(Number) },
      { set: 'y', engine: 'echo', ndcg5: 1, even: 1, odd: 1, recall10: 1 },
    ]);
    const means = denseMeans(results);
    expect(means).toEqual([expect.objectContaining({ set: 'mean', engine: 'echo', ndcg5: 0.75, odd: 0.5 })]);
    expect(denseRows(means).at(-1)).toEqual(['mean', 'echo', '0.750', '1.000', '0.500', '0.750', '0.750', '0.750', '']);
    expect(denseRows([])).toHaveLength(1);
  });
});
