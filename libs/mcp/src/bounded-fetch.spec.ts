import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boundedFetch } from './bounded-fetch.js';

describe('a bounded fetch', () => {
  let http: Server;
  let answer: { type: string; chunks: string[] };
  const get = () => boundedFetch(100)(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);

  beforeAll(async () => {
    http = createServer((_, res) => {
      res.writeHead(203, { 'content-type': answer.type, 'x-more': 'yes' });
      for (const chunk of answer.chunks) res.write(chunk);
      res.end();
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
  });

  afterAll(async () => {
    http.closeAllConnections();
    http.close();
    await once(http, 'close');
  });

  it('gives a small answer as it is', async () => {
    answer = { type: 'application/json', chunks: ['{"a":', '1}'] };
    const response = await get();
    expect([response.status, response.headers.get('x-more'), await response.json()]).toEqual([203, 'yes', { a: 1 }]);
  });

  it('fails when an answer is too large, however it is cut', async () => {
    answer = { type: 'application/json', chunks: ['"', ...Array.from({ length: 20 }, () => 'x'.repeat(10)), '"'] };
    await expect((await get()).text()).rejects.toThrow('more than 100 bytes');
  });

  it.each(['\n\n', '\r\n\r\n'])('lets a stream of small events go on for ever (%j)', async (end) => {
    answer = { type: 'text/event-stream', chunks: Array.from({ length: 20 }, () => `data: ${'x'.repeat(40)}${end}`) };
    expect(await (await get()).text()).toBe(answer.chunks.join(''));
  });

  it('fails when one event of a stream is too large', async () => {
    answer = {
      type: 'text/event-stream; charset=utf-8',
      chunks: ['data: small\n\n', ...Array.from({ length: 20 }, () => 'data: 1234\n')],
    };
    await expect((await get()).text()).rejects.toThrow('more than 100 bytes');
  });
});
