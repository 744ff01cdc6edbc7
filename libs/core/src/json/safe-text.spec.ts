import { isSafeId, isSafeText, safeText } from './safe-text.js';

const UNSAFE = ['a\nb', 'a\u0000', 'a\u001b[2K', 'a\u202eb', 'a\u200bb', '\ufeffa', 'a\u2028b', 'a\u2029b', 'a\ud800'];

describe('safe text', () => {
  it.each(UNSAFE)('has no invisible characters: %j', (text) => {
    expect([isSafeText(text, 99), isSafeId(text, 99)]).toEqual([false, false]);
    expect(isSafeText(safeText(text, 99), 99)).toBe(true);
    expect(safeText(text, 99)).toContain('\ufffd');
  });

  it.each(['', ' ', '\u00a0', 'a'.repeat(6), 5, null, undefined])('is not %j', (value) => {
    expect(isSafeText(value, 5)).toBe(false);
  });

  it.each(['a', 'Jürgen Ω', '创建 ok', 'done 😀', 'a'.repeat(99)])('is %j, and stays as it is', (text) => {
    expect([isSafeText(text, 99), isSafeId(text, 99), safeText(text, 99)]).toEqual([true, true, text]);
  });

  it('as an id has no blanks around it', () => {
    expect([' a', 'a ', '\u00a0a'].map((id) => [isSafeText(id, 9), isSafeId(id, 9)])).toEqual([
      [true, false],
      [true, false],
      [true, false],
    ]);
  });

  it('is cut where it is too long, also within a pair', () => {
    expect([safeText('abc', 2), safeText('a😀', 2)]).toEqual(['ab', 'a\ufffd']);
  });
});
