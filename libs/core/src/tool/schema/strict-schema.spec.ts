import { strictCheck, strictFault } from './strict-schema.js';
import { withinBudget } from './validation-budget.js';

describe('the schema of a rule', () => {
  it.each<[why: string, schema: unknown, fault: RegExp]>([
    ['is no object', [], /must be an object/],
    ['has a keyword that no dialect knows', { propertys: {} }, /^\/propertys is not a keyword/],
    ['has an unknown keyword inside', { properties: { a: { minimun: 1 } } }, /^\/properties\/a\/minimun is not/],
    ['has a reference', { $ref: '#/$defs/a' }, /^\/\$ref is not a keyword/],
    ['has a format', { properties: { a: { format: 'email' } } }, /format is not a keyword/],
    ['names another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, /\$schema is not/],
    ['has a look-ahead', { properties: { a: { pattern: '(?=x)' } } }, /linear time/],
    ['has a back-reference', { properties: { a: { pattern: '(a)\\1' } } }, /linear time/],
    ['has a pattern between slashes', { properties: { a: { pattern: '/^a/i' } } }, /without slashes/],
    ['has a long pattern', { properties: { a: { pattern: 'a'.repeat(1_001) } } }, /1000 characters/],
    ['has a large pattern', { properties: { a: { pattern: '(a{100}){100}' } } }, /too large|linear time/],
    ['has a pattern for names outside linear time', { patternProperties: { '(?!x)': {} } }, /linear time/],
    ['has a keyword with a wrong value', { required: 'a' }, /schema is invalid at \/required/],
    ['has a wrong value inside a choice', { anyOf: [{ type: 'strng' }] }, /schema is invalid/],
    ['has a list where schemas are', { properties: [] }, /must be an object of schemas/],
    ['has no list of choices', { anyOf: {} }, /must be a list of schemas/],
    ['has a name that arguments cannot have', JSON.parse('{"properties":{"__proto__":{}}}'), /cannot be a name/],
    ['has an empty list of values', { properties: { a: { enum: [] } } }, /cannot be compiled|invalid/],
    ['is nested too deeply', nested(20), /more than 16 levels/],
    ['has too many parts', { enum: Array.from({ length: 600 }, (_, i) => i) }, /more than 500 parts/],
  ])('is refused if it %s', (_why, schema, fault) => {
    expect(strictFault(schema)).toMatch(fault);
  });

  it.each<[schema: object, fits: unknown, not: unknown]>([
    [{ required: ['a'], properties: { a: { exclusiveMinimum: 5 } } }, { a: 6 }, { a: 5 }],
    [{ properties: { a: { pattern: '^x' } }, required: ['a'] }, { a: 'xy' }, { a: 'yx' }],
    [{ not: { properties: { a: { const: 'b' } }, required: ['a'] } }, {}, { a: 'b' }],
    [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, { b: 1 }, { c: 1 }],
    [{ properties: { a: { type: 'array', contains: { const: 1 } } } }, { a: [2, 1] }, { a: [2] }],
    [{ propertyNames: { pattern: '^[a-z]+$' } }, { a: 1 }, { A: 1 }],
    [{ properties: { a: { multipleOf: 0.01 } } }, { a: 19.99 }, { a: 19.999 }],
    [{ properties: { a: { uniqueItems: true } } }, { a: [1, 2] }, { a: [{ b: 1 }, { b: 1 }] }],
    [{ dependentRequired: { a: ['b'] } }, { b: 1 }, { a: 1 }],
  ])('%j is checked', (schema, fits, not) => {
    expect(strictFault(schema)).toBeUndefined();
    const check = strictCheck(schema as never);
    expect([check(fits), check(not)]).toEqual([true, false]);
  });

  it('has no answer for texts that take too much work', () => {
    const check = strictCheck({ properties: { a: { pattern: '(a?){200}b' } } });
    const within = (input: object) => withinBudget(input, () => check(input));
    expect(within({ a: 'aaab' })).toBe(true);
    expect(within({ a: 'a'.repeat(200_000) })).toBeUndefined();
  });
});

function nested(levels: number): object {
  return Array.from({ length: levels }).reduce<object>((inner) => ({ not: inner }), {});
}
