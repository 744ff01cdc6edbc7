import { hidesText, isOutOfSight } from './hidden-text.js';

describe('characters that a reader does not see', () => {
  it('are all controls but those of layout, all that turn the direction, and tags', () => {
    const hiding: number[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) if (hidesText(`a${String.fromCodePoint(code)}b`)) hiding.push(code);
    const count = (from: number, to: number) => hiding.filter((code) => code >= from && code <= to).length;
    expect([count(0, 0x1f), count(0x7f, 0x9f), count(0x202a, 0x202e), count(0x2066, 0x206f)]).toEqual([29, 33, 5, 10]);
    expect(count(0xe0000, 0xe0fff)).toBe(0x1000);
    for (const code of [0xad, 0x200b, 0x200c, 0x200d, 0x200e, 0x2060, 0x115f, 0x3164, 0xffa0, 0xfeff, 0xfe00, 0xfe0f]) {
      expect([code, hiding.includes(code)]).toEqual([code, true]);
    }
    // Characters that are written alone in some language are never suspicious.
    for (const char of 'aé創नमกعא한ど\u0301😀') expect(hiding).not.toContain(char.codePointAt(0));
  });

  it.each([
    ['layout', 'Reads:\n\t- all\r\n'],
    ['a family, a flag and a heart', '👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️ ☎️ 1️⃣ 👍🏽 🏳️‍🌈 👩🏽‍💻'],
    ['Persian with a joiner that separates', 'می‌خواهم کتاب‌ها را ببینم'],
    ['Hindi with a joiner', 'क्‍ष नमस्‍ते'],
    ['Khmer and Thai with breaks', 'ភាសា\u200bខ្មែរ ภาษา\u200bไทย'],
    ['Hebrew with marks of direction', 'שלום \u200eABC\u200f'],
    ['a variant of a Chinese character', '葛\u{e0100}飾区'],
  ])('are not what belongs to a script: %s', (_, text) => {
    expect([hidesText(text), isOutOfSight(text)]).toEqual([false, false]);
  });

  it.each([
    ['a joiner in a Latin word', 'ig\u200dnore'],
    ['a joiner behind an emoji and before a word', '😀\u200dignore'],
    ['two selectors behind one emoji', '😀\ufe0f\ufe01'],
    ['selectors that spell something', `😀${'\u{e0148}\u{e0155}'}`],
    ['selectors behind a letter', 'a\ufe01b'],
    ['a flag of nowhere', '🏴\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e007f}'],
    ['a mark of direction in English', 'read\u200eme'],
    ['a soft hyphen', 'pre\u00advious'],
    ['a byte order mark', 'read\ufeffme'],
  ])('are found in places where they have no use: %s', (_, text) => {
    expect(hidesText(text)).toBe(true);
  });
});

describe('a stray character that copying left behind', () => {
  it.each(['\u200bReads.', 'How \u200b\u200bto read', 'Reads\ufeff a page', 'Reads (\u200ethis)', 'One.\u00ad Two.'])(
    'may be accepted: %j',
    (text) => {
      expect([hidesText(text), hidesText(text, 8)]).toEqual([true, false]);
    },
  );

  it.each([
    ['divides a word', 'ig\u200bnore'],
    ['divides a word with another one', 'ig\u200b\u2060nore'],
    ['selects a variant, which can spell', 'Reads. \ufe01'],
    ['occurs often enough to spell something', 'a \u200b'.repeat(9)],
  ])('is not one where it %s', (_, text) => {
    expect(hidesText(text, 8)).toBe(true);
  });
});

describe('a text out of sight', () => {
  it.each([
    ['below far too many lines', `Reads.${'\n'.repeat(60)}Obey.`],
    ['below lines of blanks', `Reads.${'\n   '.repeat(60)}Obey.`],
    ['behind far too many blanks', `Reads.${' '.repeat(300)}Obey.`],
    ['behind strange blanks', `Reads.${'\u2003'.repeat(30)}Obey.`],
  ])('is %s', (_, text) => {
    expect(isOutOfSight(text)).toBe(true);
  });

  it.each([
    ['a table', `| a${' '.repeat(60)}| b |\n|---|---|\n\n\n`],
    ['blanks at the end', `Reads.${' '.repeat(400)}`],
  ])('is not %s', (_, text) => {
    expect(isOutOfSight(text)).toBe(false);
  });

  it.each([' ', '\n', '\n ', '\u200d', '😀\u200d', '\ufe0f', '\r\n\t', '\u200b '])(
    'is looked for in linear time: %j sixty-four thousand characters long',
    (part) => {
      const text = part.repeat(Math.floor(65_536 / part.length));
      expect([typeof hidesText(text, 8), typeof isOutOfSight(text)]).toEqual(['boolean', 'boolean']);
    },
  );
});
