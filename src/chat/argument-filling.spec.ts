import type { JsonSchema } from '@tool-search/core';
import fc from 'fast-check';
import { fillArguments } from './argument-filling.js';
import { readRequest } from './request-reading.js';

const string = { type: 'string' };
const strings = { type: 'array', items: string };

function object(
  properties: Record<string, unknown>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required };
}

function fill(schema: JsonSchema, text: string, previous?: string) {
  const { args, missing } = fillArguments(schema, readRequest(text), previous);
  return { args, missing: missing.map(({ name }) => name) };
}

describe('fillArguments', () => {
  const refund = object({ invoiceId: string, amount: { type: 'number', exclusiveMinimum: 0 }, reason: string }, [
    'invoiceId',
    'amount',
  ]);
  const entities = object({
    entities: { type: 'array', items: object({ name: string, entityType: string, observations: strings }) },
  });
  const relations = object({
    relations: { type: 'array', items: object({ from: string, to: string, relationType: string }) },
  });
  const write = object({ path: string, content: string });
  const move = object({ source: string, destination: string });
  const issue = object({ owner: string, repo: string, title: { oneOf: [string, { type: 'integer' }] }, body: string }, [
    'owner',
    'repo',
    'title',
  ]);
  const status = object({ status: { type: 'string', enum: ['open', 'paid', 'in review'] } }, []);

  it.each<[string, JsonSchema, unknown]>([
    [
      'Refund 25 euros of invoice inv_1001 because it was charged twice.',
      refund,
      { invoiceId: 'inv_1001', amount: 25, reason: 'it was charged twice' },
    ],
    ['Refund invoice inv_7 by 3', refund, { invoiceId: 'inv_7', amount: 3 }],
    ['Which files are in the notes folder?', object({ path: string }), { path: 'notes' }],
    [`Write 'hello' into the file notes/new.txt`, write, { path: 'notes/new.txt', content: 'hello' }],
    ['Move a/b.txt to c/d.txt', move, { source: 'a/b.txt', destination: 'c/d.txt' }],
    ['To c/d.txt move a/b.txt', move, { source: 'a/b.txt', destination: 'c/d.txt' }],
    ['Read a.txt and b.txt', object({ paths: strings }), { paths: ['a.txt', 'b.txt'] }],
    [
      `Change 'old words' to 'new words' in a.txt`,
      object({ path: string, edits: { type: 'array', items: object({ oldText: string, newText: string }) } }),
      { path: 'a.txt', edits: [{ oldText: 'old words', newText: 'new words' }] },
    ],
    [
      'Remember that Ada Lovelace works at Analytical Engines',
      entities,
      { entities: [{ name: 'Ada Lovelace', entityType: 'entity', observations: ['works at Analytical Engines'] }] },
    ],
    [
      'Remember that Grace is a mathematician',
      entities,
      { entities: [{ name: 'Grace', entityType: 'mathematician', observations: ['is a mathematician'] }] },
    ],
    [
      'Remember that Ada works at Acme',
      relations,
      { relations: [{ from: 'Ada', to: 'Acme', relationType: 'works at' }] },
    ],
    [
      'Create a relation from Ada to Bob of type knows',
      relations,
      { relations: [{ from: 'Ada', to: 'Bob', relationType: 'knows' }] },
    ],
    ['Add the numbers 17 and 25', object({ a: { type: 'number' }, b: { type: 'number' } }), { a: 17, b: 25 }],
    [`Create an issue titled 'Bug' in nestjs/nest`, issue, { owner: 'nestjs', repo: 'nest', title: 'Bug' }],
    ['Which invoices are in review?', status, { status: 'in review' }],
    ['List all invoices', status, {}],
    ['Search my graph for Ada', object({ query: string }), { query: 'Ada' }],
    ['Search for people who like tea', object({ q: string }), { q: 'people who like tea' }],
    ['Repeat after me: good morning', object({ message: string }), { message: 'after me: good morning' }],
    ['Run it as a dry run', object({ dryRun: { type: 'boolean' } }, []), { dryRun: true }],
    ['Run it without a dry run', object({ dryRun: { type: 'boolean' } }, []), { dryRun: false }],
    ['Run it with recursive=no', object({ recursive: { type: 'boolean' } }, []), { recursive: false }],
    [
      'Mail ada@example.com on 2026-03-01 about https://example.com',
      object({ to: { type: 'string', format: 'email' }, link: { type: 'string', format: 'uri' }, date: string }, []),
      { to: 'ada@example.com', link: 'https://example.com', date: '2026-03-01' },
    ],
    [
      'Create an invoice for Umbrella over 99,50 euros',
      object({ customer: string, amount: { type: 'number' } }),
      { customer: 'Umbrella', amount: 99.5 },
    ],
    [
      'Do it',
      object({ kind: { const: 'x' }, size: { enum: ['only'] }, page: { type: 'integer', default: 1 } }),
      { kind: 'x', size: 'only', page: 1 },
    ],
    [
      'Book room=blue',
      { ...object({ booking: { $ref: '#/$defs/Booking' } }), $defs: { Booking: object({ room: string }) } },
      { booking: { room: 'blue' } },
    ],
  ])('fills %j', (text, schema, args) => {
    expect(fill(schema, text)).toEqual({ args, missing: [] });
  });

  it('names what is missing instead of guessing', () => {
    expect(fill(refund, 'Refund an invoice')).toEqual({ args: {}, missing: ['invoiceId', 'amount'] });
    expect(fill(entities, 'Create an entity').missing).toEqual(['entities']);
    expect(fill(object({ a: { type: 'integer', minimum: 10 } }), 'Use 3').missing).toEqual(['a']);
  });

  it('leaves optional arguments alone that the text does not speak of', () => {
    const read = object({ path: string, head: { type: 'number' }, tail: { type: 'number' }, note: string }, ['path']);
    expect(fill(read, 'Read a.txt 5 times').args).toEqual({ path: 'a.txt' });
    expect(fill(read, 'Read a.txt with head=5').args).toEqual({ path: 'a.txt', head: 5 });
  });

  it('takes the result before where the request refers to it', () => {
    expect(fill(write, 'write it to b.txt', 'the text of a').args).toEqual({ path: 'b.txt', content: 'the text of a' });
    expect(fill(write, 'write to b.txt', 'the text of a').missing).toEqual(['content']);
  });

  it('ends on schemas that are wide and refer to themselves', () => {
    const names = Array.from({ length: 60 }, (_, index) => `child${index}`);
    const schema = { ...object(Object.fromEntries(names.map((name) => [name, { $ref: '#' }]))), $defs: {} };
    expect(fill(schema, 'Do it with a=1 and "b"').missing).toHaveLength(60);
    expect(fill(object({ a: { $ref: '#/$defs/a' } }), 'Do it').missing).toEqual(['a']);
  });

  const names = [
    'amount',
    'path',
    'title',
    'query',
    'entityType',
    'from',
    'to',
    'owner',
    'repo',
    'reason',
    'dryRun',
    'userId',
    'content',
    'tags',
    'x',
  ];
  const scalar = fc.constantFrom<JsonSchema>(
    string,
    { type: 'number' },
    { type: 'integer' },
    { type: 'boolean' },
    { type: 'string', enum: ['open', 'closed'] },
    { type: 'string', format: 'email' },
    { type: 'integer', default: 7 },
  );
  const list = scalar.map((items): JsonSchema => ({ type: 'array', items }));
  const flat = (of: fc.Arbitrary<JsonSchema>) =>
    fc
      .record({
        properties: fc.dictionary(fc.constantFrom(...names), of, { maxKeys: 6 }),
        required: fc.subarray(names),
      })
      .map(({ properties, required }) =>
        object(
          properties,
          required.filter((name) => name in properties),
        ),
      );
  const schemas = flat(
    fc.oneof(
      scalar,
      list,
      flat(scalar),
      flat(scalar).map((items): JsonSchema => ({ type: 'array', items })),
    ),
  );
  const pieces = fc.constantFrom(
    'Refund',
    'Remember that',
    'Ada Lovelace',
    'works at',
    'Acme',
    '25 euros',
    'inv_1001',
    'notes/a.txt',
    'nestjs/nest',
    '"two words"',
    `'x'`,
    'because it is broken',
    'title=Bug',
    'for',
    'from',
    'to',
    'in',
    'it',
    '1,250',
    '99,5',
    '#12',
    'open',
    'dry run',
    'ada@example.com',
    'called Bob',
    '.',
    '?',
  );
  const texts = fc
    .array(fc.oneof({ weight: 4, arbitrary: pieces }, fc.string({ maxLength: 8 })), { maxLength: 12 })
    .map((parts) => parts.join(' '));

  it('never invents a value: all stand in the text, the schema or the result before', () => {
    fc.assert(
      fc.property(schemas, texts, fc.option(fc.string(), { nil: undefined }), (schema, text, previous) => {
        const { args, missing } = fill(schema, text, previous);
        const said = JSON.stringify(schema).toLowerCase();
        const numbers = (text.match(/\d[\d.,]*/g) ?? []).flatMap((digits) => [
          Number(digits.replaceAll(',', '').replace(/\.$/, '')),
          Number(digits.replace(',', '.').replace(/[.,]$/, '')),
          ...(digits.match(/\d+/g) ?? []).map(Number),
        ]);
        for (const leaf of leavesOf(args)) {
          if (typeof leaf === 'string') {
            expect(text.includes(leaf) || said.includes(leaf.toLowerCase()) || (previous ?? '').includes(leaf)).toBe(
              true,
            );
          } else if (typeof leaf === 'number') expect([...numbers, 7]).toContain(Math.abs(leaf));
        }
        const required = schema['required'] as string[];
        expect([...required.filter((name) => Object.hasOwn(args, name)), ...missing].toSorted()).toEqual(
          required.toSorted(),
        );
      }),
      { numRuns: 500 },
    );
  });
});

function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}
