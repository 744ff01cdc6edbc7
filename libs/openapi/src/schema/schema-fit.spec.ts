import type { JsonSchema } from '@tool-search/core';
import { jsonSchemaValidator } from '@tool-search/core/source';
import { SchemaInliner } from './schema-inliner.js';

const inlinerOf = (schemas: object = {}, openapi = '3.1.0') =>
  new SchemaInliner({ openapi, components: { schemas } }, 32);
const inline = (schema: unknown, schemas: object = {}) => inlinerOf(schemas).inline(schema, 3);
const isValid = (schema: JsonSchema, value: unknown) =>
  'value' in jsonSchemaValidator(JSON.stringify(schema), schema, { whole: true })(value);
const accepts = (schema: object, value: unknown) => isValid(inline(schema), value);
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('an enum that contradicts its type', () => {
  it.each<[string, object, unknown[], unknown[]]>([
    ['numbers as text', { type: 'integer', enum: ['1', '2'] }, [1, 2], [3, 'x']],
    ['fractions as text', { type: 'number', enum: ['0.5'] }, [0.5], [1]],
    ['booleans of a text', { type: 'string', enum: [true, false] }, ['true', 'false'], ['x']],
    ['numbers of a text', { type: 'string', enum: [1, 2.5] }, ['1', '2.5'], ['3']],
    ['text of a boolean', { type: 'boolean', enum: ['true', 'False'] }, [true, false], ['x']],
    ['words of a number', { type: 'integer', enum: ['asc', 'desc'] }, ['asc', 'desc'], [1]],
    ['a word among numbers', { type: 'integer', enum: [1, 'auto'] }, [1, 'auto'], [2]],
    ['digits of a boolean', { type: 'boolean', enum: [0, 1] }, [0, 1], [2]],
    ['words of an object', { type: 'object', enum: ['a'] }, ['a'], ['b']],
    ['null without nullable', { type: 'string', enum: ['a', null] }, ['a', null], ['b']],
    [
      'the items of a list',
      { type: 'array', enum: ['a', 'b'], items: { type: 'string' } },
      [['a', 'b'], []],
      [['c'], 'a'],
    ],
    ['the items of a list without a schema', { type: 'array', enum: ['a'] }, [['a']], [['c']]],
    ['the items of a list of numbers', { type: 'array', enum: ['1'], items: { type: 'integer' } }, [[1]], [[2]]],
    ['a list whose items have their own', { type: 'array', enum: ['a'], items: { enum: ['b'] } }, [['b']], [['a']]],
    ['a list of types', { type: ['integer', 'null'], enum: ['1'] }, [1], ['x']],
    ['a constant', { type: 'integer', const: '1' }, [1], [2]],
    ['a pattern', { type: 'string', pattern: '^x$', enum: ['a'] }, ['a'], ['x']],
    ['a length', { type: 'string', maxLength: 1, enum: ['ab'] }, ['ab'], ['a']],
    ['a bound', { type: 'integer', minimum: 5, enum: [1] }, [1], [5]],
    ['a format', { type: 'string', format: 'date', enum: ['today'] }, ['today'], ['2026-01-01']],
  ])('is read by its values: %s', (_, schema, good, bad) => {
    for (const value of good) expect([value, accepts(schema, value)]).toEqual([value, true]);
    for (const value of bad) expect([value, accepts(schema, value)]).toEqual([value, false]);
  });

  it('stays as it is where nothing contradicts', () => {
    const schema = { type: 'string', enum: ['a', 'b'], maxLength: 3, default: 'a' };
    expect(inline(schema)).toEqual(schema);
    const inliner = inlinerOf();
    inliner.inline(schema, 3);
    expect([...inliner.changes]).toEqual([]);
  });

  it('is in the list of changes', () => {
    const inliner = inlinerOf();
    inliner.inline({ properties: { a: { type: 'integer', enum: ['1'] }, b: { type: 'integer', enum: ['2'] } } }, 3);
    expect([...inliner.changes]).toEqual(['an enum that contradicts its type is read by its values']);
  });

  it('is no longer contradicted where details are cut', () => {
    const schemas = { Node: { type: 'object', enum: ['a'], properties: { next: ref('Node') } } };
    expect(new SchemaInliner({ components: { schemas } }, 3).inline(ref('Node'), 3)).toEqual({});
  });
});

describe('a default', () => {
  it.each<[string, object, unknown]>([
    ['is converted', { type: 'integer', default: '10' }, 10],
    ['is converted to a text', { type: 'string', default: 1.5 }, '1.5'],
    ['is converted with its enum', { type: 'integer', enum: ['1'], default: '1' }, 1],
    ['of another type is left out', { type: 'integer', default: 'all' }, undefined],
    ['outside its enum is left out', { type: 'string', enum: ['a'], default: 'b' }, undefined],
    ['outside its bounds is left out', { type: 'integer', maximum: 5, default: 6 }, undefined],
    ['that is too short is left out', { type: 'string', minLength: 1, default: '' }, undefined],
    ['that is no list is left out', { type: 'array', default: 'a' }, undefined],
    ['of other items is left out', { type: 'array', items: { type: 'integer' }, default: ['a'] }, undefined],
    ['null without nullable is left out', { type: 'string', default: null }, undefined],
    ['of many items is left out', { type: 'array', items: { enum: [2, 1] }, default: Array(101).fill(1) }, undefined],
    [
      'of many members is left out',
      {
        type: 'object',
        default: Object.fromEntries(
          Array(101)
            .fill(1)
            .map((one, at) => [`m${at}`, one]),
        ),
      },
      undefined,
    ],
    [
      'of some items stays',
      { type: 'array', items: { enum: [2, 1] }, default: Array(100).fill(1) },
      Array(100).fill(1),
    ],
    ['that fits stays', { type: 'array', items: { type: 'string' }, default: ['a'] }, ['a']],
    ['of no type stays', { default: 'x' }, 'x'],
  ])('%s', (_, schema, expected) => {
    expect(inline(schema)['default']).toEqual(expected);
  });
});

it('leaves out limits that exclude each other', () => {
  expect(inline({ type: 'string', minLength: 10, maxLength: 5 })).toEqual({ type: 'string' });
});

describe('a closed object', () => {
  it('has the properties that it requires', () => {
    const schema = { type: 'object', required: ['a'], properties: {}, additionalProperties: false };
    expect(accepts(schema, { a: 1 })).toBe(true);
    expect(accepts(schema, { a: 1, b: 2 })).toBe(false);
  });

  it('that is a part of allOf leaves room for the others', () => {
    const schemas = { Base: { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false } };
    const own = { type: 'object', properties: { b: {} }, required: ['b'], additionalProperties: false };
    const schema = inline({ allOf: [ref('Base'), own] }, schemas);
    expect(isValid(schema, { a: 1, b: 2 })).toBe(true);
    expect(inline({ allOf: [ref('Base')] }, schemas)).toEqual({ allOf: [schemas.Base] });
  });
});

it('does not read what stands beside a reference before OpenAPI 3.1, where it has no meaning', () => {
  const schemas = { Size: { type: 'string' } };
  const beside = { ...ref('Size'), type: 'object', description: 'How large.' };
  expect(inlinerOf(schemas, '3.0.3').inline(beside, 3)).toEqual({ type: 'string', description: 'How large.' });
});

describe('what only the API may set', () => {
  const id = { type: 'integer', readOnly: true };
  const schemas = {
    Id: id,
    Alias: ref('Id'),
    Named: { allOf: [ref('Id')], description: 'The id.' },
    Base: { type: 'object', properties: { id: ref('Id') }, required: ['id'] },
    Middle: { allOf: [ref('Base'), { properties: { size: {} }, required: ['size', 'id'] }] },
  };

  it.each([
    ['by a reference', ref('Id')],
    ['by references', ref('Alias')],
    ['by a part of allOf', { allOf: [ref('Id')] }],
    ['by a part of allOf behind a reference', ref('Named')],
    ['beside a reference', { ...ref('Base'), readOnly: true }],
  ])('is left out %s', (_, property) => {
    const schema = { properties: { id: property, name: {} }, required: ['id', 'name'] };
    expect(inline(schema, schemas)).toEqual({ properties: { name: {} }, required: ['name'] });
  });

  it.each([
    ['a part of allOf', ref('Middle')],
    ['the object around allOf', { allOf: [ref('Base')], required: ['id', 'size'], properties: { size: {} } }],
    ['a part beside it', { allOf: [ref('Base'), { required: ['id', 'size'], properties: { size: {} } }] }],
    ['a choice', { allOf: [ref('Base')], properties: { size: {} }, required: ['size'], oneOf: [{ required: ['id'] }] }],
  ])('is not required by %s', (_, schema) => {
    expect(isValid(inline(schema, schemas), { size: 1 })).toBe(true);
    expect(isValid(inline(schema, schemas), {})).toBe(false);
  });
});

it('requires nothing less of a condition', () => {
  const id = { type: 'integer', readOnly: true };
  const schema = { properties: { id, name: {} }, not: { required: ['id'] }, required: ['id'] };
  expect(inline(schema)).toEqual({ properties: { name: {} }, not: { required: ['id'] } });
});

describe('subtypes that only a discriminator names', () => {
  const Pet = {
    type: 'object',
    discriminator: { propertyName: 'kind' },
    properties: { kind: { type: 'string' } },
    required: ['kind'],
    additionalProperties: false,
  };
  const extending = (properties: object, base = 'Pet') => ({
    allOf: [ref(base), { type: 'object', properties, additionalProperties: false }],
  });
  const schemas = { Pet, Cat: extending({ claws: { type: 'integer' } }), Kitten: extending({ age: {} }, 'Cat') };
  const cat = { kind: 'Cat', claws: 18 };
  const kitten = { kind: 'Kitten', claws: 18, age: 1 };

  it.each([
    ['the items of a list', { type: 'array', items: ref('Pet') }, [cat, kitten]],
    ['a property', { properties: { pet: ref('Pet') } }, { pet: cat }],
    ['a nullable property', { properties: { pet: { ...ref('Pet'), nullable: true } } }, { pet: kitten }],
  ])('can be sent as %s', (_, schema, value) => {
    expect(isValid(inline(schema, schemas), value)).toBe(true);
  });

  it('are shown as choices, with their values', () => {
    const { description, anyOf } = inline(ref('Pet'), schemas) as { description: string; anyOf: object[] };
    expect(description).toBe('Known values: Cat, Kitten.');
    expect(JSON.stringify(anyOf[0])).toContain('claws');
    expect(anyOf).toHaveLength(3);
  });

  it('are only named when they are many', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`P${at}`, extending({ [`p${at}`]: {} })]));
    const schema = inline(ref('Pet'), { Pet, ...many });
    expect(schema['description']).toContain('P49');
    expect(isValid(schema, { kind: 'P7', p7: 1 })).toBe(true);
    expect(JSON.stringify(schema).length).toBeLessThan(1_000);
  });

  it('end where they contain each other', () => {
    const circular = {
      Pet: { ...Pet, additionalProperties: undefined },
      Cat: extending({ friends: { type: 'array', items: ref('Pet') } }),
    };
    expect(JSON.stringify(inline(ref('Pet'), circular)).length).toBeLessThan(2_000);
  });

  it('do not appear in another subtype', () => {
    expect(JSON.stringify(inline(ref('Kitten'), { ...schemas, Dog: extending({ barks: {} }) }))).not.toContain('barks');
  });
});
