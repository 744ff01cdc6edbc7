import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { inLinearTime } from './linear-counter.js';

const isWellFormed = (text: string) => Buffer.from(text).toString() === text;
const whole = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

describe('a counter in linear time', () => {
  it('counts texts with words exactly as the tokenizer does', () => {
    const word = fc.constantFrom(
      'tool',
      'Größe',
      "it's",
      '12345',
      'naïve',
      '\n\n',
      '日本',
      '"key":{"a":[1,2]}',
      '',
      'HTTPServer',
    );
    const sign = fc.constantFrom(' ', '  ', ', ', '"', '_', '/', '\n', '): ', ' — ', ' the end of ');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, sign), { maxLength: 900, size: 'max' }), (parts) => {
        const text = parts.flat().join('');
        expect(inLinearTime(whole)(text)).toBe(whole(text));
      }),
      { numRuns: 200 },
    );
  });

  it('counts short texts of any characters exactly', () => {
    const count = inLinearTime(whole);
    const units = [...Array.from("aSl1' \n\t\r\f/|\u0301漢—\u00a0😀"), '\ud83d'];
    const text = fc.oneof(fc.string({ unit: fc.constantFrom(...units), maxLength: 40, size: 'max' }), fc.json());
    fc.assert(
      fc.property(text, (text) => expect(count(text)).toBe(whole(text))),
      { numRuns: 3000 },
    );
  });

  it.each(['漢', '=', 'ab1', '—', '😀', 'й '])('counts up to 1,024 characters of %s exactly', (unit) => {
    const count = inLinearTime(whole);
    for (const length of [31, 32, 33, 127, 128, 129, 512, 1024]) {
      const text = `${unit.repeat(length).slice(0, length - 2)}a,`;
      expect([length, count(text)]).toEqual([length, whole(text)]);
    }
  });

  it('counts a repeated word once', () => {
    const given: string[] = [];
    const count = inLinearTime((word) => given.push(word) && word.length);
    const text = '{"type":"object"}';
    expect([count(text), count(text)]).toEqual([text.length, text.length]);
    expect(given).toEqual(['{"type', '":"object', '"}']);
  });

  it('gives the tokenizer no more than 1,024 characters, and never half a character', () => {
    const given: string[] = [];
    fc.assert(
      fc.property(fc.constantFrom('漢', '😀', 'a', '=', ' ', 'a漢'), fc.nat(5000), (char, times) => {
        given.length = 0;
        const count = inLinearTime((text) => given.push(text));
        const text = `x${char.repeat(times)}`;
        count(text);
        expect(given.join('')).toBe(text);
        for (const part of given) expect([part.length <= 1024, isWellFormed(part)]).toEqual([true, true]);
      }),
    );
  });

  it('looks at each part of a text without borders once', () => {
    let chars = 0;
    const count = inLinearTime((text) => (chars += text.length ** 2));
    count('漢'.repeat(65_536));
    expect(chars).toBeLessThanOrEqual(65_536 * 129 + 1024 ** 2);
  });

  it('counts long Chinese and base64 texts at most 2 % too high', () => {
    const text = Array.from({ length: 4096 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join('');
    const base64 = Buffer.from(Array.from({ length: 4096 }, (_, n) => (n * n * 31) % 251)).toString('base64');
    for (const each of [text, base64]) {
      const [parts, all] = [inLinearTime(whole)(each), whole(each)];
      expect(parts).toBeGreaterThanOrEqual(all);
      expect(parts).toBeLessThanOrEqual(all * 1.02);
    }
  });
});
