import { PlainBm25 } from './plain-bm25.js';

const words = (text: string): readonly string[] => text.split(' ');

describe('PlainBm25', () => {
  it('scores by the formula, with k1 1.5 and b 0.75', () => {
    const bm25 = new PlainBm25(['a a b', 'b c', 'd'], words, (all, having) => all / having);
    // average length 2; "a": idf 3, twice in a text of length 3
    const expected = (3 * (2 * 2.5)) / (2 + 1.5 * (0.25 + 0.75 * (3 / 2)));
    expect([...bm25.scores('a')]).toEqual([[0, expected]]);
    expect(bm25.scores('a a').get(0)).toBeCloseTo(2 * expected);
  });

  it('adds up the words and keeps the order in which they met the texts', () => {
    const bm25 = new PlainBm25(['a', 'b', 'a b'], words, () => 1);
    const scores = bm25.scores('b a x');
    expect([...scores.keys()]).toEqual([1, 2, 0]);
    expect(scores.get(2)).toBeGreaterThan(scores.get(0)!);
  });
});
