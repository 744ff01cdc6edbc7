import { getEventListeners, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Egress } from '@tool-search/core/source';
import { boundedFetch } from './bounded-fetch.js';

describe('a bounded fetch', () => {
  const egress = new Egress({ allow: ['127.0.0.1'] });
  let http: Server;
  let answer: { type: string; chunks: string[]; isUnfinished?: true; status?: number };
  const get = (init?: RequestInit) =>
    boundedFetch(egress.request, { maxBytes: 100 })(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, init);

  beforeAll(async () => {
    http = createServer((_, res) => {
      res.writeHead(answer.status ?? 203, { 'content-type': answer.type, 'x-more': 'yes', location: '/elsewhere' });
      for (const chunk of answer.chunks) res.write(chunk);
      if (!answer.isUnfinished) res.end();
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
  });

  afterAll(async () => {
    await egress.close();
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
    answer = { type: 'text/plain', chunks: ['{}'] };
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

  it('removes its listener from the signal if no server answers or the body is not read', async () => {
    answer = { type: 'text/plain', chunks: ['{}'] };
    const { signal } = new AbortController();
    const nowhere = boundedFetch(egress.request, { maxBytes: 100 })('http://127.0.0.1:1', { signal });
    await expect(nowhere).rejects.toThrow('ECONNREFUSED');
    await (await get({ signal })).body?.cancel();
    await setImmediate();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('hands a flood of events on in pieces, between which everybody else has a turn', async () => {
    answer = { type: 'text/event-stream', chunks: ['data: 1\n\n'.repeat(500)] };
    const { body } = await get();
    let most = 0;
    let sinceTurn = 0;
    const turns = setInterval(() => (sinceTurn = 0), 1);
    let seen = 0;
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      const events = Buffer.from(chunk).toString().split('\n\n').length - 1;
      seen += events;
      most = Math.max(most, (sinceTurn += events));
    }
    clearInterval(turns);
    expect(seen).toBe(500);
    expect(most).toBeLessThan(200);
  });

  it('fails when an answer is too large, however it is cut', async () => {
    answer = { type: 'text/plain', chunks: ['"', ...Array.from({ length: 20 }, () => 'x'.repeat(10)), '"'] };
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

  it.each([
    ['too large', `"${'x'.repeat(200)}"`, 'more than 100 bytes'],
    ['a batch', ' [{"a":1}]', 'not one message'],
    ['no object', '7', 'not one message'],
    ['nothing', '', 'not one message'],
  ])('fails at once for JSON that is %s', async (_, json, message) => {
    answer = { type: 'Application/JSON; charset=utf-8', chunks: [json] };
    await expect(get()).rejects.toThrow(message);
  });

  it.each([301, 302, 307, 308])('fails for a redirect (%i) and follows none', async (status) => {
    answer = { type: 'text/plain', chunks: ['go away'], status };
    await expect(get({ redirect: 'manual' })).rejects.toThrow(`redirect (${status})`);
  });

  it('cuts what an error says', async () => {
    answer = { type: 'application/json', chunks: ['x'.repeat(100_000), 'x'.repeat(100_000)], status: 500 };
    const response = await get();
    expect([response.status, (await response.text()).length]).toEqual([500, 64 * 1024]);
  });

  it('ends with what it belongs to, which learns whether a stream is answered', async () => {
    const of = new AbortController();
    const exchange = { isStream: false, signal: of.signal };
    answer = { type: 'text/event-stream', chunks: ['data: small\n\n'], isUnfinished: true };
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const response = await boundedFetch(egress.request, { maxBytes: 100, exchange: () => exchange })(url);
    expect(exchange.isStream).toBe(true);
    of.abort(new Error('nobody waits'));
    await expect(response.text()).rejects.toThrow('nobody waits');
  });
});
