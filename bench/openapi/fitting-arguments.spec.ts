import type { JsonSchema } from '@tool-search/core';
import { jsonSchemaValidator } from '@tool-search/core/source';
import { fittingArguments } from './fitting-arguments.js';
import { impossibleInput } from './impossible-schema.js';

let keys = 0;
function found(properties: Record<string, unknown>, more: JsonSchema = {}) {
  const schema = { type: 'object', properties, required: Object.keys(properties), ...more };
  const check = jsonSchemaValidator(`fitting ${keys++}`, schema);
  return fittingArguments(schema, (input) => Promise.resolve('value' in check(input)));
}

describe('fittingArguments', () => {
  it.each<[string, Record<string, unknown>, JsonSchema?]>([
    ['a pattern with a length', { a: { type: 'string', pattern: '^[A-Z]{2}\\d+$', minLength: 8, maxLength: 10 } }],
    [
      'a pattern of one length',
      { a: { type: 'string', pattern: '^id:[a-z+*]{0,63}:[0-9]+$', minLength: 33, maxLength: 34 } },
    ],
    ['a format', { a: { type: 'string', format: 'date-time' }, b: { type: 'string', format: 'uuid' } }],
    ['a number between bounds', { a: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.1 } }],
    ['a decimal step', { a: { type: 'number', multipleOf: 0.01, minimum: 0.03 } }],
    [
      'a list without duplicates',
      { a: { type: 'array', items: { enum: ['x', 'y', 'z'] }, minItems: 3, uniqueItems: true } },
    ],
    [
      'parts that are merged',
      { a: { allOf: [{ type: 'object', required: ['b'] }, { properties: { b: { const: 1 } } }] } },
    ],
    ['exactly one of two', { a: { oneOf: [{ type: 'integer' }, { type: 'number' }] } }],
    ['a value that is not another', { a: { type: 'string', not: { enum: ['text'] } } }],
    ['a reference', { a: { $ref: '#/$defs/b' } }, { $defs: { b: { type: 'integer', minimum: 3 } } }],
    ['a least number of members', { a: { type: 'object', minProperties: 2 } }],
    ['one good value among wrong ones', { a: { type: 'integer', enum: ['1', '2', 3] } }],
  ])('finds %s', async (...[, properties, more]) => {
    expect(await found(properties, more)).toBeDefined();
  });

  it('finds nothing where nothing fits', async () => {
    expect(await found({ a: { type: 'integer', enum: ['1', '2'] } })).toBeUndefined();
  });
});

describe('impossibleInput', () => {
  it.each<[string, unknown]>([
    ['/a: none of ["1","2"] fits "integer"', { type: 'integer', enum: ['1', '2'] }],
    ['/a: none of [true] fits "string"', { type: 'string', const: true }],
    ['/a: minimum 3 is above maximum 2', { type: 'number', minimum: 3, maximum: 2 }],
    ['/a/items: none of ["x"] fits "number"', { type: 'array', minItems: 1, items: { type: 'number', enum: ['x'] } }],
    ['/a: nothing is allowed', { anyOf: [false, false] }],
    [
      '/a: b is required, and a part of allOf does not allow it',
      { type: 'object', required: ['b'], additionalProperties: false },
    ],
    [
      '/a: b is required, and a part of allOf does not allow it',
      {
        type: 'object',
        properties: { b: {} },
        required: ['b'],
        allOf: [{ allOf: [{ properties: { c: {} }, additionalProperties: false }] }],
      },
    ],
    ['/a: every branch of oneOf is there twice', { oneOf: [{ type: 'string' }, { type: 'string' }] }],
  ])('says %s', (reason, a) => {
    expect(impossibleInput({ type: 'object', properties: { a }, required: ['a'] })).toBe(reason);
    expect(impossibleInput({ type: 'object', properties: { a } })).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['one of the values fits', { type: 'integer', enum: ['1', 2] }],
    ['another type is allowed', { type: ['number', 'null'], minimum: 3, maximum: 2 }],
    ['the list may be empty', { type: 'array', items: false }],
    ['one branch is possible', { anyOf: [false, { type: 'string' }] }],
  ])('proves nothing where %s', (_, a) => {
    expect(impossibleInput({ type: 'object', properties: { a }, required: ['a'] })).toBeUndefined();
  });
});
