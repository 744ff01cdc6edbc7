import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { OpenAiEmbedder, type OpenAiEmbedderOptions } from './openai-embedder.js';

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

describe('OpenAiEmbedder', () => {
  let server: Server;
  let answer: { status: number; body: unknown };
  const asked: Asked[] = [];
  const embedder = (options: Partial<OpenAiEmbedderOptions> = {}) =>
    new OpenAiEmbedder({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      model: 'small-1',
      dimensions: 2,
      ...options,
    });

  beforeEach(async () => {
    asked.length = 0;
    answer = {
      status: 200,
      body: {
        object: 'list',
        model: 'small-1',
        data: [
          { object: 'embedding', index: 1, embedding: [3, 4] },
          { object: 'embedding', index: 0, embedding: [1, 2] },
        ],
        usage: { prompt_tokens: 4, total_tokens: 4 },
      },
    };
    server = createServer((request, response) => {
      void json(request).then((body) => {
        asked.push({ method: request.method, url: request.url, headers: request.headers, body });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  it('speaks the wire format of POST /v1/embeddings, and puts the answer in order', async () => {
    expect(await embedder({ apiKey: 'secret' }).embed(['a', 'b'], 'tool')).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(asked).toEqual([
      {
        method: 'POST',
        url: '/v1/embeddings',
        headers: expect.objectContaining({ 'content-type': 'application/json', authorization: 'Bearer secret' }),
        body: { model: 'small-1', input: ['a', 'b'] },
      },
    ]);
  });

  it('distinguishes queries from tools if the model needs it, and sends no key if there is none', async () => {
    const prefixes = { query: 'query: ', tool: 'passage: ' };
    await embedder({ prefixes }).embed(['a', 'b'], 'query');
    await embedder({ prefixes }).embed(['a', 'b'], 'tool');
    expect(asked.map(({ body }) => (body as { input: string[] }).input)).toEqual([
      ['query: a', 'query: b'],
      ['passage: a', 'passage: b'],
    ]);
    expect(asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it('fails when the server does, and stops when it is no longer wanted', async () => {
    answer = { status: 429, body: { error: { message: 'slow down' } } };
    await expect(embedder().embed(['a'], 'query')).rejects.toThrow('small-1 answered with 429');
    await expect(embedder().embed(['a'], 'query', AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  });

  it('names model and dimensions, so that vectors of another are never reused', () => {
    expect(embedder().id).toBe('small-1@2');
  });
});
