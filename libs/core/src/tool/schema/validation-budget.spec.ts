import Ajv2020 from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { JsonSchema } from '../../json/json.js';
import type { InputCheck } from '../tool-definition.js';
import { jsonSchemaValidator } from './tool-schema.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

let keys = 0;
const check = (schema: JsonSchema, input: unknown) =>
  jsonSchemaValidator(`budget ${keys++}`, schema)(input) as InputCheck;
const chain = (depth: number, end: object = {}): object => (depth === 0 ? end : { x: chain(depth - 1, end) });

/** A definition that describes the same property several times, each time by a reference to itself. */
function branching(branches: number, more: JsonSchema = {}): JsonSchema {
  const again = { properties: { x: { $ref: '#/$defs/n' } } };
  return {
    type: 'object',
    $ref: '#/$defs/n',
    $defs: { n: { type: 'object', allOf: Array(branches).fill(again) } },
    ...more,
  };
}

describe('a schema that describes itself', () => {
  const tree = { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array' } } };
  const atRoot = { ...tree, properties: { ...tree.properties, children: { type: 'array', items: { $ref: '#' } } } };
  const below = (place: string) => ({
    type: 'object',
    properties: { root: { $ref: `#/${place}/node` } },
    [place]: {
      node: {
        ...tree,
        properties: { ...tree.properties, children: { type: 'array', items: { $ref: `#/${place}/node` } } },
      },
    },
  });

  it.each<[string, JsonSchema, (node: object) => unknown]>([
    ['at its root', atRoot, (node) => node],
    ['at its root, in draft-07', { ...atRoot, $schema: DRAFT_07 }, (node) => node],
    ['at its root, under an $id', { ...atRoot, $id: 'https://example.com/tree' }, (node) => node],
    ["under a meta schema's $id", { ...atRoot, $id: DRAFT_07, $schema: DRAFT_07 }, (node) => node],
    ['in a definition', below('$defs'), (root) => ({ root })],
    ['in a definition, in draft-07', { ...below('definitions'), $schema: DRAFT_07 }, (root) => ({ root })],
  ])('is checked at each level: %s', (_, schema, at) => {
    const node = (name: unknown) => at({ name: 'a', children: [{ children: [{ name }] }] });
    expect(check(schema, node('b'))).toEqual({ value: node('b') });
    expect(check(schema, node(5))).toMatchObject({
      issues: [{ path: expect.stringMatching(/children\/0\/children\/0\/name$/), message: 'must be string' }],
    });
  });

  it('may be as deep and as wide as arguments can be', () => {
    const list = { type: 'object', properties: { x: { $ref: '#' } } };
    expect(check(list, chain(31))).toHaveProperty('value');
    const rows = Array.from({ length: 20_000 }, () => ({ name: 'a', children: [{ name: 'b' }] }));
    expect(check(atRoot, { children: rows })).toHaveProperty('value');
  });

  it('may be a choice of kinds that all hold the same', () => {
    const kinds = ['and', 'or', 'not', 'xor'].map((kind) => ({
      type: 'object',
      properties: { left: { $ref: '#/$defs/term' }, kind: { const: kind } },
      required: ['kind'],
    }));
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/term' } }, $defs: { term: { anyOf: kinds } } };
    const term = (depth: number): object => ({ kind: 'or', ...(depth > 0 && { left: term(depth - 1) }) });
    expect(check(schema, { a: term(30) })).toHaveProperty('value');
    expect(check(schema, { a: { ...term(0), left: { kind: 'none' } } })).toHaveProperty('issues');
  });

  it('takes up with references what unevaluatedProperties leaves over', () => {
    const schema = {
      type: 'object',
      $ref: '#/$defs/known',
      unevaluatedProperties: false,
      $defs: { known: { properties: { a: { type: 'string' } } } },
    };
    expect(check(schema, { a: 'x' })).toHaveProperty('value');
    expect(check(schema, { b: 'x' })).toEqual({ issues: [{ path: '/b', message: 'is not a known property' }] });
  });
});

describe('references', () => {
  const ref = fc.constantFrom('a', 'b', 'c').map((name) => ({ $ref: `#/$defs/${name}` }));
  const leaf = fc.constantFrom({ type: 'object' }, { type: 'number' }, { required: ['x'] }, { const: 1 }, true, false);
  const properties = fc.record({ x: ref, y: fc.oneof(ref, leaf) }, { requiredKeys: [] });
  // References only below a property: a reference to the same location could recurse without end.
  const part = fc.oneof(
    leaf,
    properties.map((of) => ({ properties: of })),
    fc.record({ type: fc.constant('object'), properties }),
    fc.record({ additionalProperties: ref }),
    fc.record({ items: ref, minItems: fc.constantFrom(0, 1) }),
  );
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  const choice = fc.oneof(
    part,
    parts.map((allOf) => ({ allOf })),
    parts.map((anyOf) => ({ anyOf })),
    parts.map((oneOf) => ({ oneOf })),
    part.map((not) => ({ not })),
    fc.tuple(part, part).map(([condition, otherwise]) => ({ if: condition, else: otherwise })),
  );
  const unevaluated = fc.constantFrom({}, {}, { unevaluatedProperties: false }, { unevaluatedProperties: true });
  const anySchema = fc
    .record({ root: choice, a: choice, b: choice, c: choice, more: unevaluated })
    .map(({ root, more, ...$defs }) => ({
      type: 'object',
      allOf: [root, { properties: { x: { $ref: '#/$defs/a' } } }],
      ...more,
      $defs,
    }));
  const { value: anyInput } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(1, 'a', null),
      fc.record({ x: tie('value'), y: tie('value') }, { requiredKeys: [], noNullPrototype: true }),
      fc.array(tie('value'), { maxLength: 2 }),
    ),
  }));

  it('come to what they come to when each is followed every time', () => {
    let fitting = 0;
    fc.assert(
      fc.property(anySchema, fc.array(anyInput, { minLength: 5, maxLength: 5 }), (schema, values) => {
        const plain = new Ajv2020({ strict: false, ownProperties: true }).compile(schema);
        const validate = jsonSchemaValidator(JSON.stringify(schema), schema);
        for (const x of values) {
          const fits = plain({ x });
          fitting += Number(fits);
          expect('value' in (validate({ x }) as InputCheck)).toBe(fits);
        }
      }),
      { numRuns: 100 },
    );
    expect(fitting).toBeGreaterThan(20);
  });
});

// Without a budget, each of these would take practically forever.
describe('a schema that multiplies the work', () => {
  const cases: [string, JsonSchema, number][] = [
    ['twice at each level', branching(2), 60],
    ['ten times at each level', branching(10), 30],
    ['in draft-07', branching(10, { $schema: DRAFT_07 }), 30],
  ];

  it.each(cases)('is checked once for each place of the input: %s', (_, schema, depth) => {
    expect(check(schema, chain(depth))).toHaveProperty('value');
    expect(check(schema, chain(depth, { x: 5 }))).toMatchObject({
      issues: [{ path: '/x'.repeat(depth + 1), message: 'must be object' }],
    });
  });

  const refusal = { issues: [{ path: '/', message: expect.stringContaining('too much work') }] };
  const unevaluated = branching(10, { unevaluatedProperties: false });

  it.each<[string, JsonSchema, object]>([
    ['where outcomes cannot be remembered', unevaluated, chain(30)],
    ['and more so with much at the end', unevaluated, chain(28, { list: Array.from({ length: 10_000 }, () => 1) })],
    ['in one place', { type: 'object', allOf: [{ $ref: '#' }] }, {}],
  ])('is given up %s', (_, schema, input) => {
    expect(check(schema, input)).toEqual(refusal);
  });

  it('leaves the next validation its own budget', () => {
    expect(check(unevaluated, chain(30))).toEqual(refusal);
    expect(check(unevaluated, chain(2))).toHaveProperty('value');
  });

  it('matches no pattern beyond what one validation may cost', () => {
    // Each pattern costs about a million on each text; none of them matches.
    const patterns = Array.from({ length: 40 }, (_, index) => ({ pattern: `^(?:a?){${400 + index}}b$` }));
    const schema = { type: 'object', properties: { list: { items: { allOf: patterns } } } };
    const text = `${'a'.repeat(900)}!`;
    expect(check(schema, { list: [text] })).toMatchObject({ issues: [{ path: '/list/0' }] });
    const anyOf = { type: 'object', properties: { list: { items: { anyOf: patterns } } } };
    expect(check(anyOf, { list: Array.from({ length: 100_000 }, () => text) })).toHaveProperty('value');
  });
});
