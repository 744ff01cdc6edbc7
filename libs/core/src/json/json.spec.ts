import fc from 'fast-check';
import { deepFreeze, depthOf, isObject, poisonedKey, valueCount } from './json.js';

/** The recursive definition of depth, for values small enough to recurse into. */
function depthByRecursion(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthByRecursion));
}

describe('isObject', () => {
  it.each([
    [{}, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    ['text', false],
    [undefined, false],
    [() => 1, false],
  ])('takes %p for an object in the JSON sense: %p', (value, expected) => {
    expect(isObject(value)).toBe(expected);
  });
});

describe('valueCount', () => {
  it.each([
    [undefined, 0],
    [null, 1],
    ['text', 1],
    [[], 1],
    [{}, 1],
    [{ a: 1, b: undefined }, 2],
    [{ a: [1, { b: null }], c: '' }, 6],
  ])('counts the values in %j: %p', (value, count) => {
    expect(valueCount(value)).toBe(count);
  });
});

describe('depthOf', () => {
  it('counts levels of objects and lists; a bare value has none', () => {
    expect([1, {}, [], { a: 1 }, { a: [] }, [[{ a: 1 }]]].map((value) => depthOf(value, 10))).toEqual([
      0, 1, 1, 1, 2, 3,
    ]);
  });

  it('agrees with plain recursion', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(depthOf(value, 100)).toBe(depthByRecursion(value));
      }),
    );
  });

  it('stops just past the limit, however deep the value is', () => {
    const bottomless = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
    expect(depthOf(bottomless, 32)).toBe(33);
  });

  it('ends on a value that holds itself', () => {
    const loop: { self?: unknown } = {};
    loop.self = { again: loop, twice: loop };
    expect(depthOf(loop, 8)).toBe(9);
  });

  it('takes a part that is shared by many places once, not once per path', () => {
    let doubled: unknown = {};
    for (let level = 1; level < 64; level++) doubled = { left: doubled, right: doubled };
    expect(depthOf(doubled, 100)).toBe(64);
  });

  it('takes lists wider than an argument list may be', () => {
    expect(depthOf({ wide: Array.from({ length: 300_000 }, () => ({})) }, 5)).toBe(3);
  });
});

describe('poisonedKey', () => {
  it.each([
    ['{"__proto__": 1}', '__proto__'],
    ['{"a": [{"constructor": {"prototype": {}}}]}', 'constructor'],
    ['{"a": {"b": {"prototype": 1}}}', 'prototype'],
    ['{"proto": 1, "constructors": ["constructor", "__proto__"]}', undefined],
    ['["__proto__"]', undefined],
    ['"__proto__"', undefined],
  ])('in %s finds %p', (json, key) => {
    expect(poisonedKey(JSON.parse(json))).toBe(key);
  });

  it('finds a key wherever it is hidden', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.constantFrom('list', 'object'), { maxLength: 20 }), (rest, path) => {
        const bad: unknown = JSON.parse('{"__proto__": {}}');
        const hidden = path.reduce((inner, step) => (step === 'list' ? [rest, inner] : { rest, inner }), bad);
        fc.pre(poisonedKey(rest) === undefined);
        expect(poisonedKey(hidden)).toBe('__proto__');
      }),
    );
  });

  it('does not stumble over depth, width or a value that holds itself', () => {
    const loop: { self?: unknown; wide?: unknown } = { wide: Array.from({ length: 300_000 }, () => ({})) };
    loop.self = loop;
    expect(poisonedKey(loop)).toBeUndefined();
    expect(poisonedKey(JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)))).toBeUndefined();
  });
});

describe('deepFreeze', () => {
  it('freezes every level and gives back the same value', () => {
    const value = { a: [{ b: 1 }], c: null };
    expect(deepFreeze(value)).toBe(value);
    expect([value, value.a, value.a[0]].every(Object.isFrozen)).toBe(true);
  });
});
