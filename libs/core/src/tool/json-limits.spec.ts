import fc from 'fast-check';
import { checkJsonText, type JsonLimits } from './json-limits.js';
import { isToolSearchError } from './tool-search.error.js';

const LIMITS: JsonLimits = { depth: 4, objectKeys: 3, values: 10 };

function refusalOf(text: string, limits = LIMITS): string {
  try {
    checkJsonText(text, 'The body is', limits);
  } catch (error) {
    if (isToolSearchError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

/** A text that counts how many of its characters are read. */
function counted(text: string) {
  const looked = { characters: 0 };
  const proxy = {
    length: text.length,
    charCodeAt: (at: number) => ((looked.characters += 1), text.charCodeAt(at)),
    charAt: (at: number) => ((looked.characters += 1), text.charAt(at)),
    slice: (from: number, to: number) => ((looked.characters += to - from), text.slice(from, to)),
  };
  return { looked, text: proxy as unknown as string };
}

describe('checkJsonText', () => {
  it.each([
    ['4 levels', '[[[{}]]]', /^accepted$/],
    ['5 levels', '[[[[{}]]]]', /^ARGUMENTS_TOO_LARGE: The body is more than 4 levels deep/],
    ['brackets that never close', '['.repeat(250_000), /^ARGUMENTS_TOO_LARGE: .*levels/],
    ['3 keys', '{"a":1,"b":2,"c":3}', /^accepted$/],
    ['4 keys', '{"a":1,"b":2,"c":3,"d":4}', /^ARGUMENTS_TOO_LARGE: .*one object has more than 3 keys/],
    ['3 keys in each of two objects', '[{"a":1,"b":2,"c":3},{"a":1,"b":2,"c":3}]', /^accepted$/],
    ['8 values in a list', '[1,2,3,4,5,6,7,8]', /^accepted$/],
    ['10 values in a list', '[1,2,3,4,5,6,7,8,9,10]', /^ARGUMENTS_TOO_LARGE: .*10 values/],
    ['empty objects', `[${'{},'.repeat(1000)}{}]`, /^ARGUMENTS_TOO_LARGE: .*10 values/],
    ['what is no structure in a text', '["{{{{{{,,,,,,,,,,,,[[[[[\\"[[[[[[["]', /^accepted$/],
    ['the same key twice', '{"a":1,"a":2}', /^INVALID_REQUEST: .*same key twice/],
    ['the same key in another spelling', '{"a":1,"\\u0061" :2}', /^INVALID_REQUEST: .*same key twice/],
    ['the same key in two objects, and as a value', '{"a":{"a":"a"}}', /^accepted$/],
    ['what is no JSON', '}{"\\x":]', /^accepted$/],
  ])('%s', (_, text, answer) => {
    expect(refusalOf(text)).toMatch(answer);
  });

  it('lets all JSON within the limits pass', () => {
    const wide: JsonLimits = { depth: 1000, objectKeys: 10_000, values: 100_000 };
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 4 }), (json, spaces) => {
        expect(refusalOf(JSON.stringify(JSON.parse(json), null, spaces), wide)).toBe('accepted');
      }),
    );
  });

  it.each([
    ['keys', (n: number) => `{${Array.from({ length: n }, (_, i) => `"k${i}":1`).join(',')}}`],
    ['empty objects', (n: number) => `[${'{},'.repeat(n)}{}]`],
    ['brackets', (n: number) => '['.repeat(n)],
    ['quotes', (n: number) => '"'.repeat(n)],
    ['backslashes', (n: number) => `"${'\\'.repeat(n)}`],
    ['blanks after texts', (n: number) => `[${`"a"${' '.repeat(50)},`.repeat(n)}1]`],
  ])('looks at each character at most three times: %s', (_, textOf) => {
    const { looked, text } = counted(textOf(20_000));
    const unlimited = { depth: Infinity, objectKeys: Infinity, values: Infinity };
    checkJsonText(text, 'The body is', unlimited);
    expect(looked.characters).toBeLessThanOrEqual(3 * text.length);
  });
});
