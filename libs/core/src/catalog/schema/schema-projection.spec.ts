import Ajv2019 from 'ajv/dist/2019.js';
import Ajv2020 from 'ajv/dist/2020.js';
import Ajv from 'ajv';
import fc from 'fast-check';
import type { JsonSchema } from '../../json/json.js';
import { dialectOf } from '../../tool/schema/schema-dialect.js';
import { schemaFault } from '../../tool/schema/tool-schema.js';
import { renamed } from '../ingest/argument-names.js';
import { type ProjectedSchema, projectedSchema, providerFault } from './schema-projection.js';
import { referenceFault } from './schema-references.js';

function projected(schema: JsonSchema): ProjectedSchema {
  const projection = projectedSchema(schema);
  if (typeof projection === 'string') throw new Error(projection);
  expect(providerFault(projection.schema)).toBeUndefined();
  expect(schemaFault(projection.schema)).toBeUndefined();
  expect(referenceFault(projection.schema)).toBeUndefined();
  return projection;
}
const shown = (schema: JsonSchema) => projected(schema).schema;

/** A plain Ajv validator for the schema's dialect; undefined if it cannot compile the schema. */
function validatorOf(schema: JsonSchema): ((input: unknown) => boolean) | undefined {
  const dialect = dialectOf(schema);
  const options = { strict: false, validateSchema: false, logger: false } as const;
  const Engine = dialect === 'draft-07' ? Ajv : dialect === '2019-09' ? Ajv2019 : Ajv2020;
  try {
    const { $schema: _, ...rest } = schema;
    return new Engine(options).compile(rest) as (input: unknown) => boolean;
  } catch {
    return undefined;
  }
}

const string = { type: 'string' };
const number = { type: 'number' };

describe('projectedSchema', () => {
  it('passes a schema that every provider accepts on unchanged', () => {
    for (const schema of [
      { type: 'object', properties: {} },
      { type: 'object', properties: { a: string, 'b.c-d': { anyOf: [string, number] } }, required: ['a'] },
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { a: { $ref: '#/properties/b' }, b: string },
      },
      { type: 'object', properties: { type: string, items: string, required: string, nullable: string } },
      { type: 'object', properties: {}, if: { required: ['a'] }, else: { required: ['b'] } },
    ]) {
      const projection = projected(schema);
      expect(projection.schema).toBe(schema);
      expect(projection).toMatchObject({ changes: [], names: new Map() });
    }
  });

  it.each<[string, JsonSchema, JsonSchema]>([
    ['no type', { properties: { a: string } }, { type: 'object', properties: { a: string } }],
    [
      'an object or null',
      { type: ['object', 'null'], properties: { a: string } },
      { type: 'object', properties: { a: string } },
    ],
    ['no properties', { type: 'object' }, { type: 'object', properties: {} }],
    [
      'a choice of what is required',
      { type: 'object', properties: { a: string, b: string }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      { type: 'object', properties: { a: string, b: string } },
    ],
    [
      'kinds that are told apart by a constant',
      {
        oneOf: [
          {
            type: 'object',
            properties: { kind: { type: 'string', const: 'a' }, x: string },
            required: ['kind', 'x'],
            additionalProperties: false,
          },
          {
            type: 'object',
            properties: { kind: { type: 'string', const: 'b' }, x: number },
            required: ['kind'],
            additionalProperties: false,
          },
        ],
      },
      {
        type: 'object',
        properties: { kind: { type: 'string', enum: ['a', 'b'] }, x: { anyOf: [string, number] } },
        required: ['kind'],
        additionalProperties: false,
      },
    ],
    [
      'a choice with what no object is',
      { anyOf: [{ type: 'null' }, { type: 'object', properties: { a: string }, required: ['a'] }] },
      { type: 'object', properties: { a: string }, required: ['a'] },
    ],
    [
      'parts',
      {
        allOf: [
          { properties: { a: string }, required: ['a'] },
          { properties: { a: { minLength: 1 }, b: number }, required: ['b'] },
        ],
      },
      { type: 'object', properties: { a: { allOf: [string, { minLength: 1 }] }, b: number }, required: ['a', 'b'] },
    ],
    [
      'a reference to a definition',
      { $ref: '#/definitions/in', definitions: { in: { type: 'object', properties: { a: string } } } },
      { type: 'object', properties: { a: string }, definitions: { in: { type: 'object', properties: { a: string } } } },
    ],
    [
      'what no provider takes at the root',
      { type: 'object', properties: { a: string }, not: { required: ['b'] }, enum: [{}] },
      { type: 'object', properties: { a: string } },
    ],
    [
      'three parts about one argument',
      { allOf: ['a', 'b', 'a', 'c'].map((pattern) => ({ type: 'object', properties: { x: { pattern } } })) },
      { type: 'object', properties: { x: { allOf: [{ pattern: 'a' }, { pattern: 'b' }, { pattern: 'c' }] } } },
    ],
    [
      'a required argument that nothing describes',
      { type: 'object', properties: {}, required: ['a'] },
      { type: 'object', properties: { a: {} }, required: ['a'] },
    ],
  ])('draws a root with %s together', (_, schema, expected) => {
    expect(shown(schema)).toEqual(expected);
  });

  it.each<[string, unknown, unknown]>([
    [
      'bounds of draft-04',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [
      'inclusive bounds of draft-04',
      { type: 'number', maximum: 1, exclusiveMaximum: false },
      { type: 'number', maximum: 1 },
    ],
    ['"nullable"', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['"nullable" at a choice', { anyOf: [string], nullable: true }, { anyOf: [string, { type: 'null' }] }],
    ['"any"', { type: 'any', description: 'x' }, { description: 'x' }],
    ['other names of types', { type: ['STRING', 'int'] }, { type: ['string', 'integer'] }],
    ['the bare name of a type', 'string', string],
    ['a truth value', true, {}],
    ['a lie', false, { not: {} }],
    ['nothing', null, {}],
    ['an empty choice', { type: 'string', enum: [] }, string],
    [
      'lists of fixed parts',
      { type: 'array', items: [string, number], additionalItems: false },
      { type: 'array', prefixItems: [string, number], items: { not: {} } },
    ],
    ['an empty list of parts', { type: 'array', items: [] }, { type: 'array', items: {} }],
    ['a list of whatever', { type: ['array', 'null'] }, { type: ['array', 'null'], items: {} }],
    ['keywords without a value', { type: 'string', description: null, minLength: null }, string],
  ])('repairs %s, however deep', (_, part, expected) => {
    const own = { type: 'object', properties: { a: part, b: { type: 'array', items: { anyOf: [part, number] } } } };
    const { schema, changes } = projected(own);
    expect(schema).toMatchObject({ properties: { a: expected, b: { items: { anyOf: [expected, number] } } } });
    expect(changes.length).toBeGreaterThan(0);
  });

  it('moves "required: true" to the object', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', required: true }, b: { ...number, required: false } },
    };
    expect(shown(schema)).toEqual({ type: 'object', properties: { a: string, b: number }, required: ['a'] });
  });

  it.each([
    ['http://json-schema.org/draft-04/schema#'],
    ['http://json-schema.org/draft-06/schema#'],
    ['https://json-schema.org/draft/2019-09/schema'],
    ['http://json-schema.org/schema#'],
    [''],
  ])('leaves %p out', ($schema) => {
    expect(shown({ $schema, type: 'object', properties: { a: string } })).toEqual({
      type: 'object',
      properties: { a: string },
    });
  });

  it.each<[string, JsonSchema, RegExp]>([
    ['an unknown dialect', { $schema: 'https://example.com/x', type: 'object' }, /not a supported dialect/],
    ['a text', { type: 'string' }, /object at its root/],
    ['a choice of texts', { anyOf: [string, { type: 'null' }] }, /object at its root/],
    ['a reference to itself', { $ref: '#' }, /object at its root/],
    ['parts that no object has', { allOf: [{ type: 'object' }, string] }, /object at its root/],
  ])('says why there is none of %s', (_, schema, reason) => {
    expect(projectedSchema(schema)).toMatch(reason);
  });

  it('keeps the meaning of references to the root when the root changes', () => {
    const tree = {
      type: 'object',
      properties: {
        $name: string,
        children: { type: 'array', items: { $ref: '#' } },
        twin: { $ref: '#/properties/$name' },
      },
    };
    const { schema, names } = projected({ ...tree, $defs: { root: string, more: { $ref: '#' } } });
    expect(names).toEqual(new Map([['$name', 'name']]));
    const valid = validatorOf(schema);
    expect(valid?.({ name: 'a', twin: 'b', children: [{ $name: 'c', children: [{ $name: 'd' }] }] })).toBe(true);
    expect(valid?.({ name: 'a', children: [{ $name: 7 }] })).toBe(false);
    expect(valid?.({ name: 'a', twin: 7 })).toBe(false);
  });
});

describe('every projection', () => {
  const key = fc.constantFrom(
    'a',
    'b',
    'kind',
    '$filter',
    'filter[name]',
    'x y',
    'Start<',
    'Start>',
    'Start',
    'filter',
  );
  const often = (often: fc.Arbitrary<unknown>, rarely: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 8, arbitrary: often }, { weight: 1, arbitrary: rarely });
  const leaf = often(
    fc.constantFrom<unknown>(
      string,
      {},
      true,
      { type: 'string', const: 'a' },
      { enum: ['a', 1] },
      { $ref: '#/$defs/d' },
    ),
    fc.constantFrom<unknown>(
      number,
      { type: 'string', nullable: true },
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'any' },
      { $ref: '#' },
      { type: 'array', items: [string, number] },
      { not: string },
      { type: 'string', enum: [] },
      { type: 'object', properties: { $inner: number }, required: ['$inner'] },
    ),
  );
  const absent = fc.constant(undefined);
  const objectOver = (inner: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> => {
    const rarely = (arbitrary: fc.Arbitrary<unknown>) => often(absent, arbitrary);
    const some = (arbitrary: fc.Arbitrary<unknown>) =>
      fc.oneof({ weight: 2, arbitrary: absent }, { weight: 1, arbitrary });
    return fc
      .record({
        type: often(fc.constantFrom<unknown>('object', undefined, ['object', 'null']), fc.constant('null')),
        properties: some(fc.dictionary(key, leaf, { maxKeys: 3 })),
        required: rarely(fc.uniqueArray(key, { maxLength: 2 })),
        additionalProperties: rarely(fc.constantFrom<unknown>(true, false, string)),
        patternProperties: rarely(fc.constantFrom<unknown>({ '^[$@]': string }, { a: number })),
        unevaluatedProperties: rarely(fc.constantFrom<unknown>(false, number)),
        not: rarely(fc.constantFrom<unknown>({ required: ['b'] }, { properties: { a: string } })),
        anyOf: some(fc.array(inner, { minLength: 1, maxLength: 3 })),
        oneOf: rarely(fc.array(inner, { minLength: 1, maxLength: 3 })),
        allOf: rarely(fc.array(inner, { minLength: 1, maxLength: 2 })),
        if: rarely(fc.constant({ required: ['a'] })),
        else: rarely(fc.constant({ required: ['b'] })),
      })
      .map((parts) => JSON.parse(JSON.stringify(parts)) as JsonSchema);
  };
  const none = fc.constantFrom<JsonSchema>({}, { required: ['a'] }, { $ref: '#/$defs/in' });
  const object = objectOver(objectOver(none));
  const schema = fc
    .tuple(
      fc.constantFrom<JsonSchema>(
        {},
        {},
        { $schema: 'http://json-schema.org/draft-07/schema#' },
        { $schema: 'https://json-schema.org/draft/2019-09/schema' },
      ),
      object,
    )
    .map(([dialect, root]): JsonSchema => ({
      ...dialect,
      ...root,
      $defs: { d: string, in: { properties: { a: string } } },
    }));
  const value = often(fc.constant('a'), fc.constantFrom<unknown>('b', 1, 2, null, true, ['a', 1], {}, { $inner: 1 }));
  const argument = fc.dictionary(key, value, { maxKeys: 4 });

  it('is legal everywhere, projects to itself and accepts what the source accepts', () => {
    let [accepted, runs] = [0, 0];
    fc.assert(
      fc.property(schema, fc.array(argument, { minLength: 6, maxLength: 6 }), (own, inputs) => {
        runs += 1;
        const projection = projectedSchema(own);
        if (typeof projection === 'string') return;
        const { schema: result, names } = projection;
        expect(providerFault(result)).toBeUndefined();
        expect(schemaFault(result)).toBeUndefined();
        expect(referenceFault(result)).toBeUndefined();
        const again = projected(result);
        expect(again.schema).toEqual(result);
        expect(again.names.size).toBe(0);
        const byOwn = validatorOf(own);
        const byShown = validatorOf(result);
        expect(byShown).toBeDefined();
        const taken = new Set(names.values());
        for (const input of inputs) {
          // A key equal to a shown name is ambiguous.
          if (!byOwn || Object.keys(input).some((each) => taken.has(each))) continue;
          let valid = false;
          try {
            valid = byOwn(input);
          } catch {
            continue; // a schema that refers to itself without descending into the input
          }
          if (!valid) continue;
          accepted += 1;
          expect([input, byShown?.(renamed(input, names))]).toEqual([input, true]);
        }
      }),
      { numRuns: 300 },
    );
    expect(accepted / runs).toBeGreaterThan(0.5);
  });
});
