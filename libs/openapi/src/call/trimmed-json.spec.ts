import fc from 'fast-check';
import type { JsonValue } from '@tool-search/core';
import { trimmedJson } from './trimmed-json.js';

describe('trimmedJson', () => {
  const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `item ${id}` }));

  it('leaves what fits as it is', () => {
    const value = { a: [1, 2, 3], b: 'x' };
    expect(trimmedJson(value, 1000)).toEqual({ value, cut: false });
  });

  it('shortens a list from its end and says how many are missing', () => {
    const { value, cut } = trimmedJson(items(100), 300);
    const list = value as JsonValue[];
    expect(cut).toBe(true);
    expect(list.slice(0, -1)).toEqual(items(100).slice(0, list.length - 1));
    expect(list.at(-1)).toBe(`[${100 - (list.length - 1)} more left out]`);
  });

  it('keeps what is small beside what is large', () => {
    const { value } = trimmedJson({ total: 100, items: items(100), next: 'page 2' }, 400);
    expect(value).toMatchObject({ total: 100, next: 'page 2', items: expect.any(Array) });
  });

  it('cuts long texts and says how long they were, never within a character', () => {
    const { value } = trimmedJson({ text: '🙂'.repeat(1000) }, 200);
    const { text } = value as { text: string };
    expect(text).toMatch(/^(🙂)+… \[2000 characters\]$/u);
  });

  it('names what is too deep to find room', () => {
    let deep: JsonValue = items(50);
    for (let level = 0; level < 20; level++) deep = { [`level${level}`]: deep };
    expect(JSON.stringify(trimmedJson(deep, 300).value)).toMatch(/\[(object|list) of \d+ left out\]/);
  });

  it('shows at least a part of the first item, and not all keys of a wide object', () => {
    expect(trimmedJson([{ text: 'x'.repeat(1000) }, 2], 200).value).toEqual([
      { text: expect.stringMatching(/^x+… \[1000 characters\]$/) },
      '[1 more left out]',
    ]);
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key${i}`, i]));
    expect(trimmedJson(wide, 300).value).toMatchObject({ key0: 0, '[cut]': expect.stringMatching(/^\d+ more/) });
  });

  it('leaves alone what fits to the character', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (input) => {
        const { length } = JSON.stringify(input);
        expect(trimmedJson(input as JsonValue, length).cut).toBe(false);
        expect(trimmedJson(input as JsonValue, length - 1).cut).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('always fits, and reports that values are missing', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 100, max: 2000 }), (input, room) => {
        const before = JSON.stringify(input);
        const { value, cut } = trimmedJson(input as JsonValue, room);
        expect(JSON.stringify(value).length).toBeLessThanOrEqual(room);
        expect(cut).toBe(before.length > room);
        if (!cut) expect(JSON.stringify(value)).toBe(before);
        expect(JSON.stringify(input)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });
});
