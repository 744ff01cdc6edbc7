import fc from 'fast-check';
import { isExactNumber, isMultiple, keepsWholeNumbers, STRING_OR_NUMBER } from './exact-decimal.js';

describe('isMultiple', () => {
  it.each([
    [19.99, 0.01],
    [0.07, 0.01],
    [1.15, 0.01],
    [-19.99, 0.01],
    [4.35, 0.05],
    [0.3, 0.1],
    [0.9, 0.3],
    [3e-7, 1e-7],
    [1, 1e-7],
    [123456789.0000001, 1e-7],
    [3e21, 1e21],
    [1e23, 0.01],
    [6.02e23, 1e21],
    [5e-324, 5e-324],
    [1.7976931348623157e308, 5e-324],
    [0, 0.01],
    [-0, 0.3],
    [6, 3],
    [-6, 3],
    [7.5, 2.5],
  ])('takes %d as a multiple of %d', (value, factor) => {
    expect(isMultiple(value, factor)).toBe(true);
  });

  it.each([
    [19.995, 0.01],
    [0.075, 0.01],
    [1e-7, 0.01],
    [0.30000000000000004, 0.1],
    [1, 0.3],
    [1.5e21, 1e21],
    [1e21, 3e21],
    [5e-324, 1e-323],
    [7, 3],
    [1, 0],
    [0, 0],
    [Infinity, 1],
    [NaN, 1],
    [1, Infinity],
  ])('does not take %d as a multiple of %d', (value, factor) => {
    expect(isMultiple(value, factor)).toBe(false);
  });

  it('agrees with whole numbers of the smallest unit, for amounts and factors of up to nine decimals', () => {
    const whole = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(whole, whole, fc.integer({ min: 0, max: 9 }), (value, factor, decimals) => {
        const number = (units: number) => Number(`${units}e-${decimals}`);
        expect(isMultiple(number(value), number(factor))).toBe(value % factor === 0);
        expect(isMultiple(number(value * factor), number(factor))).toBe(true);
      }),
    );
  });
});

describe('isExactNumber', () => {
  it('takes every way to write a number that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(isExactNumber(JSON.stringify(number))).toBe(true);
        expect(isExactNumber(number.toExponential())).toBe(true);
      }),
    );
  });

  it.each(['6.02e23', '1e16', '1E+16', '10000000000000000', '10000000000000000.00', '-0.0', '0e5', '1.0', '0.1'])(
    'takes %s',
    (text) => {
      expect(isExactNumber(text)).toBe(true);
    },
  );

  it.each([
    '9007199254740993',
    '10000000000000001',
    '6.0200000000000000001e23',
    '1e400',
    '1e-400',
    '9007199254740992.5',
  ])('does not take %s, which is parsed as another number', (text) => {
    expect(isExactNumber(text)).toBe(false);
  });

  it('takes time linear in the digits', () => {
    expect(isExactNumber(`1${'0'.repeat(200_000)}1e-200000`)).toBe(false);
    expect(isExactNumber(`0.${'0'.repeat(200_000)}1`)).toBe(false);
  });
});

describe('keepsWholeNumbers', () => {
  it.each([
    '{"a":1e16,"b":[6.02e23,-0.0,9007199254740991]}',
    '{"id":"9007199254740993","note":"say \\"10000000000000001\\""}',
    '{"third":0.333333333333333333333333,"pi":3.14159265358979323846}',
    '{}',
  ])('is true of %s', (json) => {
    expect(keepsWholeNumbers(json)).toBe(true);
  });

  it.each([
    '{"a":9007199254740993}',
    '{"a":1e16,"b":{"c":[10000000000000001]}}',
    '{"a":10000000000000000.5}',
    '{"a":1e400}',
    '{"a":-1e999}',
    '{"text":"\\\\","a":9007199254740993}',
  ])('is false of %s', (json) => {
    expect(keepsWholeNumbers(json)).toBe(false);
  });
});

describe('the strings and numbers of a text', () => {
  it.each([
    ['1e5 "' + String.raw`\"`.repeat(1000), ['1e5', '"' + String.raw`\"`.repeat(1000)]],
    ['["a\\\\", 1, "b\\"c", "open \\', ['"a\\\\"', '1', '"b\\"c"', '"open \\']],
  ])('are read once, and one without an end goes to the end of the text', (text, parts) => {
    expect(Array.from(text.matchAll(STRING_OR_NUMBER), ([part]) => part)).toEqual(parts);
  });
});
