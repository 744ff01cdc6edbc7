import { plainText } from './plain-text.js';

describe('plainText', () => {
  it.each([
    ['keeps plain words', 'Lists pets.', 'Lists pets.'],
    [
      'keeps the text of a link and drops its address',
      'See [the docs](https://example.com/a) now.',
      'See the docs now.',
    ],
    ['keeps the name of an image', '![logo](https://example.com/logo.png)', 'logo'],
    ['leaves brackets that are no link', 'a[0] (first)', 'a[0] (first)'],
    ['drops HTML comments', 'a<!-- b - c -- d -->e', 'ae'],
    ['tightens white space', '  a \t b \r\n\r\n\r\n\n c ', 'a b\n\nc'],
    ['makes nothing of other values', { a: 1 }, ''],
  ])('%s', (_, value, expected) => {
    expect(plainText(value, 100)).toBe(expected);
  });

  it('cuts at a word and says so', () => {
    expect(plainText('one two three four', 12)).toBe('one two…');
    expect(plainText('one two three four', 18)).toBe('one two three four');
  });

  it('cuts a text without spaces where it is, but no character in half', () => {
    expect(plainText('x'.repeat(20), 10)).toBe(`${'x'.repeat(9)}…`);
    expect(plainText('😀'.repeat(20), 10)).toBe(`${'😀'.repeat(4)}…`);
  });

  it('stays fast on hostile text', () => {
    for (const hostile of ['[', '![', '<!--', '<!---', '[a](', ' \n']) {
      expect(plainText(hostile.repeat(100_000), 50).length).toBeLessThanOrEqual(50);
    }
  });
});
