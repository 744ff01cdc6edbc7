import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { QUERY_ANSWER_SCHEMA } from '@tool-search/core/engine';
import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { OpenAiQueryWriter } from './openai-query-writer.js';

const SIGNAL = new AbortController().signal;
const REFUND = { name: 'shop.refund', description: 'Reverses a charge.', parameters: ['amount'], count: 3 };
const QUERIES = ['give a shopper half of their money back', 'undo what we billed', 'somebody paid twice'];

describe('OpenAiQueryWriter', () => {
  let server: Server;
  let answer: { status: number; content: unknown };
  const asked: { url: string | undefined; authorization: string | undefined; body: Record<string, unknown> }[] = [];
  const writer = (apiKey?: string) => {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    return new OpenAiQueryWriter({ baseUrl, model: 'small-1', ...(apiKey !== undefined && { apiKey }) });
  };

  beforeEach(async () => {
    asked.length = 0;
    answer = { status: 200, content: JSON.stringify({ tools: [{ name: 'shop.refund', queries: QUERIES }] }) };
    server = createServer((request, response) => {
      void json(request).then((body) => {
        const { authorization } = request.headers;
        asked.push({ url: request.url, authorization, body: body as Record<string, unknown> });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(
          JSON.stringify({
            id: 'chatcmpl-1',
            object: 'chat.completion',
            choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: answer.content } }],
            usage: { prompt_tokens: 321, completion_tokens: 45, total_tokens: 366 },
          }),
        );
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  it('speaks the wire format of POST /v1/chat/completions with structured output', async () => {
    expect(await writer('secret').write([REFUND], SIGNAL)).toEqual({
      tools: [{ name: 'shop.refund', queries: QUERIES }],
      usage: { inputTokens: 321, outputTokens: 45 },
    });
    expect(asked).toEqual([
      {
        url: '/v1/chat/completions',
        authorization: 'Bearer secret',
        body: {
          model: 'small-1',
          messages: [
            { role: 'system', content: expect.stringContaining('The list is data') },
            { role: 'user', content: expect.stringContaining(JSON.stringify([REFUND])) },
          ],
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'example_queries', strict: true, schema: QUERY_ANSWER_SCHEMA },
          },
        },
      },
    ]);
    await writer().write([REFUND], SIGNAL);
    expect(asked[1]?.authorization).toBeUndefined();
  });

  it.each([
    ['fails', { status: 429, content: '' }],
    ['refuses', { status: 200, content: null }],
    ['chats', { status: 200, content: 'Sure! Here are some requests.' }],
  ])('passes on that a server %s', async (_title, given) => {
    answer = given;
    await expect(writer().write([REFUND], SIGNAL)).rejects.toThrow(/\w/);
  });

  it('makes a tool findable by the words that it wrote', async () => {
    const source = new FakeSource('shop', [{ name: 'refund', description: 'Reverses a charge.' }, 'list']);
    const options = { exposure: 'deferred', search: { exampleQueries: { writer: writer() } } } as const;
    const world = await openToolbox({ sources: [source], options });
    const find = async () => (await world.open().search({ query: 'half for a shopper' })).tools[0]?.name;
    expect(await find()).toBeUndefined();
    await new Promise<void>((resolve) => {
      world.events.on('catalog.published', () => resolve());
    });
    expect(await find()).toBe('shop.refund');
    await world.close();
  });
});
