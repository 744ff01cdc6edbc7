import { atOnce } from '@tool-search/core/internal';
import { findValues } from './find-values.js';
import { COUNTRIES, KINDS } from './finding.js';

const SEARCH = { kinds: new Set(KINDS), countries: COUNTRIES };
const SIZE = 65_536;
/** Characters that rules cut out to look at, for each character of the text. */
const MAX_READ = 100;

/** Texts made to be costly: much that looks like the beginning of a value. */
const HOSTILE = [
  '5',
  '4111 ',
  '12 ',
  '1.',
  '0049 (0) ',
  'tel 212 555 0147, ',
  '@',
  'a@',
  'a.a@a.',
  '%40',
  'A',
  'AB12 34 56 78 ',
  'AT00 ',
  'DE89 ',
  '-eyJaaaaaaaa.',
  '-eyJ',
  'sk-',
  'a+b://x:',
  '://a:b@',
  'password=',
  'password: "',
  'secret=token=',
  'token for ',
  'Bearer ',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN ',
  'AKIAABCDEFGHIJKLMNOP ',
  ',',
  ',\n',
  '|a;b\t\n',
  '"',
  '(',
  ' ',
  '\n',
  '[{"a":"',
  'é',
  '\u00a0',
  '\u200b',
  '4\u200b',
  '\uff14',
  '\u{1d7d2}',
  '\u2460',
  'e\u0301',
  '1\u20e3',
  '\u2013',
  '\u001b[',
  '%41',
  '%40 ',
  '%25',
  '%e2%82',
  '?a=',
  '?a=1+',
  'a%40b.de ',
  '\t4',
];

/** Runs a search and counts the characters that were cut out of the text for a closer look, and its pauses. */
function counted(text: string) {
  let read = 0;
  let pauses = 0;
  const spy = jest.spyOn(String.prototype, 'slice').mockImplementation(function (this: string, from, to) {
    const placeOf = (at: number) => (at < 0 ? Math.max(0, this.length + at) : at);
    const [start, end] = [placeOf(from ?? 0), placeOf(to ?? this.length)];
    const part = end > start ? this.substring(start, end) : '';
    read += part.length;
    return part;
  });
  try {
    const steps = findValues(text, '', SEARCH);
    for (let step = steps.next(); !step.done; step = steps.next()) pauses += 1;
  } finally {
    spy.mockRestore();
  }
  return { read, pauses };
}

describe('the search for values', () => {
  it.each(HOSTILE)('reads a number of characters that is linear in the length of %j repeated', (part) => {
    const half = counted(part.repeat(Math.ceil(SIZE / 2 / part.length)));
    const whole = counted(part.repeat(Math.ceil(SIZE / part.length)));
    expect(whole.read / SIZE).toBeLessThan(MAX_READ);
    expect(whole.read).toBeLessThan(half.read * 2.3 + SIZE);
    expect(whole.pauses).toBeGreaterThanOrEqual(SIZE / 8192);
  });

  it('ends for a million characters', () => {
    for (const part of ['5', '@', 'A', '4111 ', '[{"a":"', 'token: ']) {
      const found = atOnce(findValues(part.repeat(Math.ceil(1_000_000 / part.length)), '', SEARCH));
      expect(found.every(({ start, end }) => start < end)).toBe(true);
    }
  }, 120_000);
});
