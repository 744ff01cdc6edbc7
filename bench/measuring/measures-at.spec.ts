import { type RankedQuery, retrievalMeasures } from '@tool-search/core/testing';
import fc from 'fast-check';
import { measuresAt } from './measures-at.js';

const query = (found: string, relevant: string): RankedQuery => ({
  found: found.split(''),
  relevant: new Set(relevant),
});

describe('measuresAt', () => {
  it('counts a request as complete only if all of its tools are in the first k', () => {
    const queries = [query('abxc', 'abc'), query('yxa', 'a'), query('xyz', 'a')];
    expect(measuresAt(queries, 3).complete).toBeCloseTo(1 / 3);
    expect(measuresAt(queries, 5).complete).toBeCloseTo(2 / 3);
    expect(measuresAt(queries, 3).recall).toBeCloseTo((2 / 3 + 1) / 3);
  });

  it('compares the gain with that of the best possible first k', () => {
    expect(measuresAt([query('xa', 'a')], 3).ndcg).toBeCloseTo(1 / Math.log2(3));
    expect(measuresAt([query('abc', 'abcd')], 3).ndcg).toBe(1);
    expect(measuresAt([query('abc', 'abcd')], 5).ndcg).toBeLessThan(1);
  });

  it('leaves out requests without a relevant tool', () => {
    expect(measuresAt([query('a', 'a'), query('a', '')], 3)).toEqual({ recall: 1, ndcg: 1, complete: 1 });
    expect(measuresAt([], 3)).toEqual({ recall: 0, ndcg: 0, complete: 0 });
  });

  it('agrees with the measures of the testing kit', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { maxLength: 10 });
    const ranked = fc.record({ found: names, relevant: names.map((each) => new Set(each)) });
    fc.assert(
      fc.property(fc.array(ranked), (queries) => {
        const { recall3, recall5, ndcg5 } = retrievalMeasures(queries);
        expect(measuresAt(queries, 3).recall).toBeCloseTo(recall3);
        expect(measuresAt(queries, 5).recall).toBeCloseTo(recall5);
        expect(measuresAt(queries, 5).ndcg).toBeCloseTo(ndcg5);
      }),
    );
  });
});
