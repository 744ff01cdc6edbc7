import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpenApiSource } from '../openapi.source.js';

// The values of the examples in "Style Examples" of OpenAPI 3.0.4, 3.1.1 and 3.2.0. The tables of 3.0.0 to 3.0.3 differ in
// one place: a label without explode is separated by dots there, against RFC 6570, to which they refer.
const VALUES = {
  string: 'blue',
  list: ['blue', 'black', 'brown'],
  object: { R: 100, G: 200, B: 150 },
  objects: [{ R: 1 }, { R: 2 }],
};
type Kind = keyof typeof VALUES;
const JSON_ITEMS = ['%7B%22R%22%3A1%7D', '%7B%22R%22%3A2%7D'] as const;

interface Wire {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
let baseUrl: string;
let seen: Wire | undefined;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** What the server receives when the only tool of a document is called. */
const received = async (operation: object, input: object, path = '/', method = 'post'): Promise<Wire> => {
  const document = { openapi: '3.2.0', paths: { [path]: { [method]: operation } } };
  const source = new OpenApiSource({ name: 'wire', document, baseUrl });
  const { signal } = new AbortController();
  const [tool] = await source.load(signal);
  const call = { id: 'call', signal, deadline: Date.now() + 60_000, progress: () => undefined };
  await source.call(tool?.name ?? '', input, { tenantId: 'acme' }, call);
  await source.close();
  if (!seen) throw new Error('nothing was received');
  return seen;
};

/** Style, explode, and what is sent of a string, a list, an object, and a list of objects; null where it is not defined. */
type Row = readonly [style: string, explode: boolean, string: string, list: string, object: string, objects?: string];
const cases = (rows: readonly Row[]) =>
  rows.flatMap(([style, explode, ...expected]) =>
    (Object.keys(VALUES) as Kind[]).flatMap((kind, index) => {
      const sent = expected[index];
      return sent === undefined ? [] : [[style, explode, kind, sent] as const];
    }),
  );

const IN_PATH: readonly Row[] = [
  ['simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150', JSON_ITEMS.join(',')],
  ['simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150', JSON_ITEMS.join(',')],
  ['label', false, '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
  ['label', true, '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
  ['matrix', false, ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
  ['matrix', true, ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
];
const IN_QUERY: readonly Row[] = [
  ['form', false, 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150', `color=${JSON_ITEMS.join(',')}`],
  [
    'form',
    true,
    'color=blue',
    'color=blue&color=black&color=brown',
    'R=100&G=200&B=150',
    JSON_ITEMS.map((item) => `color=${item}`).join('&'),
  ],
  [
    'spaceDelimited',
    false,
    'color=blue',
    'color=blue%20black%20brown',
    'color=R%20100%20G%20200%20B%20150',
    `color=${JSON_ITEMS.join('%20')}`,
  ],
  ['spaceDelimited', true, 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  [
    'pipeDelimited',
    false,
    'color=blue',
    'color=blue%7Cblack%7Cbrown',
    'color=R%7C100%7CG%7C200%7CB%7C150',
    `color=${JSON_ITEMS.join('%7C')}`,
  ],
  ['pipeDelimited', true, 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  // Only the object is defined; the others are written as qs, Rack and PHP read them.
  [
    'deepObject',
    true,
    'color=blue',
    'color%5B%5D=blue&color%5B%5D=black&color%5B%5D=brown',
    'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
    'color%5B0%5D%5BR%5D=1&color%5B1%5D%5BR%5D=2',
  ],
];
const IN_HEADER: readonly Row[] = [
  ['simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150', '{"R":1},{"R":2}'],
  ['simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150', '{"R":1},{"R":2}'],
];
const IN_COOKIE: readonly Row[] = [
  ['form', false, 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150', `color=${JSON_ITEMS.join(',')}`],
  // The ampersand is what the specification keeps for compatibility; 3.2 advises against it.
  ['form', true, 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  ['cookie', false, 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['cookie', true, 'color=blue', 'color=blue; color=black; color=brown', 'R=100; G=200; B=150'],
];

const parameter = (place: string, style: string, explode: boolean, name = 'color') => ({
  parameters: [{ name, in: place, required: true, style, explode, schema: {} }],
});

describe('wire forms, as in the examples of OpenAPI 3.0.4, 3.1.1 and 3.2.0', () => {
  it.each(cases(IN_PATH))('path, %s, explode %s: %s', async (style, explode, kind, expected) => {
    const { url } = await received(parameter('path', style, explode), { color: VALUES[kind] }, '/paint/{color}');
    expect(url).toBe(`/paint/${expected}`);
  });

  it.each(cases(IN_QUERY))('query, %s, explode %s: %s', async (style, explode, kind, expected) => {
    const { url } = await received(parameter('query', style, explode), { color: VALUES[kind] });
    expect(url).toBe(`/?${expected}`);
  });

  it.each(cases(IN_HEADER))('header, %s, explode %s: %s', async (style, explode, kind, expected) => {
    const { headers } = await received(parameter('header', style, explode, 'X-Color'), { 'X-Color': VALUES[kind] });
    expect(headers['x-color']).toBe(expected);
  });

  it.each(cases(IN_COOKIE))('cookie, %s, explode %s: %s', async (style, explode, kind, expected) => {
    const { headers } = await received(parameter('cookie', style, explode), { color: VALUES[kind] });
    expect(headers.cookie).toBe(expected);
  });

  it.each(cases(IN_QUERY))('form, %s, explode %s: %s', async (style, explode, kind, expected) => {
    const media = { schema: { properties: { color: {} } }, encoding: { color: { style, explode } } };
    const { body } = await received(
      { requestBody: { content: { 'application/x-www-form-urlencoded': media } } },
      { color: VALUES[kind] },
    );
    expect(body).toBe(expected);
  });

  it.each<[string, object, unknown, string]>([
    ['a list, once for each item', {}, VALUES.list, 'color=blue&color=black&color=brown'],
    ['an object as JSON', {}, VALUES.object, 'color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D'],
    [
      'a list of objects as JSON, once for each',
      {},
      VALUES.objects,
      JSON_ITEMS.map((each) => `color=${each}`).join('&'),
    ],
    ['explode alone as form', { explode: false }, VALUES.list, 'color=blue,black,brown'],
    ['style alone with its default of explode', { style: 'form' }, VALUES.list, 'color=blue&color=black&color=brown'],
    ['a delimited style alone without explode', { style: 'pipeDelimited' }, VALUES.list, 'color=blue%7Cblack%7Cbrown'],
    ['a list as JSON where its media type says so', { contentType: 'application/json' }, [1, 2], 'color=%5B1%2C2%5D'],
    ['style before the media type', { contentType: 'application/json', explode: false }, [1, 2], 'color=1,2'],
    ['null as nothing', {}, null, ''],
  ])('form: %s', async (_, encoding, value, expected) => {
    const media = { schema: { properties: { color: {} } }, encoding: { color: encoding } };
    const { body } = await received(
      { requestBody: { content: { 'application/x-www-form-urlencoded': media } } },
      { color: value },
    );
    expect(body).toBe(expected);
  });

  it.each<[string, object, string]>([
    ['form in a query', { in: 'query' }, '/?color=blue&color=black&color=brown'],
    [
      'deepObject in a query',
      { in: 'query', style: 'deepObject' },
      '/?color%5B%5D=blue&color%5B%5D=black&color%5B%5D=brown',
    ],
    ['spaces in a query', { in: 'query', style: 'spaceDelimited' }, '/?color=blue%20black%20brown'],
    [
      'JSON in a query',
      { in: 'query', content: { 'application/json': {} } },
      '/?color=%5B%22blue%22%2C%22black%22%2C%22brown%22%5D',
    ],
  ])('takes the default of explode for %s', async (_, more, expected) => {
    const { url } = await received({ parameters: [{ name: 'color', ...more }] }, { color: VALUES.list });
    expect(url).toBe(expected);
  });

  it('writes JSON in a header and in the path where content says so', async () => {
    const content = { 'application/json': { schema: { type: 'object' } } };
    const operation = {
      parameters: [
        { name: 'x-filter', in: 'header', content },
        { name: 'color', in: 'path', required: true, content },
      ],
    };
    const { url, headers } = await received(operation, { color: { R: 1 }, 'x-filter': { a: 'b' } }, '/{color}');
    expect(url).toBe('/%7B%22R%22%3A1%7D');
    expect(headers['x-filter']).toBe('{"a":"b"}');
  });

  it('leaves reserved characters as they are where allowReserved says so, except those that separate', async () => {
    const { url } = await received(
      { parameters: [{ name: 'to', in: 'query', allowReserved: true, schema: {} }] },
      { to: 'https://a.example/b?c=d&e=f#g+h' },
    );
    expect(url).toBe('/?to=https://a.example/b?c%3Dd%26e%3Df%23g%2Bh');
  });

  it.each<[string, object, unknown, string]>([
    [
      'a form',
      { 'application/x-www-form-urlencoded': { encoding: { b: { explode: false } } } },
      { a: 1, b: [1, 2] },
      'a=1&b=1,2',
    ],
    ['JSON', { 'application/json': {} }, { a: [1] }, '%7B%22a%22%3A%5B1%5D%7D'],
    ['text', { 'text/plain': {} }, 'a=b&c', 'a%3Db%26c'],
  ])('writes the whole query as %s', async (_, content, value, expected) => {
    const { url } = await received({ parameters: [{ name: 'q', in: 'querystring', content }] }, { q: value });
    expect(url).toBe(`/?${expected}`);
  });
});
