import { wordsPattern } from './words-pattern.js';

describe('wordsPattern', () => {
  it('matches any of the words that mean something', () => {
    expect(wordsPattern('Refund the invoice, please')).toBe('refund|invoice');
    expect(wordsPattern('创建工单 NOT')).toBe('创建工单');
    expect(wordsPattern('42')).toBe('42');
  });

  it('reads a pattern as words', () => {
    expect(wordsPattern('.* (a+)+$ refund|x')).toBe('refund|x');
  });

  it('is not there for a text without words', () => {
    expect(wordsPattern('?! … ""')).toBeUndefined();
  });

  it('stays as short as a pattern may be', () => {
    const pattern = wordsPattern(Array.from({ length: 300 }, (_, i) => `word${i.toString(36)}z`).join(' ')) ?? '';
    expect(pattern.length).toBeGreaterThan(150);
    expect(pattern.length).toBeLessThanOrEqual(200);
  });
});
