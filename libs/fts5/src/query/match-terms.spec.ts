import { queryTerms } from '@tool-search/core/internal';
import { anyOf, matchTerms } from './match-terms.js';

/** A fake file. Each term is in a number of hidden rows, followed by a number of the caller's own rows. */
class FakeFile {
  walked = 0;

  constructor(
    private readonly rows: Record<string, readonly [hidden: number, own: number]>,
    private readonly visible: readonly string[] = [],
  ) {}

  count(term: string, atMost: number) {
    const [hidden, own] = this.rows[term] ?? [0, 0];
    const rows = this.#walk(hidden + own, atMost);
    return { rows, last: rows };
  }

  isInScope(term: string, atMost = Infinity): boolean {
    const [hidden, own] = this.rows[term] ?? [0, 0];
    return this.#walk(own > 0 ? hidden + 1 : hidden, atMost) > hidden;
  }

  isVisible(term: string): boolean {
    return this.visible.includes(term);
  }

  #walk(rows: number, atMost: number): number {
    this.walked += Math.min(rows, atMost);
    return Math.min(rows, atMost);
  }
}

const own = (counts: Record<string, number>) =>
  new FakeFile(Object.fromEntries(Object.entries(counts).map(([term, rows]) => [term, [0, rows]])));

describe('matchTerms', () => {
  it('takes the terms that stand somewhere, and says which words do not', () => {
    const found = matchTerms(queryTerms('refund the unicorn'), own({ refund: 3 }));
    expect(found).toEqual({ terms: ['refund'], missing: ['unicorn'], truncated: false });
  });

  it('keeps the order of the query, however rare the terms are', () => {
    const { terms } = matchTerms(queryTerms('refund invoice customer'), own({ refund: 3, invoic: 1, custom: 2 }));
    expect(terms).toEqual(['refund', 'invoic', 'custom']);
  });

  it('does not report a word as unmatched if the bound left it out', () => {
    const file = new FakeFile({ refund: [0, 3], unicorn: [1, 0] }, ['unicorn']);
    expect(matchTerms(queryTerms('refund unicorn'), file)).toEqual({
      terms: ['refund'],
      missing: [],
      truncated: false,
    });
  });

  it('leaves the commonest terms out once the rest is enough work', () => {
    const query = queryTerms('refund invoice everywhere');
    const common = matchTerms(query, own({ refund: 10, invoic: 75_000, everywher: 75_000 }));
    expect(common).toEqual({ terms: ['refund', 'invoic'], missing: [], truncated: true });
  });

  it('takes the only term, however common it is', () => {
    expect(matchTerms(queryTerms('invoice'), own({ invoic: 1_000_000 }))).toEqual({
      terms: ['invoic'],
      missing: [],
      truncated: false,
    });
  });

  const words = Array.from({ length: 64 }, (_, i) => `${String.fromCharCode(97 + (i >> 3), 97 + (i & 7))}qz`);

  it('bounds what it costs by the rows of the file, however few the caller may see', () => {
    const file = new FakeFile(Object.fromEntries(words.map((word) => [word, [0, 20_000]])));
    const { terms, truncated } = matchTerms(queryTerms(words.join(' ')), file);
    expect([terms.length, truncated]).toEqual([5, true]);
    expect(file.walked).toBeLessThan(400_000);
    const foreign = new FakeFile(Object.fromEntries(words.map((word) => [word, [20_000, 0]])));
    expect(matchTerms(queryTerms(words.join(' ')), foreign).terms).toEqual([]);
    expect(foreign.walked).toBeLessThan(500_000);
  });

  it('says the same of hidden words as of those that stand nowhere, looked up or not', () => {
    const visible = Object.fromEntries(words.slice(0, 60).map((word) => [word, [0, 5_000] as const]));
    const [rare, common] = words.slice(60) as [string, string];
    const query = queryTerms([...words.slice(0, 60), rare, common].join(' '));
    const nowhere = matchTerms(query, new FakeFile(visible));
    const hidden = matchTerms(query, new FakeFile({ ...visible, [rare]: [5, 0], [common]: [50_000, 0] }));
    expect(nowhere.missing).toEqual([rare, common]);
    expect([hidden.missing, hidden.truncated]).toEqual([nowhere.missing, nowhere.truncated]);
  });
});

describe('anyOf', () => {
  it('quotes every term', () => {
    expect(anyOf(['refund', 'or', 'a"b'])).toBe('"refund" OR "or" OR "a""b"');
  });
});
