import { LearnedOverlay } from './learned-overlay.js';

describe('LearnedOverlay', () => {
  it('has the terms of queries as searches spell them, without function words', () => {
    const overlay = new LearnedOverlay([{ tool: 7, query: 'the customers of createIssue' }]);
    for (const term of ['custom', 'issu', 'createissu']) {
      expect(overlay.postings(term)).toEqual([{ tool: 7, impact: expect.any(Number) }]);
    }
    expect(overlay.postings('the')).toEqual([]);
  });

  it('counts a word that more queries have more, and never reaches 1', () => {
    const impactOf = (queries: readonly string[]) =>
      new LearnedOverlay(queries.map((query) => ({ tool: 1, query }))).postings('cash')[0]?.impact ?? 0;
    const once = impactOf(['cash please', 'money back']);
    const twice = impactOf(['cash please', 'cash back']);
    expect(twice).toBeGreaterThan(once);
    expect(impactOf(Array.from({ length: 50 }, () => 'cash'))).toBeLessThan(1);
  });

  it('keeps tools apart', () => {
    const overlay = new LearnedOverlay([
      { tool: 1, query: 'cash' },
      { tool: 2, query: 'cash and more words than the other' },
    ]);
    const [first, second] = overlay.postings('cash');
    expect(first?.tool).toBe(1);
    expect(first?.impact).toBeGreaterThan(second?.impact ?? 1);
  });
});
