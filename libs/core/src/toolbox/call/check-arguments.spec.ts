import fc from 'fast-check';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import { boundedArguments } from './check-arguments.js';

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

  it('takes the JSON text of an object, within the same bounds', () => {
    expect(boundedArguments(' {"a": [1, null], "b": "{}"}')).toEqual({ a: [1, null], b: '{}' });
    expect(refusalOf(`{"a":"${'x'.repeat(262_144)}"}`)).toBe('ARGUMENTS_TOO_LARGE');
    expect(refusalOf(JSON.stringify(nested(33)))).toBe('ARGUMENTS_TOO_LARGE');
    expect(['', 'none', '[1]', '"{}"', '{"a":'].map(refusalOf)).toEqual(Array(5).fill('INVALID_ARGUMENTS'));
    expect(refusalOf('{"a": 1e400}')).toBe('INVALID_ARGUMENTS');
  });

  it.each([
    ['a key twice', '{"amount":1,"amount":1000}', 'INVALID_ARGUMENTS'],
    ['a key twice, in two spellings', '{"amount":1,"\\u0061mount":1000}', 'INVALID_ARGUMENTS'],
    ['a key twice within a list', '{"to":[{"id":1,"id":1}]}', 'INVALID_ARGUMENTS'],
    ['100,000 levels', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'ARGUMENTS_TOO_LARGE'],
    ['10,001 keys', `{${Array.from({ length: 10_001 }, (_, i) => `"k${i}":1`).join()}}`, 'ARGUMENTS_TOO_LARGE'],
    ['a key in two objects', '{"to":[{"id":1},{"id":1}],"id":1}', 'accepted'],
  ])('checks a JSON text before it is parsed: %s', (_, text, answer) => {
    const parse = jest.spyOn(JSON, 'parse');
    const refusal = refusalOf(text);
    const isParsed = parse.mock.calls.some(([given]) => given === text);
    parse.mockRestore();
    expect([refusal, isParsed]).toEqual([answer, answer === 'accepted']);
  });

  it.each(['none', '[1]', [1], 7])('tells nobody to leave out arguments that are %j', (input) => {
    const hintOf = () => {
      try {
        return boundedArguments(input);
      } catch (error) {
        return (error as { hint: string }).hint;
      }
    };
    expect(hintOf()).toMatch(/^Pass the same arguments as an object, /);
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

  const { MAX_SAFE_INTEGER: max } = Number;

  it('takes whole numbers that are safe and any fraction, and refuses numbers that may have been rounded', () => {
    for (const number of [0, 1, -1, max, -max, 0.1, -2.5, 1e-9])
      expect(boundedArguments({ number })).toEqual({ number });
    for (const number of [NaN, Infinity, -Infinity, max + 1, -max - 1, 1e16, 6.02e23, JSON.parse('1e400')]) {
      expect(refusalOf({ list: [{ number }] })).toBe('INVALID_ARGUMENTS');
    }
    expect(() => boundedArguments({ number: 1e16 })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('send it as text') }),
    );
  });

  it('takes any finite number of arguments whose text was seen', () => {
    for (const number of [1e16, -1e16, 6.02e23, 1.7976931348623157e308]) {
      expect(boundedArguments({ number }, { exactNumbers: true })).toEqual({ number });
    }
    expect(() => boundedArguments({ number: Infinity }, { exactNumbers: true })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENTS' }),
    );
  });

  it('takes -0 as 0', () => {
    expect(Object.is(boundedArguments({ number: -0 })['number'], 0)).toBe(true);
  });

  it('refuses what has no word in JSON', () => {
    expect(refusalOf({ big: 1n })).toBe('INVALID_ARGUMENTS');
    expect(boundedArguments({ gone: undefined, at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
  });
});
