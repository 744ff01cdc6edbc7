import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpenApiSource } from '@tool-search/openapi';
import { send, WireCaller } from '../gateway/support/wire.js';
import { type AccountsApp, startAccountsApp } from '../user-credentials/support/accounts-app.js';
import { ALL_ENCODINGS, ENCODINGS } from './support/encodings.js';
import { labelOf, placesOf, planted } from './support/places.js';
import { Tour } from './support/tour.js';
import { Transcript } from './support/transcript.js';

const SOUGHT = 'Marker4711';
const SECRET = `sk-Zq7/Nine+${SOUGHT}"=xy`;
const ARGUMENTS = { id: '7', city: 'Rome', 'x-way': 'foot', note: 'n', deep: { inner: 'i' } };

/** A document whose every name and text is a place. Its one operation has arguments of each kind. */
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1', description: 'All things.', 'x-note': 'n' },
  servers: [{ url: '/api/{stage}', description: 'Here.', variables: { stage: { default: 'v1', description: 'd' } } }],
  tags: [{ name: 'things', description: 'Things.' }],
  security: [{ key: [] }],
  paths: {
    '/things/{id}': {
      summary: 'A thing.',
      post: {
        operationId: 'change_thing',
        summary: 'Change a thing.',
        description: 'Changes one.',
        tags: ['things'],
        parameters: [
          { name: 'id', in: 'path', required: true, description: 'Which.', schema: { type: 'string' } },
          {
            name: 'city',
            in: 'query',
            description: 'Where.',
            schema: { type: 'string', default: 'Oslo', enum: ['Oslo', 'Rome'] },
          },
          { name: 'x-way', in: 'header', schema: { $ref: '#/components/schemas/Way' }, example: 'bike' },
        ],
        requestBody: {
          description: 'The rest.',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  note: { type: 'string' },
                  deep: { type: 'object', properties: { inner: { type: 'string' } } },
                },
                required: ['note'],
              },
            },
          },
        },
        responses: { 200: { description: 'Changed.' } },
      },
    },
  },
  components: {
    schemas: { Way: { type: 'string', title: 'Way', enum: ['foot', 'bike'] } },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-own', description: 'A key.' } },
  },
};
const PLACES = placesOf(DOCUMENT);
const POST = 'paths./things/{id}.post';
const BODY = `${POST}.requestBody.content.application/json.schema`;
/** Places that change what the API is sent. */
const HELD = [
  `${POST}.parameters.1.name (value)`,
  `${POST}.parameters.1.schema.enum.1 (value)`,
  `${BODY}.properties.note (name)`,
  `${BODY}.properties.deep.properties.inner (name)`,
  'components.schemas.Way.enum.0 (value)',
];
/** Places that are read by people and models alone. */
const SAID_ONLY = [
  'info.description (value)',
  `${POST}.operationId (value)`,
  `${POST}.description (value)`,
  `${POST}.tags.0 (value)`,
  `${POST}.parameters.1.schema.default (value)`,
  'components.schemas.Way.title (value)',
];

/** Answers of an API that say a credential: to an operation that needs it, and to one that does not. */
const ANSWERS: Readonly<Record<string, (said: string, response: ServerResponse) => void>> = {
  json: (said, response) => json(response, 200, { said, [said]: { [`x${said}`]: [said, 7] } }),
  number: (_, response) => json(response, 200, { said: 4_711_471_147_114_711 }),
  refused: (said, response) => json(response, 422, { message: said, [said]: said }),
  crashed: (said, response) => json(response, 500, { message: said }),
  text: (said, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(`It is ${said}.`),
  page: (said, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end(`<p>${said}</p>`),
  image: (said, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(`PNG ${said}`),
  bytes: (said, response) =>
    void response.writeHead(200, { 'content-type': `application/x-${latin1(said)}` }).end(said),
  type: (said, response) => void response.writeHead(200, { 'content-type': `image/png; x=${latin1(said)}` }).end(said),
  moved: (said, response) => void response.writeHead(302, { location: `/x?${latin1(said)}` }).end(said),
  broken: (said, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(`{"a": ${said}`),
  cut: (said, response) =>
    void response.writeHead(200, { 'content-type': 'text/plain' }).end(`${' '.repeat(1_000 - said.length / 2)}${said}`),
};

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-note': 'n' }).end(JSON.stringify(body));
}

function latin1(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '');
}

describe('the credential of an OpenAPI source', () => {
  let server: Server;
  let base: string;
  let app: AccountsApp;
  let seen: Transcript;
  const requests: string[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [, kind = '', name = '', encoding = '0'] = (request.url ?? '').split('/');
    if (kind === 'document') {
      const document = name === 'answers' ? answering() : planted(DOCUMENT, SECRET, PLACES[Number(name)]);
      return json(response, 200, document);
    }
    if (kind === 'answer') return ANSWERS[name]!(ENCODINGS[ALL_ENCODINGS[Number(encoding)]!](SECRET), response);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { 'x-own': own, 'x-way': way, 'content-type': type } = request.headers;
    requests.push([request.method, request.url, way, own === undefined ? 'no key' : 'a key', type, body].join(' '));
    json(response, 200, { done: true });
  };
  const answering = () => ({
    openapi: '3.1.0',
    info: { title: 'Answers', version: '1' },
    paths: Object.fromEntries(
      Object.keys(ANSWERS).flatMap((name) =>
        [[], [{ key: [] }]].map((security, index) => [
          `/answer/${name}/{encoding}/${index}`,
          {
            get: {
              operationId: `${name}_${index}`,
              summary: name,
              security,
              parameters: [{ name: 'encoding', in: 'path', required: true, schema: { type: 'string' } }],
            },
          },
        ]),
      ),
    ),
    components: DOCUMENT.components,
  });
  const sourceOf = (document: string | number, credential = SECRET) =>
    new OpenApiSource({
      name: `api${document}`,
      document: { url: `${base}/document/${document}`, headers: { authorization: `Bearer ${credential}` } },
      auth: { key: credential },
      changes: 'trust',
      maxResponseBytes: 1_000,
      egress: { allow: ['127.0.0.1'] },
    });

  beforeAll(async () => {
    server = createServer((request, response) => void answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sources = [...PLACES.keys(), 'answers'].map((document) => sourceOf(document));
    const none = { auth: undefined, url: 'http://127.0.0.1:9/mcp', lazy: true };
    app = await startAccountsApp(none as never, { sources, catalog: { bootWaitMs: 600_000 } });
    seen = new Transcript(SOUGHT);
  });
  afterAll(async () => {
    await app.app.close();
    server.closeAllConnections();
    server.close();
  });

  it('is nowhere in tools and in what operators see, and a tool that is usable sends what its document says', async () => {
    const tour = new Tour(app, seen);
    await tour.definitions();
    await tour.operators();
    const held = await tour.openedByOperators();
    const caller = await WireCaller.of(app.url, 'modern', { path: '/mcp/all', token: 'acme.ann' });
    const names = await caller.names();
    const usable: string[] = [];
    const never = new AbortController().signal;
    const call = { id: 'c', signal: never, deadline: Date.now() + 600_000, progress: () => undefined };
    for (const [index, place] of PLACES.entries()) {
      const name = names.find((each) => each.startsWith(`api${index}__`));
      if (name === undefined) continue;
      usable.push(labelOf(place));
      requests.length = 0;
      const { text } = await send(app.url, caller.request('tools/call', { name, arguments: ARGUMENTS }));
      seen.add(`call ${name}`, text);
      const sent = requests.splice(0);
      const other = sourceOf(index, 'another-credential');
      const [tool] = await other.load(never);
      await other.call(tool!.name, ARGUMENTS, { tenantId: 'acme' }, call).catch(() => undefined);
      await other.close();
      // A call may be refused before anything is sent.
      if (sent.length > 0) expect([labelOf(place), sent]).toEqual([labelOf(place), requests.splice(0)]);
    }
    tour.written();
    expect(usable).toEqual(expect.arrayContaining(SAID_ONLY));
    const reasons = new Map([...held].map(([name, reason]) => [Number(/\d+/.exec(name)), reason]));
    for (const label of HELD) {
      const index = PLACES.findIndex((place) => labelOf(place) === label);
      expect([label, reasons.get(index)]).toEqual([label, expect.stringMatching('^inputSchema names a credential')]);
    }
    expect(seen.leaks).toEqual([]);
  });

  it('is nowhere in answers, the record and the log', async () => {
    const caller = await WireCaller.of(app.url, 'modern', { path: '/mcp/all', token: 'acme.ann' });
    for (const name of Object.keys(ANSWERS)) {
      for (const [encoding, written] of ALL_ENCODINGS.entries()) {
        const tool = `apianswers__${name}_${encoding % 2}`;
        const { text } = await send(
          app.url,
          caller.request('tools/call', { name: tool, arguments: { encoding: String(encoding) } }),
        );
        seen.add(`${name}, ${written}`, text);
      }
    }
    const tour = new Tour(app, seen);
    await tour.operators();
    tour.written();
    expect(seen.leaks).toEqual([]);
  });
});
