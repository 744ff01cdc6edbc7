import fc from 'fast-check';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import { boundedArguments } from './argument-bounds.js';

function refusalOf(input: unknown): string {
  try {
    boundedArguments(input);
  } catch (error) {
    if (isToolSearchError(error)) return error.code;
    throw error;
  }
  return 'accepted';
}
/** An object with this many levels. */
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });

describe('boundedArguments', () => {
  it('gives a copy of what JSON can carry', () => {
    const safe = fc
      .jsonValue({ noUnicodeString: false } as object)
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), safe), (input) => {
        fc.pre(refusalOf(input) === 'accepted');
        const bounded = boundedArguments(input);
        expect(bounded).toEqual(input);
        expect(bounded).not.toBe(input);
      }),
    );
  });

  it('takes 32 levels and 256 KiB, and not one more', () => {
    expect([refusalOf(nested(32)), refusalOf(nested(33))]).toEqual(['accepted', 'ARGUMENTS_TOO_LARGE']);
    const filled = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    expect([refusalOf(filled(262_144)), refusalOf(filled(262_145))]).toEqual(['accepted', 'ARGUMENTS_TOO_LARGE']);
    expect(refusalOf({ a: 'é'.repeat(200_000) })).toBe('ARGUMENTS_TOO_LARGE');
  });

  it('takes 10,000 values and 1,000 keys in one object, and looks at no more', () => {
    const keyed = (keys: number) => ({ a: Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 1])) });
    expect([refusalOf(keyed(1_000)), refusalOf(keyed(1_001))]).toEqual(['accepted', 'ARGUMENTS_TOO_LARGE']);
    const listed = (values: number) => ({ a: Array.from({ length: values }, () => ({})) });
    expect([refusalOf(listed(9_998)), refusalOf(listed(10_000))]).toEqual(['accepted', 'ARGUMENTS_TOO_LARGE']);
    let looked = 0;
    const watched = new Proxy({}, { ownKeys: () => ((looked += 1), []) });
    expect(refusalOf({ a: Array.from({ length: 1_000_000 }, () => watched) })).toBe('ARGUMENTS_TOO_LARGE');
    expect(looked).toBe(0);
    // A shared part counts each time that JSON would write it.
    const doubled = (times: number): object =>
      times === 0 ? {} : ((part) => ({ a: part, b: part }))(doubled(times - 1));
    expect(refusalOf(doubled(30))).toBe('ARGUMENTS_TOO_LARGE');
  });

  it('refuses what would exhaust the stack or never end', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    expect(refusalOf(loop)).toBe('ARGUMENTS_TOO_LARGE');
    expect(refusalOf({ a: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) })).toBe('ARGUMENTS_TOO_LARGE');
  });

  it('takes whole numbers that JSON carries exactly, and any others that are finite', () => {
    const { MAX_SAFE_INTEGER: max } = Number;
    for (const number of [0, 1, -1, max, -max, 0.1, -2.5, 1e-9])
      expect(boundedArguments({ number })).toEqual({ number });
    for (const number of [NaN, Infinity, -Infinity, -0, max + 1, -max - 1, JSON.parse('1e400')]) {
      expect(refusalOf({ list: [{ number }] })).toBe('INVALID_ARGUMENTS');
    }
  });

  it('refuses what has no word in JSON', () => {
    expect(refusalOf({ big: 1n })).toBe('INVALID_ARGUMENTS');
    expect(boundedArguments({ gone: undefined, at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
  });
});
