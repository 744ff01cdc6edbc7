import { once } from 'node:events';
import { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jsonSchemaValidator } from '@tool-search/core/source';
import { OpenApiSource } from '@tool-search/openapi';
import express from 'express';

// Express reads queries and forms with qs, which has the brackets of Rack and PHP: the form of Stripe's API.
let server: Server;
let baseUrl: string;
let seen: { readonly query: unknown; readonly body: unknown };

beforeAll(async () => {
  const app = express();
  app.set('query parser', 'extended');
  app.use(express.urlencoded({ extended: true }));
  app.use(({ query, body }, response) => {
    seen = { query: query as unknown, body: body as unknown };
    response.status(204).end();
  });
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const deep = { style: 'deepObject', explode: true };
const list = (items: object) => ({ type: 'array', items });
const object = (properties: object) => ({ type: 'object', properties });
const text = { type: 'string' };
const fields = {
  name: text,
  expand: list(text),
  items: list(object({ price: text, quantity: { type: 'integer' }, taxes: list(text) })),
  metadata: { type: 'object', additionalProperties: text },
  billing: object({ address: object({ city: text, lines: list(text) }), points: list(list({ type: 'integer' })) }),
};
const encoding = Object.fromEntries(Object.keys(fields).map((name) => [name, deep]));

/** Calls the only tool of a document, as a catalog would: with arguments that its schema accepts. */
const call = async (operation: object, input: object): Promise<typeof seen> => {
  const document = { openapi: '3.0.3', paths: { '/sessions': { post: operation } } };
  const source = new OpenApiSource({ name: 'shop', document, baseUrl });
  const { signal } = new AbortController();
  const [tool] = await source.load(signal);
  const schema = tool?.inputSchema ?? {};
  expect(jsonSchemaValidator(JSON.stringify(schema), schema)(input)).toEqual({ value: input });
  const toolCall = { id: 'call', signal, deadline: Date.now() + 60_000, progress: () => undefined };
  await source.call(tool?.name ?? '', input, { tenantId: 'acme' }, toolCall);
  await source.close();
  return seen;
};

const VALUES: readonly (readonly [string, object])[] = [
  ['texts with signs', { name: 'a&b=c[d] +ü%' }],
  ['a list of one', { expand: ['line_items'] }],
  ['a list', { expand: ['a', 'b,c'] }],
  ['a map', { metadata: { 'order id': '7', 'a.b': 'c' } }],
  ['a list of objects', { items: [{ price: 'p1', quantity: 2 }, { price: 'p2' }] }],
  ['lists in a list of objects', { items: [{ price: 'p1', taxes: ['t1'] }, { taxes: ['t2', 't3'] }] }],
  ['objects in objects', { billing: { address: { city: 'Linz', lines: ['a'] } } }],
  ['lists in lists', { billing: { points: [[1, 2], [3]] } }],
];

/** What a server sees: a form knows text only. */
function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asText(item)]));
}

describe('deepObject reaches a server that reads forms with qs', () => {
  const schema = { type: 'object', properties: fields };

  it.each(VALUES)('in a form: %s', async (_, input) => {
    const content = { 'application/x-www-form-urlencoded': { schema, encoding } };
    expect((await call({ requestBody: { content } }, input)).body).toEqual(asText(input));
  });

  it.each(VALUES)('in a query: %s', async (_, input) => {
    const parameters = Object.entries(fields).map(([name, part]) => ({ name, in: 'query', schema: part, ...deep }));
    expect((await call({ parameters }, input)).query).toEqual(asText(input));
  });
});
