import { getEventListeners, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { boundedFetch } from './bounded-fetch.js';

describe('a bounded fetch', () => {
  let http: Server;
  let answer: { type: string; chunks: string[]; isUnfinished?: true };
  const get = (init?: RequestInit) =>
    boundedFetch(100)(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, init);

  beforeAll(async () => {
    http = createServer((_, res) => {
      res.writeHead(203, { 'content-type': answer.type, 'x-more': 'yes' });
      for (const chunk of answer.chunks) res.write(chunk);
      if (!answer.isUnfinished) res.end();
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

  it('lets go of its signal with the last byte, and fails while reading when it aborts before', async () => {
    answer = { type: 'application/json', chunks: ['{}'] };
    const abort = new AbortController();
    const listeners = () => getEventListeners(abort.signal, 'abort').length;
    const read = await get({ signal: abort.signal });
    expect(listeners()).toBe(1);
    await read.text();
    await setImmediate();
    expect(listeners()).toBe(0);

    answer.isUnfinished = true;
    const unread = await get({ signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(unread.text()).rejects.toThrow('enough');
  });

  it('lets go of its signal when nobody answers or nobody reads on', async () => {
    answer = { type: 'application/json', chunks: ['{}'] };
    const { signal } = new AbortController();
    const nowhere = boundedFetch(100)('http://127.0.0.1:1', { signal });
    await expect(nowhere).rejects.toThrow('fetch failed');
    await (await get({ signal })).body?.cancel();
    await setImmediate();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
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
