import { byTurns } from '../support/tier.cjs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ToolCall } from '@tool-search/core';
import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { begin, ERAS, WireCaller } from './support/wire.js';

/** Fills the buffers of a connection with a few hundred messages. */
const MESSAGE = 'parcel '.repeat(2000);
/** More than an unread connection takes. */
const MANY_BYTES = 20_000_000;

describe.each(ADAPTERS)('a client that does not read its stream, on %s', (adapter) => {
  let gateway: GatewayApp;
  /** The call that reports progress until its client is gone. */
  let flooding: ToolCall;
  let streams = 0;
  /** Numbers of the streams that have ended. */
  const ended = new Set<string>();

  async function flood(call: ToolCall): Promise<string> {
    flooding = call;
    const stream = String(streams);
    for (let progress = 1; !ended.has(stream); progress++) {
      call.progress({ progress, message: MESSAGE });
      await new Promise(setImmediate);
    }
    return 'sent';
  }

  beforeAll(async () => {
    gateway = await startGatewayApp(adapter, {
      gateway: { streams: { stalledMs: 2000 } },
      tools: (all) => [
        ...all,
        { name: 'flood', description: 'Reports each parcel.', timeoutMs: 600_000, run: (_, __, call) => flood(call) },
      ],
    });
    (gateway.app.getHttpServer() as Server).on('request', ({ headers }: IncomingMessage, response: ServerResponse) => {
      response.once('close', () => ended.add(String(headers['x-stream'])));
    });
  });
  afterAll(() => gateway.app.close());

  /** Calls the tool that floods its client, which has read the headers only. */
  async function beginFlood(
    caller: WireCaller,
  ): Promise<{ readonly stream: string; readonly answer: IncomingMessage }> {
    const stream = String(++streams);
    const params = { name: 'shop__flood', arguments: {}, _meta: { progressToken: 'p' } };
    const request = caller.request('tools/call', params);
    const answer = await begin(gateway.url, { ...request, headers: { ...request.headers, 'x-stream': stream } })
      .response;
    answer.on('error', () => undefined);
    expect(answer.headers['content-type']).toContain('text/event-stream');
    return { stream, answer };
  }

  it.each(byTurns(ERAS, ADAPTERS.indexOf(adapter)))(
    'is dropped, and everybody else is served meanwhile: %s',
    async (era) => {
      const caller = await WireCaller.of(gateway.url, era, { path: '/mcp/all' });
      const other = await WireCaller.of(gateway.url, era, { path: '/mcp/all', token: 'globex.bob' });
      const { stream, answer } = await beginFlood(caller);
      while (!ended.has(stream)) {
        expect((await other.call('shop__ping')).result.content).toEqual([{ type: 'text', text: 'pong' }]);
      }
      // Without a session the call ends with its stream.
      if (era === 'modern') expect(flooding.signal.aborted).toBe(true);
      const closed = new Promise((resolve) => answer.once('close', resolve));
      answer.resume();
      await closed;
      // What had been sent is cut off.
      expect(answer.complete).toBe(false);
      expect((await caller.call('shop__ping')).result.content).toEqual([{ type: 'text', text: 'pong' }]);
    },
  );

  it.each(byTurns(ERAS, ADAPTERS.indexOf(adapter) + 1))(
    'and one that reads the same stream is not: %s',
    async (era) => {
      const caller = await WireCaller.of(gateway.url, era, { path: '/mcp/all' });
      const { stream, answer } = await beginFlood(caller);
      let bytes = 0;
      for await (const chunk of answer) {
        bytes += (chunk as Buffer).length;
        if (bytes > MANY_BYTES) break;
      }
      expect(bytes).toBeGreaterThan(MANY_BYTES);
      ended.add(stream);
    },
  );
});
