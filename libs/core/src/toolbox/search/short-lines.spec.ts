import { cutLine, oneLine } from './short-lines.js';

describe('oneLine', () => {
  it('makes one line of it, of at most 160 characters', () => {
    expect(oneLine(' Reads\n\n one\tinvoice. ')).toBe('Reads one invoice.');
    const words = oneLine('word '.repeat(100));
    expect([words.length <= 160, words.endsWith('word…')]).toEqual([true, true]);
    expect(oneLine('x'.repeat(500))).toHaveLength(81);
  });

  it('never ends in half a character', () => {
    for (const lead of ['', 'a', 'ab']) expect(oneLine(lead + '😀'.repeat(200))).not.toMatch(/\p{Cs}/u);
  });
});

describe('cutLine', () => {
  it('keeps to the length it is given, whole characters only', () => {
    for (let max = 0; max < 30; max++) {
      const cut = cutLine('Refund 😀😀😀 an invoice, fully', max);
      expect([cut.length <= max, /\p{Cs}/u.test(cut)]).toEqual([true, false]);
    }
    expect(cutLine('Refund an invoice', 17)).toBe('Refund an invoice');
    expect(cutLine('Refund an invoice', 12)).toBe('Refund an…');
  });
});
