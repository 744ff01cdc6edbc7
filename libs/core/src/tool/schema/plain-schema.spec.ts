import fc from 'fast-check';
import type { JsonSchema } from '../../json/json.js';
import { plainCheck } from './plain-schema.js';
import type { InputCheck } from '../tool-definition.js';
import { jsonSchemaValidator } from './tool-schema.js';

const NAMES = ['a', 'b', 'a/b', 'c~d', 'toString'];
const name = fc.constantFrom(...NAMES);
const small = fc.integer({ min: 0, max: 3 });
const scalar = fc.oneof(small, fc.constantFrom(0.5, -1, Infinity, null, true, false, '', 'a', 'bc', '😀😀', '\ud83d'));
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    scalar,
    fc.array(tie('any'), { maxLength: 2 }),
    fc.dictionary(name, tie('any'), { maxKeys: 3 }),
  ),
})).any;
const scalarType = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null');
const type = fc.oneof(scalarType, fc.constantFrom('object', 'array'));
const values = { const: scalar, enum: fc.array(scalar, { minLength: 1, maxLength: 3 }) };
const limitsOf = (...keywords: readonly string[]) => Object.fromEntries(keywords.map((keyword) => [keyword, small]));
const numberLimits = limitsOf('maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum');
const textLimits = limitsOf('maxLength', 'minLength');
const some = (keywords: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) =>
  fc.record<Record<string, unknown>>(
    { ...keywords, description: fc.constant('text'), 'x-more': fc.constant(1) },
    { requiredKeys },
  );

const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const ofArrays = { ...limitsOf('maxItems', 'minItems'), items: tie('schema') };
  const ofObjects = {
    ...limitsOf('maxProperties', 'minProperties'),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
    properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
  };
  return {
    schema: fc.oneof(
      { maxDepth: 2 },
      some({ type: scalarType, ...values }),
      some({ type: fc.constantFrom('number', 'integer'), ...numberLimits }),
      some({ type: fc.constant('string'), ...textLimits }),
      some({ type: fc.constant('array'), ...ofArrays }),
      some({ type: fc.constant('object'), ...ofObjects }, ['properties']),
      some({
        type: fc.uniqueArray(type, { minLength: 2, maxLength: 3 }),
        ...values,
        ...numberLimits,
        ...textLimits,
        ...ofArrays,
        ...ofObjects,
      }),
    ),
  };
});

/** The result of Ajv: adding unused definitions makes the schema not plain. */
function byAjv(plain: JsonSchema, input: unknown): InputCheck {
  return jsonSchemaValidator(JSON.stringify(plain), { ...plain, $defs: {} }, { whole: true })(input) as InputCheck;
}

describe('plainCheck', () => {
  it('says of every value what Ajv says of it, and of the same fault', () => {
    let [faults, runs] = [0, 0];
    const inputs = fc.array(value, { minLength: 3, maxLength: 6 });
    fc.assert(
      fc.property(schema, inputs, (each, tried) => {
        runs += 1;
        expect(plainCheck(each)).toBeDefined();
        const check = jsonSchemaValidator('', each, { whole: true });
        for (const input of tried) {
          const checked = check(input) as InputCheck;
          if ('issues' in checked) faults += 1;
          expect(checked).toEqual(byAjv(each, input));
        }
      }),
      { numRuns: 150 },
    );
    expect(faults / runs).toBeGreaterThan(0.6);
  });

  it.each<[string, JsonSchema]>([
    ['a reference', { properties: { a: { $ref: '#' } } }],
    ['a choice', { anyOf: [{ type: 'string' }] }],
    ['a pattern', { type: 'string', pattern: '^a' }],
    ['a format', { items: { format: 'date' } }],
    ['a schema that is true or false', { properties: { a: false } }],
    ['an unknown type', { type: 'file' }],
    ['no type', { type: [] }],
    ['rules of several types', { type: 'object', minProperties: 1, minLength: 1 }],
    ['an object with a list of values', { type: 'object', properties: {}, enum: [1] }],
    ['a limit that is no number', { type: 'number', minimum: '1' }],
    ['an object as a value', { enum: ['a', {}] }],
    ['an empty list of values', { enum: [] }],
    ['requirements that are no list', { required: 'a' }],
    ['a property of every object', JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JsonSchema],
    ['a dialect that is no text', { $schema: 7 }],
    ['a keyword that it does not know', { nullable: true, type: 'string' }],
  ])('leaves %s to Ajv', (_, each) => {
    expect(plainCheck(each)).toBeUndefined();
  });

  it('leaves a schema to Ajv that has more than a thousand parts or reaches itself', () => {
    const properties = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`p${index}`, {}]));
    expect(plainCheck({ properties })).toBeUndefined();
    const circle: Record<string, unknown> = { type: 'object' };
    circle['items'] = circle;
    delete circle['type'];
    expect(plainCheck(circle)).toBeUndefined();
  });
});
