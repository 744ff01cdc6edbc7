import { queryTerms } from '@tool-search/core';
import { anyOf, matchTerms } from './match-terms.js';

const rows = (counts: Record<string, number>) => (term: string) => counts[term] ?? 0;
const nowhere = () => false;

describe('matchTerms', () => {
  it('takes the terms that stand somewhere, and says which words do not', () => {
    const found = matchTerms(queryTerms('refund the unicorn'), rows({ refund: 3 }), nowhere);
    expect(found).toEqual({ terms: ['refund'], missing: ['unicorn'], truncated: false });
  });

  it('does not call a word missing that stands where nobody looked', () => {
    const isKnown = (term: string) => term === 'unicorn';
    expect(matchTerms(queryTerms('refund unicorn'), rows({ refund: 3 }), isKnown).missing).toEqual([]);
  });

  it('leaves the commonest terms out once the rest is enough work', () => {
    const query = queryTerms('refund invoice everywhere');
    const common = matchTerms(query, rows({ refund: 10, invoic: 75_000, everywher: 75_000 }), nowhere);
    expect(common).toEqual({ terms: ['refund', 'invoic'], missing: [], truncated: true });
  });

  it('takes the only term, however common it is', () => {
    expect(matchTerms(queryTerms('invoice'), () => 1_000_000, nowhere)).toEqual({
      terms: ['invoic'],
      missing: [],
      truncated: false,
    });
  });
});

describe('anyOf', () => {
  it('quotes every term', () => {
    expect(anyOf(['refund', 'or', 'a"b'])).toBe('"refund" OR "or" OR "a""b"');
  });
});
