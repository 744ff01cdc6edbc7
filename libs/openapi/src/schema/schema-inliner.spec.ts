import { depthOf } from '@tool-search/core/internal';
import { SchemaInliner } from './schema-inliner.js';

const inline = (schema: unknown, schemas: object = {}) =>
  new SchemaInliner({ components: { schemas } }, 32).inline(schema, 3);
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const refused = expect.objectContaining({ code: 'INVALID_TOOL' });

describe('translation to JSON Schema 2020-12', () => {
  it.each<[string, unknown, unknown]>([
    [
      'keeps what asserts',
      { type: 'integer', minimum: 1, multipleOf: 2 },
      { type: 'integer', minimum: 1, multipleOf: 2 },
    ],
    ['turns nullable into a type', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'lets a nullable enum hold null',
      { type: 'string', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    ['lets an untyped nullable enum hold null', { enum: ['a'], nullable: true }, { enum: ['a', null] }],
    ['needs no null where anything goes', { nullable: true, description: 'x' }, { description: 'x' }],
    [
      'puts null beside what cannot say it',
      { nullable: true, allOf: [{ type: 'string' }], title: 'T' },
      { title: 'T', anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }] },
    ],
    ['ignores nullable: false', { type: 'string', nullable: false }, { type: 'string' }],
    ['keeps null from the type list of 3.1', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [
      'turns an exclusive flag into a bound',
      { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
      { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 5 },
    ],
    ['drops an exclusive flag that is off', { minimum: 1, exclusiveMinimum: false }, { minimum: 1 }],
    ['keeps the exclusive bounds of 3.1', { exclusiveMinimum: 1 }, { exclusiveMinimum: 1 }],
    ['turns an example into examples', { type: 'string', example: 'rex' }, { type: 'string', examples: ['rex'] }],
    ['keeps one example of several', { type: 'string', examples: ['a', 'b'] }, { type: 'string', examples: ['a'] }],
    [
      'drops an example that is long or no scalar',
      { items: { example: 'x'.repeat(200) }, example: [1] },
      { items: {} },
    ],
    [
      'drops what is not about the value',
      {
        type: 'object',
        xml: {},
        discriminator: { propertyName: 'x' },
        externalDocs: {},
        'x-internal': 1,
        $id: 'x',
        $schema: 'y',
        $anchor: 'z',
        $defs: {},
        readOnly: true,
        writeOnly: true,
      },
      { type: 'object' },
    ],
    ['drops a title beside a description', { title: 'Id', description: 'The id.' }, { description: 'The id.' }],
    ['keeps a title that stands alone', { title: 'Id' }, { title: 'Id' }],
    ['takes the slashes from a pattern', { pattern: '/^[a-z]+$/' }, { pattern: '^[a-z]+$' }],
    ['leaves out a pattern with flags', { pattern: '/^[a-z]+$/i' }, {}],
    ['makes descriptions plain', { description: 'See [docs](https://example.com).' }, { description: 'See docs.' }],
    [
      'keeps scalar and flat defaults',
      { properties: { a: { default: 1 }, b: { default: ['x'] }, c: { default: { d: { e: 1 } } } } },
      { properties: { a: { default: 1 }, b: { default: ['x'] }, c: {} } },
    ],
    [
      'keeps booleans as schemas',
      { additionalProperties: false, items: true },
      { additionalProperties: false, items: true },
    ],
    [
      'makes a property of a boolean schema',
      { properties: { a: true, b: false } },
      { properties: { a: {}, b: { not: {} } } },
    ],
    [
      'leaves out what only the API may set',
      { required: ['id', 'name'], properties: { id: { readOnly: true, type: 'integer' }, name: { type: 'string' } } },
      { required: ['name'], properties: { name: { type: 'string' } } },
    ],
    [
      'drops keywords with values of the wrong kind',
      {
        type: 'any',
        minLength: '1',
        maximum: Number.NaN,
        required: true,
        enum: [],
        items: [{}],
        properties: [],
        allOf: {},
        anyOf: [],
        pattern: '(',
        uniqueItems: false,
        minItems: -1,
        format: 1,
      },
      {},
    ],
    [
      'removes duplicates',
      { type: ['string', 'string'], enum: ['a', 'a'], required: ['x', 'x', 1] },
      { type: 'string', enum: ['a'], required: ['x'] },
    ],
    [
      'accepts anything where a schema is malformed',
      { properties: { a: 'string', b: null } },
      { properties: { a: {}, b: {} } },
    ],
  ])('%s', (_, schema, expected) => {
    expect(inline(schema)).toEqual(expected);
  });

  it('shares no object with the document', () => {
    const schema = { enum: ['a'], default: { a: 1 }, type: ['string'] };
    const inlined = inline(schema);
    expect(inlined['enum']).not.toBe(schema.enum);
    expect(inlined['default']).not.toBe(schema.default);
  });
});

describe('references', () => {
  it('are replaced by what they stand for, with the description of the place', () => {
    const schemas = { Pet: { type: 'string', description: 'A pet.' }, Alias: ref('Pet') };
    expect(inline({ properties: { a: ref('Alias'), b: { ...ref('Pet'), description: 'Mine.' } } }, schemas)).toEqual({
      properties: { a: { type: 'string', description: 'A pet.' }, b: { type: 'string', description: 'Mine.' } },
    });
  });

  it('hold together with the assertions beside them', () => {
    expect(inline({ ...ref('Name'), minLength: 3, description: 'x' }, { Name: { type: 'string' } })).toEqual({
      description: 'x',
      allOf: [{ type: 'string' }, { minLength: 3 }],
    });
  });

  it('may be nullable', () => {
    const Pet = { type: 'string', description: 'A pet.' };
    expect(inline({ ...ref('Pet'), nullable: true }, { Pet })).toEqual({ anyOf: [Pet, { type: 'null' }] });
  });

  it('that recur end in the type and description of what they stand for', () => {
    const Node = {
      type: 'object',
      description: 'A node.',
      properties: { next: ref('Node'), all: { type: 'array', items: ref('Node') } },
    };
    const inliner = new SchemaInliner({ components: { schemas: { Node } } }, 32);
    const end = { type: 'object', description: 'A node.' };
    expect(inliner.inline(ref('Node'), 3)).toEqual({
      ...end,
      properties: { next: end, all: { type: 'array', items: end } },
    });
    expect(inliner.lost).toBe(2);
  });

  it.each<[string, object, object]>([
    ['an enum', { type: 'string', enum: Array.from({ length: 201 }, (_, at) => `v${at}`) }, {}],
    ['an enum that may be null', { nullable: true, enum: Array.from({ length: 201 }, (_, at) => `v${at}`) }, {}],
    ['a list of types', { type: Array(1_000).fill('string') }, {}],
    ['a short enum', { type: 'string', enum: ['a'] }, { type: 'string' }],
  ])('are placeholders beyond the limits, for which %s is not read at length', (_, Long, placeholder) => {
    const inliner = new SchemaInliner({ components: { schemas: { Long } } }, 4);
    expect(inliner.inline(ref('Long'), 3)).toEqual(placeholder);
  });

  it.each<[string, object]>([
    ['a default', { default: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`m${at}`, at])) }],
    ['dependent names', { dependentRequired: { a: Array(2_000).fill('b') } }],
  ])('count what is read of %s', (_, Wide) => {
    const inliner = new SchemaInliner({ components: { schemas: { Wide } } }, 32);
    inliner.inline(ref('Wide'), 3);
    expect(inliner.exhausted).toBe(true);
  });

  it('that only refer to each other accept anything', () => {
    expect(inline(ref('A'), { A: ref('B'), B: ref('A') })).toEqual({});
  });

  it('may be used twice without being recursive', () => {
    const inliner = new SchemaInliner({ components: { schemas: { Name: { type: 'string' } } } }, 32);
    expect(inliner.inline({ properties: { a: ref('Name'), b: ref('Name') } }, 3)).toEqual({
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    });
    expect(inliner.lost).toBe(0);
  });

  it.each([
    ['outside the document', { $ref: 'https://example.com/pet.json' }],
    ['to nowhere', ref('Missing')],
    ['outside, deep below', { properties: { a: { items: { anyOf: [{ $ref: './pet.yaml' }] } } } }],
  ])('%s are refused', (_, schema) => {
    expect(() => inline(schema)).toThrow(refused);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('keeps a property called %s out', (name) => {
    const schema = JSON.parse(`{"properties":{"a":{"properties":{"${name}":{"type":"string"}}}}}`) as unknown;
    expect(() => inline(schema)).toThrow(refused);
    expect(({} as Record<string, unknown>)['type']).toBeUndefined();
  });

  it('refuses a malformed pattern for names, which would change what the other properties may be', () => {
    expect(() => inline({ patternProperties: { '(': {} }, additionalProperties: false })).toThrow(refused);
  });
});

describe('bounds', () => {
  const nested = (levels: number): unknown =>
    levels === 0
      ? { type: 'string' }
      : { type: 'object', description: `${levels}`, properties: { a: nested(levels - 1) } };

  it('cuts below the deepest level allowed and keeps type and description there', () => {
    for (const maxDepth of [6, 7, 8, 20, 32]) {
      const inliner = new SchemaInliner({}, maxDepth);
      const inlined = inliner.inline(nested(40), 1);
      expect(depthOf(inlined, 100)).toBeGreaterThanOrEqual(maxDepth - 1);
      expect(depthOf(inlined, 100)).toBeLessThanOrEqual(maxDepth);
      expect(inliner.lost).toBe(1);
    }
    expect(new SchemaInliner({}, 5).inline(nested(5), 1)).toEqual({
      type: 'object',
      description: '5',
      properties: { a: { type: 'object', description: '4', properties: { a: { type: 'object', description: '3' } } } },
    });
  });

  it('stops at 2,000 schemas and enum values', () => {
    const wide = (names: number) =>
      Object.fromEntries(Array.from({ length: names }, (_, i) => [`p${i}`, { type: 'string', minLength: 1 }]));
    const inliner = new SchemaInliner({}, 32);
    const { properties } = inliner.inline({ properties: wide(2500) }, 1) as { properties: Record<string, unknown> };
    expect(inliner.exhausted).toBe(true);
    expect(inliner.lost).toBe(501);
    expect(properties['p0']).toEqual({ type: 'string', minLength: 1 });
    expect(properties['p2499']).toEqual({ type: 'string' });
    expect(() => new SchemaInliner({}, 32).inline({ properties: wide(5000) }, 1)).toThrow(refused);
    expect(inline({ enum: Array.from({ length: 3000 }, (_, i) => i) })).toEqual({});
  });

  it('ends on a document that is an object with circles', () => {
    const node: Record<string, unknown> = { type: 'object' };
    node['properties'] = { self: node };
    expect(depthOf(inline(node), 100)).toBeLessThanOrEqual(32);
  });

  it('ends on references that double at every level', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`S${i}`, { properties: { a: ref(`S${i + 1}`), b: ref(`S${i + 1}`) } }]),
    );
    const document = { components: { schemas: { ...schemas, S30: { type: 'string' } } } };
    const deep = new SchemaInliner(document, 32);
    expect(() => deep.inline(ref('S0'), 1)).toThrow(refused);
    expect(deep.exhausted).toBe(true);
    const shallow = new SchemaInliner(document, 14);
    expect(() => shallow.inline(ref('S0'), 1)).not.toThrow();
    expect(shallow.exhausted).toBe(false);
  });
});

describe('a part that lost something never makes the whole refuse more', () => {
  const Node = { type: 'object', properties: { next: ref('Node') } };

  it.each<[string, object, object]>([
    [
      'oneOf becomes anyOf',
      { oneOf: [ref('Node'), { type: 'object' }] },
      { anyOf: [expect.anything(), { type: 'object' }] },
    ],
    ['oneOf beside anyOf goes', { oneOf: [ref('Node')], anyOf: [{ type: 'object' }] }, { anyOf: [{ type: 'object' }] }],
    ['not goes', { type: 'object', not: ref('Node') }, { type: 'object' }],
    // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
    ['conditions go', { if: ref('Node'), then: { minProperties: 1 }, else: {} }, {}],
    [
      'unevaluated properties may be anything',
      { anyOf: [ref('Node')], unevaluatedProperties: false },
      { anyOf: [expect.anything()] },
    ],
  ])('%s', (_, schema, expected) => {
    expect(inline(schema, { Node })).toEqual(expected);
  });

  it('leaves whole alternatives as they are', () => {
    const schema = { oneOf: [{ type: 'string' }, { type: 'integer' }], not: { const: 'x' } };
    expect(inline(schema)).toEqual(schema);
  });
});
