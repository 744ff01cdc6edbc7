import type { JsonSchema } from '../../json/json.js';
import { checkedInput, checkedOutput, type UsableInput } from './checked-schema.js';
import { DEFAULT_SOURCE_LIMITS } from '../loading/source-limits.js';

function usable(schema: JsonSchema): UsableInput {
  const input = checkedInput(schema, DEFAULT_SOURCE_LIMITS);
  if ('fault' in input) throw new Error(input.fault);
  return input;
}
const string = { type: 'string' };
const object = (properties: object, more: object = {}): JsonSchema => ({ type: 'object', properties, ...more });

describe('arguments under shown names', () => {
  const own = object(
    { $filter: string, 'Start<': string, 'Start>': string, Start: string, start: string },
    {
      required: ['$filter'],
      additionalProperties: false,
    },
  );

  it('are handed on under the names of the source, which are accepted as well', () => {
    const { schema, names, validate } = usable(own);
    expect(schema).toMatchObject({
      properties: { filter: string, Start_lt: string, Start_gt: string, Start: string, start: string },
      required: ['filter'],
      additionalProperties: false,
    });
    expect([...names.keys()]).toEqual(['$filter', 'Start<', 'Start>']);
    const value = { $filter: 'x', 'Start<': 'y' };
    expect(validate({ filter: 'x', Start_lt: 'y' })).toEqual({ value });
    expect(validate({ $filter: 'x', 'Start<': 'y' })).toEqual({ value });
    expect(validate({ $filter: 'x', Start_lt: 'y' })).toEqual({ value });
  });

  it('are named by the shown names in errors', () => {
    const { validate } = usable(own);
    expect(validate({ filter: 7 })).toEqual({ issues: [{ path: '/filter', message: 'must be string' }] });
    expect(validate({ filter: 'x', other: 1 })).toMatchObject({ issues: [{ path: '/other' }] });
    const inner = usable(object({ 'a/b': object({ c: string }) }));
    expect(inner.validate({ a_b: { c: 1 } })).toMatchObject({ issues: [{ path: '/a_b/c' }] });
  });

  it('are refused where a caller gives one argument under both names', () => {
    const { validate } = usable(object({ $filter: string }));
    expect(validate({ $filter: 'own', filter: 'shown' })).toEqual({
      issues: [{ path: '/filter', message: 'is also given as "$filter"' }],
    });
  });

  it('have names that depend on no order and meet no other, however many want one', () => {
    const properties = [
      '$a',
      '@a',
      '#a',
      'a',
      `a_${'0'.repeat(8)}`,
      `${'long '.repeat(40)}1`,
      `${'long '.repeat(40)}2`,
      '名前',
      '9',
      '',
    ];
    const named = (keys: readonly string[]) =>
      usable(object(Object.fromEntries(keys.map((key) => [key, string])))).names;
    const names = named(properties);
    expect(Object.fromEntries(named(properties.toReversed()))).toEqual(Object.fromEntries(names));
    const shown = properties.map((key) => names.get(key) ?? key);
    expect(new Set(shown).size).toBe(properties.length);
    expect(shown.filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))).toEqual([]);
  });
});

describe('arguments of a projected schema', () => {
  it('are checked against what the source says, not what is shown', () => {
    const { schema, validate } = usable({
      ...object({ a: string, b: string }),
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    });
    expect(schema).toEqual(object({ a: string, b: string }));
    expect(validate({ a: 'x' })).toEqual({ value: { a: 'x' } });
    expect(validate({ a: 'x', b: 'y' })).toHaveProperty('issues');
    expect(validate({})).toHaveProperty('issues');
  });

  it('are checked against the repaired schema if the original cannot be compiled', () => {
    const { validate } = usable(
      object({ n: { type: 'number', minimum: 0, exclusiveMinimum: true }, $kind: { enum: [] } }),
    );
    expect(validate({ n: 1, kind: 'x' })).toEqual({ value: { n: 1, $kind: 'x' } });
    expect(validate({ n: 0 })).toMatchObject({ issues: [{ path: '/n' }] });
    const choice = usable({
      ...object({ a: { type: 'str' }, $b: string }),
      oneOf: [{ required: ['a'] }, { required: ['$b'] }],
    });
    expect(choice.validate({ b: 'x' })).toEqual({ value: { $b: 'x' } });
    expect(choice.validate({})).toHaveProperty('issues');
    expect(choice.validate({ a: 'x', b: 'x' })).toHaveProperty('issues');
  });

  it('are not checked if the root is not a schema', () => {
    const schema = { ...object({ a: string }), anyOf: [object({}), { type: 'string', minLength: 'x' }] };
    expect(checkedInput(schema, DEFAULT_SOURCE_LIMITS)).toEqual({ fault: expect.stringMatching(/invalid at .anyOf/) });
  });

  it('follow draft 2019-09 if the schema declares it', () => {
    const { validate } = usable({
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      ...object({ pair: { type: 'array', items: [string, { type: 'number' }], additionalItems: false } }),
    });
    expect(validate({ pair: ['a', 1] })).toHaveProperty('value');
    expect(
      [
        ['a', 'b'],
        ['a', 1, 2],
      ].map((pair) => 'issues' in validate({ pair })),
    ).toEqual([true, true]);
  });
});

describe('an output schema', () => {
  it.each<[unknown, RegExp]>([
    [null, /must be a JSON Schema object/],
    [{ type: 'string' }, /object at its root/],
    [{ type: 'object', properties: { a: { $ref: 'https://example.com' } } }, /another document/],
    [{ type: 'object', required: 'all' }, /invalid at \/required/],
  ])('is not used if it is %j', (schema, reason) => {
    expect(checkedOutput(schema, DEFAULT_SOURCE_LIMITS)).toEqual({ fault: expect.stringMatching(reason) });
  });

  it('is repaired, and its root left as it is', () => {
    const schema = { anyOf: [object({ a: { type: 'int' } })] };
    expect(checkedOutput(schema, DEFAULT_SOURCE_LIMITS)).toMatchObject({
      schema: { anyOf: [object({ a: { type: 'integer' } })] },
    });
  });
});

describe('a schema bomb', () => {
  const doubling = (count: number): JsonSchema => {
    const $defs: Record<string, object> = { [`d${count}`]: { type: 'object' } };
    for (let at = 0; at < count; at++) {
      const next = { $ref: `#/$defs/d${at + 1}` };
      $defs[`d${at}`] = { properties: { a: next, b: next } };
    }
    return { $ref: '#/$defs/d0', $defs };
  };
  const nested = (levels: number): JsonSchema => {
    let schema: JsonSchema = { type: 'object' };
    for (let at = 0; at < levels; at++) schema = { type: 'object', properties: { a: schema } };
    return schema;
  };
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, {}]));
  const choices = (count: number): JsonSchema => ({
    anyOf: Array.from({ length: count }, (_, at) => object(many(at % 9), { required: [`p${at}`] })),
  });
  const chain = (count: number): JsonSchema => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      Array.from({ length: count + 1 }, (_, at) => [
        `d${at}`,
        at === count ? { type: 'object' } : { $ref: `#/$defs/d${at + 1}` },
      ]),
    ),
  });

  const switches = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`p${at}`, true]));
  const again = (keyword: string, $defs: JsonSchema): JsonSchema => ({
    [keyword]: Array.from({ length: 500 }, () => ({ $ref: '#/$defs/a' })),
    $defs: { a: $defs },
  });

  it.each<[string, JsonSchema, RegExp]>([
    ['20 doublings', doubling(20), /more than 5000 parts/],
    ['40 doublings', doubling(40), /more than 5000 parts/],
    ['1,000 levels', nested(1000), /deeper than 32/],
    ['5,000 levels', nested(5000), /deeper than 32/],
    ['20,000 properties', object(many(20_000)), /larger than 65536/],
    ['1,100 properties', object(many(1_100)), /more than 1000 schemas/],
    ['a reference to itself', { $ref: '#' }, /object at its root/],
    [
      'a circle of references',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      /object at its root/,
    ],
    ['a long chain of references', chain(900), /too many choices and parts/],
    ['choices among 600 objects', choices(600), /more than 1000 schemas/],
    ['references to the same thousand names', again('anyOf', { properties: switches }), /too many choices and parts/],
    ['parts with the same thousand names', again('allOf', { properties: switches }), /too many choices and parts/],
    ['parts that demand the same names', again('allOf', { required: Object.keys(switches) }), /too many choices/],
    ['choices among long lists', again('anyOf', object({ a: { enum: Object.keys(switches) } })), /too many choices/],
    ['a reference to the web', object({ a: { $ref: 'http://169.254.169.254/x' } }), /another document/],
  ])('of %s is refused', (_, schema, reason) => {
    expect(checkedInput(schema, DEFAULT_SOURCE_LIMITS)).toEqual({ fault: expect.stringMatching(reason) });
  });

  it('of choices within choices costs no more than its parts', () => {
    let schema: JsonSchema = object({ a: string });
    for (let at = 0; at < 7; at++) schema = { anyOf: [schema, { ...schema, required: ['a'] }] };
    const checked = checkedInput(schema, DEFAULT_SOURCE_LIMITS);
    expect('fault' in checked || checked.schema['type'] === 'object').toBe(true);
  });
});

describe('what is remembered of a schema', () => {
  const wide = object(Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`p${index}`, string])));

  it('serves the same text, and is not the object that the source may change', () => {
    const declared = object({ a: { type: 'string' } });
    const first = usable(declared);
    expect(usable(structuredClone(declared))).toBe(first);
    (declared['properties'] as Record<string, unknown>)['a'] = { type: 'number' };
    expect(usable(declared)).not.toBe(first);
    expect(first.schema).toEqual(object({ a: string }));
    expect(Object.isFrozen(first.schema['properties'])).toBe(true);
  });

  it('is not taken for what other limits or the own code would have', () => {
    expect(usable(wide).changes).toEqual([expect.stringContaining('first 200 parts')]);
    expect(checkedInput(wide, DEFAULT_SOURCE_LIMITS, true)).toMatchObject({ changes: [] });
    expect(checkedInput(wide, { ...DEFAULT_SOURCE_LIMITS, schemaBytes: 1_000 })).toHaveProperty('fault');
    expect(checkedInput(wide, { ...DEFAULT_SOURCE_LIMITS, schemaDepth: 2 })).toHaveProperty('fault');
  });
});
