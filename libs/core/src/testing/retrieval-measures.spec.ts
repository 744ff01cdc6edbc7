import { type RankedQuery, retrievalMeasures } from './retrieval-measures.js';

const ranked = (found: string[], relevant: string[], isWeak = false): RankedQuery => ({
  found,
  relevant: new Set(relevant),
  isWeak,
});

describe('retrievalMeasures', () => {
  it('computes binary nDCG, recall and reciprocal rank', () => {
    const measures = retrievalMeasures([ranked(['x', 'a', 'y', 'b'], ['a', 'b'])]);
    const ideal = 1 + 1 / Math.log2(3);
    expect(measures.ndcg5).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(5)) / ideal);
    expect(measures).toMatchObject({ recall1: 0, recall3: 0.5, recall5: 1, mrr: 0.5, complete5: 1 });
  });

  it('cuts at k', () => {
    const found = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b'];
    expect(retrievalMeasures([ranked(found, ['a'])])).toMatchObject({ ndcg5: 0, recall5: 0, recall10: 1, mrr: 0.1 });
    expect(retrievalMeasures([ranked(found, ['b'])])).toMatchObject({ ndcg10: 0, recall10: 0, mrr: 0 });
  });

  it('takes means over answerable queries only and counts the others apart', () => {
    const measures = retrievalMeasures([ranked(['a'], ['a']), ranked([], ['a']), ranked([], []), ranked(['x'], [])]);
    expect(measures).toMatchObject({
      ndcg10: 0.5,
      recall1: 0.5,
      answerableRefused: 1,
      answerableNone: 1,
      answerableWeak: 0,
      none: { queries: 2, saidNone: 1, saidWeak: 0 },
    });
  });

  it('counts weak hits, and ranks them like others', () => {
    const measures = retrievalMeasures([ranked(['a'], ['a'], true), ranked(['x'], [], true), ranked([], [], true)]);
    expect(measures).toMatchObject({
      ndcg10: 1,
      answerableRefused: 0,
      answerableWeak: 1,
      none: { queries: 2, saidNone: 1, saidWeak: 1 },
    });
  });

  it('asks for completeness only where several tools are relevant', () => {
    expect(retrievalMeasures([ranked(['a'], ['a'])]).complete5).toBe(0);
    expect(
      retrievalMeasures([ranked(['a'], ['a']), ranked(['a', 'b'], ['a', 'b']), ranked(['a'], ['a', 'b'])]).complete5,
    ).toBe(0.5);
  });
});
