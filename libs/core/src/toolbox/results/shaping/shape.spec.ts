import fc from 'fast-check';
import { atOnce } from '../../../async/time-slicer.js';
import { isObject } from '../../../json/json.js';
import { countedInPieces } from '../../../tool/counted-in-pieces.js';
import { estimateTokens, type TokenCounter } from '../../../tool/token-count.js';
import { ExactJson } from './exact-json.js';
import { shape } from './shape.js';

/** Counts three tokens for each character outside ASCII, like a tokenizer at its worst. */
const perByte: TokenCounter = (text) => Buffer.byteLength(text);
const shaped = (text: string, budget: number, count: TokenCounter = estimateTokens) =>
  atOnce(shape(text, budget, count));
const tokensOf = (text: string, count: TokenCounter) => atOnce(countedInPieces(text, count));

const REST = /^(?:… \d+ more items|\[… \d+ items\]|\{… \d+ keys\})$/;
const CUT = /… \(\d+ characters\)$/;

/** Whether no character is half of one. */
const isWellFormed = (text: string) => Buffer.from(text).toString() === text;

/** Whether a shortened value contains nothing that the original does not have at the same place. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') {
    if (part === whole || REST.test(part)) return true;
    return typeof whole === 'string' && CUT.test(part) && whole.startsWith(part.replace(CUT, ''));
  }
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) &&
      part.every(
        (item, index) => isPartOf(item, whole[index]) || (index === part.length - 1 && REST.test(String(item))),
      )
    );
  }
  if (isObject(part)) {
    return (
      isObject(whole) &&
      Object.entries(part).every(([key, value]) =>
        Object.hasOwn(whole, key)
          ? isPartOf(value, whole[key])
          : /^…+$/.test(key) && /^\d+ more keys$/.test(String(value)),
      )
    );
  }
  return Object.is(part, whole);
}

const json = fc
  .oneof(fc.json({ maxDepth: 6 }), fc.json({ maxDepth: 3, stringUnit: 'binary' }))
  .filter((text) => /^[{[]/.test(text));
const large = fc.array(json, { minLength: 5, maxLength: 200 }).map((parts) => `[${parts.join(', ')}]`);

describe('shape', () => {
  it('keeps JSON valid, adds no value, stays in its budget, and is never larger', () => {
    fc.assert(
      fc.property(
        large,
        fc.constantFrom(estimateTokens, perByte),
        fc.integer({ min: 60, max: 2000 }),
        (text, count, budget) => {
          const before = tokensOf(text, count);
          fc.pre(before > budget);
          const { text: after, isWhole } = shaped(text, budget, count);
          expect(tokensOf(after, count)).toBeLessThanOrEqual(budget);
          expect(Buffer.byteLength(after)).toBeLessThanOrEqual(Buffer.byteLength(text));
          const [part, whole] = [JSON.parse(after), JSON.parse(text)];
          expect(isPartOf(part, whole)).toBe(true);
          if (isWhole) expect(part).toEqual(whole);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keeps the beginning and the end of a plain text, in its budget', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 5, maxLength: 60 }),
        fc.constantFrom(estimateTokens, perByte),
        fc.integer({ min: 200, max: 2000 }),
        (lines, count, budget) => {
          const some = `plain\n${lines.join('\n')}\n`;
          const text = some.repeat(Math.ceil((6 * budget) / some.length));
          const { text: after } = shaped(text, budget, count);
          expect(tokensOf(after, count)).toBeLessThanOrEqual(budget);
          const [head = '', tail = ''] = after.split(/\n… \d+ of \d+ characters left out …\n/);
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
          expect(isWellFormed(after)).toBe(isWellFormed(text));
        },
      ),
    );
  });

  it('shows the first items of a list and how many are missing, and where to read on', () => {
    const items = Array.from({ length: 5000 }, (_, id) => ({ id, name: `Item ${id}`, tags: ['a', 'b'] }));
    const { text, cut, isWhole } = shaped(JSON.stringify({ total: 5000, items, next: null }), 200);
    const part = JSON.parse(text) as { total: number; items: unknown[]; next: null };
    expect(isWhole).toBe(false);
    expect(part.total).toBe(5000);
    expect(part.next).toBeNull();
    expect(part.items.slice(0, 3)).toEqual(items.slice(0, 3));
    expect(part.items.at(-1)).toBe(`… ${5001 - part.items.length} more items`);
    expect(cut).toEqual({ pointer: '/items', offset: part.items.length - 1 });
  });

  it('uses most of its budget', () => {
    for (const text of [
      JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, at: '2026-01-01' }))),
      JSON.stringify({ body: 'one two three '.repeat(50_000), id: 7 }),
      JSON.stringify(Object.fromEntries(Array.from({ length: 9000 }, (_, key) => [`key ${key}`, key]))),
      'one line of a log\n'.repeat(60_000),
    ]) {
      const tokens = tokensOf(shaped(text, 2000).text, estimateTokens);
      expect(tokens).toBeGreaterThan(1600);
      expect(tokens).toBeLessThanOrEqual(2000);
    }
  });

  it('shares the room among long values, and keeps short ones whole', () => {
    const text = JSON.stringify({ a: 'x'.repeat(9000), b: 'short', c: ['y'.repeat(9000)], d: { e: 1 } });
    expect(JSON.parse(shaped(text, 300).text)).toEqual({
      a: expect.stringMatching(/^x{400,}… \(9000 characters\)$/),
      b: 'short',
      c: [expect.stringMatching(/^y{400,}… \(9000 characters\)$/)],
      d: { e: 1 },
    });
  });

  it('keeps the digits of numbers that JavaScript would round', () => {
    const text = `[{"id":9007199254740993,"price":1e400,"text":"9007199254740993"},${'[1],'.repeat(5000)}0]`;
    expect(shaped(text, 100).text).toContain('{"id":9007199254740993,"price":1e400,"text":"9007199254740993"}');
  });

  it('only removes spaces where that is enough', () => {
    const value = Array.from({ length: 20 }, (_, id) => ({ id, list: [id] }));
    expect(shaped(JSON.stringify(value, null, 40), 200)).toMatchObject({ text: JSON.stringify(value), isWhole: true });
  });

  it.each([
    ['lists in lists', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects in objects', '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)],
    ['one key of a million characters', JSON.stringify({ ['k'.repeat(1_000_000)]: 1 })],
    ['keys that could reach a prototype', JSON.stringify({ a: 'x'.repeat(9000) }).replace('"a"', '"__proto__"')],
    ['a key like those of what is missing', JSON.stringify({ '…': 'x'.repeat(9000), b: Array(900).fill('yyyy') })],
    ['escapes', JSON.stringify(['\u0000'.repeat(100_000)])],
    ['half characters', JSON.stringify(['\ud83d\ude00'.repeat(50_000)])],
  ])('stays valid and within its budget: %s', (_, text) => {
    const { text: after } = shaped(text, 100, perByte);
    expect(Buffer.byteLength(after)).toBeLessThanOrEqual(100);
    expect(JSON.parse(after)).toBeDefined();
    expect(isWellFormed(after)).toBe(true);
  });

  it('looks at a part of the document only', () => {
    let counted = 0;
    const count: TokenCounter = (text) => ((counted += text.length), estimateTokens(text));
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'some words of a text' })));
    expect(text.length).toBeGreaterThan(800_000);
    shaped(text, 2000, count);
    expect(counted).toBeLessThan(60_000);
  });

  it('looks at the first members of an object with many keys', () => {
    const measured = jest.spyOn(ExactJson.prototype, 'length');
    const members = Array.from({ length: 40_000 }, (_, n) => [String(n).padStart(10, 'k'), 'twenty characters...']);
    const text = JSON.stringify(Object.fromEntries(members));
    for (const budget of [500, 501, 502, 503, 504]) {
      measured.mockClear();
      expect(shaped(text, budget).isJson).toBe(true);
      expect(measured.mock.calls.length).toBeLessThan(4000);
    }
    measured.mockRestore();
  });
});
