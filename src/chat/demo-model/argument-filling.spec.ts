import type { JsonSchema } from '@tool-search/core';
import fc from 'fast-check';
import { fillArguments } from './argument-filling.js';
import { readRequest } from './user-request.js';

const string = { type: 'string' };
const number = { type: 'number' };

function object(
  properties: Record<string, unknown>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required };
}

function fill(schema: JsonSchema, text: string) {
  const { args, missing, unused } = fillArguments(schema, readRequest(text));
  return { args, missing, unused: unused.map((value) => value.text) };
}

describe('fillArguments', () => {
  const refund = object({ invoiceId: string, amount: number, reason: string }, ['invoiceId', 'amount']);
  const write = object({ path: string, content: string });
  const move = object({ source: string, destination: string });
  const status = object({ status: { type: 'string', enum: ['open', 'paid'] } }, []);
  const transfer = object({ userId: string, ticketId: string });

  it.each<[string, JsonSchema, unknown]>([
    [
      'Refund 25 euros of invoice inv_1001 because it was charged twice.',
      refund,
      { invoiceId: 'inv_1001', amount: 25, reason: 'it was charged twice' },
    ],
    ['Refund invoice inv_7 by 3', refund, { invoiceId: 'inv_7', amount: 3 }],
    ['Write "hello" into the file notes/new.txt', write, { path: 'notes/new.txt', content: 'hello' }],
    [`Write 'it's late' to "a.txt"`, write, { path: 'a.txt', content: `it's late` }],
    ['Move a/b.txt to c/d.txt', move, { source: 'a/b.txt', destination: 'c/d.txt' }],
    ['Assign ticket tic_1 to usr_2', transfer, { userId: 'usr_2', ticketId: 'tic_1' }],
    ['Add the numbers 17 and -2.5', object({ a: number, b: number }), { a: 17, b: -2.5 }],
    ['Bake for 40 minutes at 180 degrees', object({ degrees: number, minutes: number }), { degrees: 180, minutes: 40 }],
    ['Which invoices are paid?', status, { status: 'paid' }],
    ['Show invoices with status=open', status, { status: 'open' }],
    ['List all invoices', status, {}],
    ['Mail ada@example.com', object({ to: string }), { to: 'ada@example.com' }],
    ['Read a.txt', object({ paths: { type: 'array', items: string } }), { paths: ['a.txt'] }],
    ['Book room=blue', object({ booking: object({ room: string }) }), { booking: { room: 'blue' } }],
  ])('fills %j', (text, schema, args) => {
    expect(fill(schema, text)).toEqual({ args, missing: [], unused: [] });
  });

  it.each<[string, JsonSchema, string[], string[]]>([
    ['Refund an invoice', refund, ['invoiceId', 'amount'], []],
    ['Refund invoice 1001', refund, ['amount'], []],
    ['Assign tic_1 to usr_2', transfer, ['userId', 'ticketId'], ['tic_1', 'usr_2']],
    ['Move a.txt and b.txt', move, ['source', 'destination'], ['a.txt', 'b.txt']],
    ['Use 3.5', object({ count: { type: 'integer' } }), ['count'], ['3.5']],
    ['Use 3', object({ name: string }), ['name'], ['3']],
    ['Read Ada', object({ path: string }), ['path'], ['Ada']],
    ['Set it to "maybe"', object({ status: { enum: ['open', 'paid'] } }), ['status'], ['maybe']],
  ])('names what is missing instead of guessing: %j', (text, schema, missing, unused) => {
    expect(fill(schema, text)).toMatchObject({ missing, unused });
  });

  it('leaves optional arguments alone that the text does not speak of', () => {
    const read = object({ path: string, head: number, note: string }, ['path']);
    expect(fill(read, 'Read a.txt 5 times').args).toEqual({ path: 'a.txt' });
    expect(fill(read, 'Read a.txt with head=5').args).toEqual({ path: 'a.txt', head: 5 });
    expect(fill(status, 'Which invoices are not paid?').args).toEqual({});
  });

  const names = ['amount', 'path', 'title', 'query', 'from', 'to', 'reason', 'userId', 'content', 'tags', 'x'];
  const scalar = fc.constantFrom<JsonSchema>(
    string,
    number,
    { type: 'integer' },
    { type: 'boolean' },
    { enum: ['open', 'closed'] },
  );
  const flat = (of: fc.Arbitrary<JsonSchema>) =>
    fc
      .tuple(fc.dictionary(fc.constantFrom(...names), of, { maxKeys: 6 }), fc.subarray(names))
      .map(([properties, required]) => {
        const known = required.filter((name) => name in properties);
        return object(properties, known);
      });
  const schemas = flat(
    fc.oneof(
      scalar,
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
    '"two words"',
    `'x'`,
    'because it is broken',
    'title=Bug',
    'for',
    'from',
    'to',
    '1,250',
    '99.5',
    'open',
    'not',
    'ada@example.com',
    'called Bob',
    '.',
    '?',
  );
  const texts = fc
    .array(fc.oneof({ weight: 4, arbitrary: pieces }, fc.string({ maxLength: 8 })), { maxLength: 12 })
    .map((parts) => parts.join(' '));

  it('never invents a value: all stand in the text', () => {
    fc.assert(
      fc.property(schemas, texts, (schema, text) => {
        const { args, missing } = fill(schema, text);
        for (const leaf of leavesOf(args)) {
          const said = typeof leaf === 'string' ? text.replace(/[“”]/g, '"').toLowerCase() : text;
          const isSaid =
            typeof leaf === 'string'
              ? said.includes(leaf.toLowerCase())
              : (said.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number).includes(leaf as number);
          expect(isSaid).toBe(true);
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
