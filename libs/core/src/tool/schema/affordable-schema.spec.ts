import fc from 'fast-check';
import { RE2JS } from 're2js';
import { affordableSchema, MAX_COMPILED_PARTS } from './affordable-schema.js';
import { isObject, type JsonSchema } from '../../json/json.js';
import { jsonSchemaValidator } from './tool-schema.js';

const many = (count: number, of: (i: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, of(i)]));

/** Number of non-empty objects in a schema. */
function parts(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + parts(item), 0);
  if (!isObject(value)) return 0;
  const { properties, $defs, ...rest } = value;
  const members = [properties, $defs].filter(isObject).flatMap((map) => Object.values(map));
  const own = Object.keys(rest).length > 0 ? 1 : 0;
  return own + [...Object.values(rest), ...members].reduce<number>((sum, item) => sum + parts(item), 0);
}

let keys = 0;
const accepts = (schema: JsonSchema, input: unknown, whole: boolean) =>
  'value' in jsonSchemaValidator(`test ${(keys += 1)}`, schema, { whole })(input);

describe('affordableSchema', () => {
  it('is the schema itself where that has few parts', () => {
    const schema = { type: 'object', properties: many(MAX_COMPILED_PARTS - 2, () => ({ type: 'string' })) };
    expect(affordableSchema(schema)).toBe(schema);
  });

  it.each<[string, JsonSchema]>([
    ['properties', { type: 'object', properties: many(900, (i) => ({ type: 'string', pattern: `^a{${i}}` })) }],
    [
      'nested properties',
      { properties: { a: { properties: { b: { properties: many(900, () => ({ type: 'string' })) } } } } },
    ],
    [
      'definitions',
      { properties: many(900, (i) => ({ $ref: `#/$defs/p${i}` })), $defs: many(900, () => ({ type: 'string' })) },
    ],
    ['choices', { properties: { a: { anyOf: Array.from({ length: 900 }, (_, i) => ({ maxLength: i })) } } }],
    ['patterns of names', { patternProperties: many(900, () => ({ type: 'string' })), additionalProperties: false }],
    [
      'conditions',
      { allOf: Array.from({ length: 900 }, (_, i) => ({ if: { maxProperties: i }, else: { minProperties: 1 } })) },
    ],
  ])('keeps a bounded number of %s', (_, schema) => {
    const kept = parts(affordableSchema(schema));
    expect(kept).toBeLessThanOrEqual(MAX_COMPILED_PARTS);
  });

  it('makes the first call of a hostile schema compile a bounded number of patterns', () => {
    const compile = jest.spyOn(RE2JS, 'compile');
    const schema = { type: 'object', properties: many(900, (i) => ({ type: 'string', pattern: `^x${i}$` })) };
    expect(accepts(schema, { p0: 'x0' }, false)).toBe(true);
    expect(compile.mock.calls.length).toBeLessThanOrEqual(MAX_COMPILED_PARTS);
    compile.mockRestore();
  });

  it.each<[string, unknown]>([
    [
      'checks of each property',
      { minLength: 1, maxLength: 9, minimum: 1, maximum: 9, minItems: 1, maxItems: 9, enum: [1], const: 1 },
    ],
    ['names that others depend on', { dependentRequired: { a: Array.from({ length: 80 }, (_, i) => `r${i}`) } }],
  ])('counts %s', (_, property) => {
    const schema = { type: 'object', properties: many(100, () => property) };
    expect(parts(affordableSchema(schema))).toBeLessThan(parts(schema));
  });

  it('makes long lists of names and values a loop: code does not grow with them', () => {
    const listing = (length: number) => ({
      not: { const: 1 },
      properties: many(40, (i) => ({
        required: Array.from({ length }, (_, j) => `r${i} ${j}`),
        enum: Array.from({ length }, (_, j) => j),
      })),
    });
    const lengthOf = (length: number) => {
      const made = jest.spyOn(globalThis, 'Function');
      accepts(listing(length), {}, false);
      const code = made.mock.calls.flat().join('');
      made.mockRestore();
      return code.length;
    };
    const [few, most] = [lengthOf(30), lengthOf(90)];
    expect(few).toBeGreaterThan(1000);
    expect(most).toBeLessThan(few * 1.1);
  });

  it('compiles a pattern when a text is there for it, as many in one validation as it may, and all of them at last', () => {
    const compile = jest.spyOn(RE2JS, 'compile');
    const properties = many(90, (i) => ({ type: 'string', pattern: `^\\p{L}{1,${500 + i}}$` }));
    const check = jsonSchemaValidator('patterns that are costly', { type: 'object', properties });
    expect(check({})).toHaveProperty('value');
    expect(compile).not.toHaveBeenCalled();
    const input = many(90, () => 'a');
    check(input);
    expect(compile.mock.calls.length).toBeGreaterThan(5);
    expect(compile.mock.calls.length).toBeLessThan(20);
    for (let call = 0; call < 20; call += 1) check(input);
    expect(compile).toHaveBeenCalledTimes(90);
    expect(check({ p89: '1' })).toHaveProperty('issues');
    compile.mockRestore();
  });

  it("compiles the application's own patterns at once", () => {
    const compile = jest.spyOn(RE2JS, 'compile');
    jsonSchemaValidator(
      'own',
      { type: 'object', properties: many(30, (i) => ({ pattern: `^\\p{L}{1,${400 + i}}$` })) },
      { whole: true },
    )({});
    expect(compile).toHaveBeenCalledTimes(30);
    compile.mockRestore();
  });

  it('still checks what is near the root, and knows every property', () => {
    const deep = { type: 'object', properties: many(900, () => ({ type: 'integer' })) };
    const schema = {
      type: 'object',
      required: ['id'],
      additionalProperties: false,
      properties: { deep, id: { type: 'integer' } },
    };
    expect(accepts(schema, { id: 1, deep: { p899: 1 } }, false)).toBe(true);
    expect(accepts(schema, { id: 'x' }, false)).toBe(false);
    expect(accepts(schema, { deep: {} }, false)).toBe(false);
    expect(accepts(schema, { id: 1, other: 1 }, false)).toBe(false);
    expect(accepts(schema, { id: 1, deep: { p899: 'x' } }, false)).toBe(true);
    expect(accepts(schema, { id: 1, deep: { p899: 'x' } }, true)).toBe(false);
  });

  it('accepts everything that the schema accepts', () => {
    const leaf = fc.constantFrom<JsonSchema>(
      { type: 'string' },
      { type: 'integer' },
      { maxLength: 1 },
      { enum: [1, 'a'] },
      { $ref: '#/$defs/d1' },
    );
    const { node } = fc.letrec<{ node: JsonSchema }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 2 },
        leaf,
        fc.record(
          {
            properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node')),
            patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), tie('node')),
            additionalProperties: fc.oneof(fc.boolean(), tie('node')),
            items: tie('node'),
            not: tie('node'),
            anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
            oneOf: fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
            if: tie('node'),
            else: tie('node'),
            contains: tie('node'),
            allOf: fc.array(tie('node'), { minLength: 1, maxLength: 2 }),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>(1, 'a', 'long', null),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(
        node,
        fc.integer({ min: 0, max: 190 }),
        fc.array(value, { minLength: 5, maxLength: 10 }),
        (part, ballast, inputs) => {
          // Padding, so that a different share of the part fits each time.
          const schema = {
            allOf: [{ properties: many(ballast + 100, () => ({ minLength: 0 })) }, part],
            $defs: { d1: { type: 'string' }, ...many(100, () => ({ type: 'string' })) },
          };
          for (const input of inputs)
            if (accepts(schema, input, true)) expect(accepts(schema, input, false)).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });
});
