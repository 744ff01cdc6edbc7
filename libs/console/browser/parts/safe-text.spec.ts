import { cutText, plainText, visibleText } from './safe-text.js';

describe('texts of others', () => {
  it('shows characters that a reader does not see as escapes, and keeps the rest', () => {
    expect(visibleText('pay\u202e gnp\u0000\u200b 😀 <b>ü</b>\n')).toBe(
      'pay\\u{202e} gnp\\u{0}\\u{200b} 😀 <b>ü</b>\n',
    );
  });

  it('writes the start of a text in one piece, for attributes', () => {
    expect(plainText('a\u202eb')).toBe('a\\u{202e}b');
    expect(plainText('a'.repeat(200))).toBe(`${'a'.repeat(120)}…`);
    expect(plainText('\u200babcd', 3)).toBe('\\u{200b}ab…');
  });

  it('cuts without splitting a character', () => {
    expect(cutText('ab', 2)).toEqual({ text: 'ab', isCut: false });
    expect(cutText('ab😀', 3)).toEqual({ text: 'ab', isCut: true });
  });
});
