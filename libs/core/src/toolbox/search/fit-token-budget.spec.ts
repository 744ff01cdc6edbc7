import fc from 'fast-check';
import { estimateTokens } from '../../tool/token-count.js';
import { fitTokenBudget } from './short-lines.js';

const perWord = (text: string) => text.split(/\s+/).filter(Boolean).length;
const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
const total = (lines: readonly string[], count: (text: string) => number) =>
  lines.reduce((sum, line) => sum + count(line), 0);

describe('fairLines', () => {
  it('leaves lines alone that keep to the budget', () => {
    const lines = [words(3), '', words(4)];
    expect(fitTokenBudget(lines, 7, perWord)).toEqual(lines);
    expect(fitTokenBudget([], 7, perWord)).toEqual([]);
  });

  it('gives what short lines leave over to the others, in equal shares', () => {
    const [short, long, longer] = fitTokenBudget([words(2), words(20), words(30)], 22, perWord);
    expect(short).toBe(words(2));
    expect([perWord(long!), perWord(longer!)]).toEqual([10, 10]);
    expect(long).toMatch(/^word0 .* word9…$/);
  });

  it('keeps to any budget with any texts, and never cuts a character in two', () => {
    const line = fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: 'grapheme', maxLength: 120 }));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.integer({ min: 0, max: 400 }), (lines, budget) => {
        const fitted = fitTokenBudget(lines, budget, estimateTokens);
        expect(total(fitted, estimateTokens)).toBeLessThanOrEqual(budget);
        expect(fitted.filter((text) => /\p{Cs}/u.test(text))).toEqual([]);
        if (total(lines, estimateTokens) <= budget) expect(fitted).toEqual(lines);
      }),
    );
  });

  it('leaves no line if a counter finds every line too long', () => {
    expect(fitTokenBudget(['Refund an invoice.', 'Read a file.'], 50, () => 100)).toEqual(['', '']);
  });
});
