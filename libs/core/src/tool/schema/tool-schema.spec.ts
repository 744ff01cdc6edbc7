import type { StandardSchemaV1 } from '@standard-schema/spec';
import fc from 'fast-check';
import { z } from 'zod';
import { isStandardSchema, standardSchemaInput } from './standard-schema.js';
import { jsonSchemaValidator, schemaFault } from './tool-schema.js';
import type { JsonSchema } from '../../json/json.js';
import type { InputCheck } from '../tool-definition.js';

let keys = 0;
/** Validates against a schema under its own cache key. */
function check(schema: JsonSchema, input: unknown): InputCheck {
  return jsonSchemaValidator(`test ${keys++}`, schema)(input) as InputCheck;
}
const accepts = (schema: JsonSchema, input: unknown): boolean => 'value' in check(schema, input);
const issuesOf = (checked: InputCheck) => ('issues' in checked ? checked.issues : []);
const object = (properties: Record<string, unknown>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

describe('schemaFault', () => {
  it.each([
    [object({ a: { type: 'string' } })],
    [object({ a: { type: 'string' } }, { $schema: DRAFT_07, definitions: { b: { type: 'null' } } })],
    [object({ a: true }, { $defs: { b: { $ref: '#' } }, unevaluatedProperties: false })],
  ])('accepts %j', (schema) => {
    expect(schemaFault(schema)).toBeUndefined();
  });

  it.each([
    [object({ a: { type: 'file' } }), '/properties/a/type'],
    [object({}, { required: 'a' }), '/required'],
    [object({ a: { enum: 'x' } }, { $schema: DRAFT_07 }), '/properties/a/enum'],
    [object({}, { $schema: 'https://example.com/unknown' }), 'not a supported dialect'],
    [object({}, { $schema: 'x'.repeat(5000) }), 'not a supported dialect'],
  ])('says where %j is wrong', (schema, where) => {
    expect(schemaFault(schema)).toContain(where);
    expect(schemaFault(schema)?.length).toBeLessThan(300);
  });
});

describe('jsonSchemaValidator', () => {
  it('returns the input unchanged: nothing is coerced, filled in or dropped', () => {
    const input = { count: 5, more: true };
    const schema = object({ count: { type: 'integer' }, unit: { type: 'string', default: 'kg' } });
    expect(check(schema, input)).toEqual({ value: { count: 5, more: true } });
    expect(accepts(schema, { count: '5' })).toBe(false);
  });

  it('follows the dialect that the schema names', () => {
    const pair = { type: 'array', items: [{ type: 'string' }, { type: 'number' }] };
    const prefix = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] };
    expect(accepts(object({ a: pair }, { $schema: DRAFT_07 }), { a: ['x', 'y'] })).toBe(false);
    expect(accepts(object({ a: prefix }, { $schema: DRAFT_2020 }), { a: ['x', 'y'] })).toBe(false);
    expect(accepts(object({ a: prefix }, { $schema: DRAFT_07 }), { a: ['x', 'y'] })).toBe(true);
  });

  it.each([
    ['email', 'ada@example.com', 'ada'],
    ['date', '2026-11-21', '21.11.2026'],
    ['date-time', '2026-11-21T10:00:00Z', 'noon'],
    ['uuid', '7b8cdd6f-52f0-4b5c-9f2a-1d3b8b7f0a11', '7b8c'],
    ['uri', 'https://example.com/', 'not a uri'],
    ['ipv4', '192.0.2.1', '1.2.3'],
  ])('checks the format %s', (format, good, bad) => {
    const schema = object({ a: { type: 'string', format } });
    expect([good, bad].map((a) => accepts(schema, { a }))).toEqual([true, false]);
  });

  it.each([
    [0.01, [19.99, 0.07, 1.15, -1.15, 100], [19.995, 0.001]],
    [1e-7, [3e-7, 0.1], [1.5e-7]],
    [0.3, [0.9, 3], [1, 0.1]],
    [1e21, [3e21, 0], [1.5e21, 1]],
    [2, [4, -4], [5, 4.5]],
  ])('checks multiples of %d as decimals', (multipleOf, good, bad) => {
    for (const $schema of [DRAFT_07, DRAFT_2020]) {
      const schema = object({ a: { type: 'number', multipleOf } }, { $schema });
      for (const a of good) expect([a, accepts(schema, { a })]).toEqual([a, true]);
      for (const a of bad) {
        expect(issuesOf(check(schema, { a }))).toEqual([{ path: '/a', message: `must be multiple of ${multipleOf}` }]);
      }
    }
  });

  it('passes over formats and keywords it does not know', () => {
    expect(accepts(object({ a: { type: 'string', format: 'phone', 'x-hint': 1 } }), { a: 'anything' })).toBe(true);
  });

  it.each(['toString', 'constructor', 'hasOwnProperty', '__proto__'])(
    'does not take the inherited %s for a property',
    (name) => {
      expect(accepts(object({}, { required: [name] }), {})).toBe(false);
      expect(accepts(object({}, { required: [name] }), JSON.parse(`{"${name}": 1}`))).toBe(true);
    },
  );

  it('enforces each pattern of a schema, not the first one everywhere', () => {
    const schema = object({ a: { type: 'string', pattern: '^a+$' }, b: { type: 'string', pattern: '^b+$' } });
    expect(accepts(schema, { a: 'aa', b: 'bb' })).toBe(true);
    expect(accepts(schema, { a: 'aa', b: 'aa' })).toBe(false);
    expect(accepts(schema, { a: 'bb', b: 'bb' })).toBe(false);
  });

  it('matches patterns as the platform does', () => {
    const part = fc.constantFrom('a', 'b', '[ab]', '(?:ab)', '.', 'a*', 'b+', '(?:a|b)?', '^', '$', 'a{1,2}');
    const pattern = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 5 }), (source, texts) => {
        const schema = object({ a: { type: 'string', pattern: source } });
        const validate = jsonSchemaValidator(`pattern ${source}`, schema);
        for (const a of texts) expect('value' in (validate({ a }) as InputCheck)).toBe(new RegExp(source, 'u').test(a));
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['^(a+)+$', false],
    ['(x+x+)+y', false],
    ['^(?:a|aa)+$', false],
    // Exceeds the work limit, so it is left to the tool, which checks its own input.
    ['(?:a?){500}a{500}[yz]', true],
  ])('is not to be kept busy by %s', (pattern, accepted) => {
    expect(accepts(object({ a: { type: 'string', pattern } }), { a: `${'a'.repeat(50_000)}!` })).toBe(accepted);
  });

  it.each(['(?=a)b', '(?<!a)b', '(a)\\1', '[^]', 'a{5000}'])(
    'does not make a tool uncallable because of the pattern %s',
    (pattern) => {
      expect(accepts(object({ a: { type: 'string', pattern } }), { a: 'anything' })).toBe(true);
      expect(accepts(object({ a: { type: 'string', pattern }, b: { type: 'number' } }), { a: 'x', b: 'y' })).toBe(
        false,
      );
    },
  );

  it.each([
    ['/^3[A-Z]{3,}$/i', ['3ABC', '3abc'], ['4ABC', '/3ABC/i']],
    ['/^\\/api$/', ['/api'], ['api']],
    ['/.*[a-z]$/gu', ['a'], ['1']],
    // A path, not a literal.
    ['/api/', ['/api/v1'], ['api']],
    ['/\\$/', ['/$/'], ['$']],
  ])('reads the pattern %s as it was meant', (pattern, good, bad) => {
    const schema = object({ a: { type: 'string', pattern } });
    for (const a of good) expect([a, accepts(schema, { a })]).toEqual([a, true]);
    for (const a of bad) expect([a, accepts(schema, { a })]).toEqual([a, false]);
  });

  it('passes over the name that draft-04 had for $id', () => {
    expect(accepts(object({ a: { type: 'string' } }, { id: 'urn:a' }), { a: 'x' })).toBe(true);
  });

  it('still checks what an `$async` schema refuses', () => {
    const schema = object({}, { $async: true, required: ['a'] });
    expect(accepts(schema, {})).toBe(false);
    expect(accepts(schema, { a: 1 })).toBe(true);
  });

  it('keeps the schemas of two tools apart, even under one $id', () => {
    const first = object(
      { a: { $ref: '#/$defs/x' } },
      { $id: 'https://example.com/tool', $defs: { x: { type: 'string' } } },
    );
    const second = object(
      { a: { $ref: '#/$defs/x' } },
      { $id: 'https://example.com/tool', $defs: { x: { type: 'number' } } },
    );
    const thief = object({ a: { $ref: 'https://example.com/tool#/$defs/x' } });
    expect([accepts(first, { a: 'x' }), accepts(second, { a: 1 }), accepts(second, { a: 'x' })]).toEqual([
      true,
      true,
      false,
    ]);
    expect(() => check(thief, { a: 'x' })).toThrow(expect.objectContaining({ code: 'INVALID_TOOL' }));
  });

  it('says with its own code, and without the engine’s words, that a schema cannot be compiled', () => {
    expect(() => check(object({ a: { $ref: '#/$defs/missing' } }), {})).toThrow(
      expect.objectContaining({ code: 'INVALID_TOOL', message: expect.not.stringContaining('missing') }),
    );
  });

  it('names places and rules, never values', () => {
    const secret = 'hunter2-hunter2';
    const schema = object(
      {
        kind: { enum: ['a', 'b'] },
        code: { type: 'string', pattern: '^[0-9]+$', maxLength: 5 },
        when: { type: 'string', format: 'date' },
        one: { const: 1 },
        list: { type: 'array', items: { type: 'integer' }, uniqueItems: true },
        inner: object({}, { additionalProperties: false }),
        name: { propertyNames: { maxLength: 3 } },
        choice: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      },
      { additionalProperties: { type: 'boolean' } },
    );
    for (const property of Object.keys(schema['properties'] as object)) {
      const inputs = [secret, [secret, secret], { [property]: { list: secret } }];
      for (const value of inputs) {
        const checked = check(schema, { [property]: value });
        expect(JSON.stringify(checked)).not.toContain(issuesOf(checked).length > 0 ? secret : 'nothing');
      }
    }
    expect(issuesOf(check(schema, { kind: secret }))).toEqual([{ path: '/kind', message: 'must be one of ["a","b"]' }]);
    expect(issuesOf(check(schema, { inner: { 'a/b~c': secret } }))).toEqual([
      { path: '/inner/a~1b~0c', message: 'is not a known property' },
    ]);
  });

  it('bounds its message, for any keys and choices', () => {
    const choices = Array.from({ length: 1000 }, (_, index) => `choice ${index}`);
    const schema = object({ a: { enum: choices } }, { additionalProperties: false });
    expect(JSON.stringify(check(schema, { a: 'x' })).length).toBeLessThan(500);
    expect(JSON.stringify(check(schema, { ['k'.repeat(100_000)]: 1 })).length).toBeLessThan(500);
    const inner = object({}, { additionalProperties: { type: 'number' }, required: ['r'.repeat(10_000)] });
    const outer = object({}, { additionalProperties: inner });
    expect(JSON.stringify(check(outer, { a: {} })).length).toBeLessThan(700);
    expect(JSON.stringify(check(outer, { ['k'.repeat(100_000)]: {} })).length).toBeLessThan(700);
  });
});

describe('standardSchemaInput', () => {
  const Order = z.object({
    customer: z.string().min(1),
    amount: z.number().int().positive().default(1),
    note: z
      .string()
      .transform((text) => text.trim())
      .optional(),
  });

  it('describes what goes in: what has a default may be left out', () => {
    const { inputSchema } = standardSchemaInput(Order);
    expect(schemaFault(inputSchema)).toBeUndefined();
    expect(inputSchema).toMatchObject({
      type: 'object',
      properties: { customer: { type: 'string' }, amount: { type: 'integer', default: 1 }, note: { type: 'string' } },
      required: ['customer'],
    });
  });

  it('hands on what comes out: defaults filled in, transforms applied', async () => {
    const { validate } = standardSchemaInput(Order);
    expect(await validate({ customer: 'acme', note: ' soon ' })).toEqual({
      value: { customer: 'acme', amount: 1, note: 'soon' },
    });
  });

  it('names places as JSON pointers, never values', async () => {
    const { validate } = standardSchemaInput(
      z.object({ 'a/b': z.array(z.object({ n: z.number() })), c: z.enum(['x']) }),
    );
    const checked = await validate({ 'a/b': [{ n: 'hunter2' }], c: 'hunter2' });
    expect(issuesOf(checked).map(({ path }) => path)).toEqual(['/a~1b/0/n', '/c']);
    expect(JSON.stringify(checked)).not.toContain('hunter2');
    expect(issuesOf(await validate(7))[0]?.path).toBe('/');
  });

  it('does not repeat the input as the library does', async () => {
    const echoing: StandardSchemaV1 = {
      '~standard': {
        version: 1,
        vendor: 'echo',
        validate: (input) => ({
          issues: [
            { path: ['a'], message: `Expected number but received ${JSON.stringify((input as { a: unknown }).a)}` },
          ],
        }),
      },
    };
    const describing = Object.assign(echoing['~standard'], { jsonSchema: { input: () => object({}) } });
    const { validate } = standardSchemaInput({ '~standard': describing });
    for (const a of [
      'hunter2',
      'x7',
      'x',
      'qu"o\nte',
      ['x7', 'hunter2'],
      { b: { c: 'x7' } },
      42,
      7,
      's'.repeat(10_000),
    ]) {
      const [issue] = issuesOf(await validate({ a }));
      expect(issue).toEqual({
        path: '/a',
        message: expect.stringMatching(/^Expected number but received ["[{:a-c]*…$/),
      });
    }
  });

  it('bounds its message, for any keys and messages', async () => {
    const { validate } = standardSchemaInput(
      z.record(z.string(), z.record(z.string(), z.string().max(0, { message: 'm'.repeat(10_000) }))),
    );
    const long = 'k'.repeat(10_000);
    const [issue] = issuesOf(await validate({ [long]: { [long]: 'x' } }));
    expect(issue?.path).toBe(`/${'k'.repeat(64)}/${'k'.repeat(64)}`);
    expect(issue?.message).toMatch(/^m{300}$/);
  });

  it('names at most ten faults', async () => {
    const { validate } = standardSchemaInput(z.object({ list: z.array(z.number()) }));
    expect(issuesOf(await validate({ list: Array.from({ length: 100 }, () => 'x') }))).toHaveLength(10);
  });

  it('waits for checks that take their time', async () => {
    const { validate } = standardSchemaInput(z.object({ id: z.string().refine(async (id) => id === 'known') }));
    expect(await validate({ id: 'known' })).toEqual({ value: { id: 'known' } });
    expect(issuesOf(await validate({ id: 'unknown' }))).toHaveLength(1);
  });

  it('refuses at boot what JSON cannot carry, and a library that cannot describe itself', () => {
    const refusal = expect.objectContaining({ code: 'INVALID_CONFIGURATION', hint: expect.stringMatching(/.+/) });
    expect(() => standardSchemaInput(z.object({ at: z.date() }))).toThrow(refusal);
    const mute = { '~standard': { version: 1, vendor: 'mute', validate: (value: unknown) => ({ value }) } } as const;
    expect(() => standardSchemaInput(mute)).toThrow(refusal);
  });
});

describe('isStandardSchema', () => {
  it('knows one by its mark', () => {
    expect([z.string(), { '~standard': {} }].map(isStandardSchema)).toEqual([true, true]);
    expect([null, {}, { '~standard': 1 }, 'x', class {}].map(isStandardSchema)).toEqual(Array(5).fill(false));
  });
});
