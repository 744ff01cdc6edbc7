import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { RequestToolbox, Toolbox } from '@tool-search/core';
import { SourceQueue } from '@tool-search/core/operators';
import { type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { WireCaller } from './support/wire.js';

describe('a source with one place', () => {
  let gateway: GatewayApp;

  @Controller('toolbox')
  class ToolboxController {
    @Post('call')
    @HttpCode(200)
    call(@RequestToolbox() toolbox: Toolbox, @Body() { name }: { name: string }) {
      return toolbox.call(name, {});
    }
  }

  class CallingModule {}
  const overHttp = async (name: string) => {
    const response = await fetch(`${gateway.url}/toolbox/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  };

  beforeAll(async () => {
    gateway = await startGatewayApp('express', {
      options: {
        // Requests over plain HTTP have no token in this test.
        context: ({ user }) => user ?? { tenantId: 'initech' },
        calls: { perSource: { shop: 1 } },
        tuning: { calls: { maxWaiting: 1 } },
      },
      imports: [{ module: CallingModule, controllers: [ToolboxController] }],
    });
  });
  afterAll(() => gateway.app.close());

  it('lets calls wait, and refuses those for which there is no room, over HTTP and over the gateway', async () => {
    const [acme, globex] = await Promise.all(
      ['acme.ann', 'globex.gil'].map((token) => WireCaller.of(gateway.url, 'modern', { token, path: '/mcp/all' })),
    );
    const queue = gateway.app.get(SourceQueue);
    const running = acme!.ask('tools/call', { name: 'shop__slow', arguments: {} });
    const held = await gateway.held.next();
    const waiting = globex!.ask('tools/call', { name: 'shop__ping', arguments: {} });
    while (queue.status()[0]!.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(queue.status()).toEqual([{ source: 'shop', owner: '', limit: 1, running: 1, waiting: 1 }]);

    const refusal = {
      ok: false,
      code: 'SOURCE_BUSY',
      message: 'Too many calls are waiting for the source of shop.ping.',
      hint: expect.stringMatching(/^Nothing has happened/),
      retryAfterSeconds: 2,
    };
    expect(await overHttp('shop.ping')).toEqual({ status: 200, body: refusal });
    const { result } = await acme!.ask('tools/call', { name: 'shop__ping', arguments: {} });
    expect(result).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'SOURCE_BUSY' } });
    expect(JSON.parse(result.content[0].text)).toEqual(refusal);

    held.release();
    expect((await running).result.content).toEqual([{ type: 'text', text: 'all counted' }]);
    expect((await waiting).result.content).toEqual([{ type: 'text', text: 'pong' }]);
    expect(queue.status()).toEqual([]);
    expect(await overHttp('shop.ping')).toMatchObject({ body: { ok: true } });
  });

  it('does not run a tool that was turned off while its call waited', async () => {
    const caller = await WireCaller.of(gateway.url, 'modern', { path: '/mcp/all' });
    const running = caller.ask('tools/call', { name: 'shop__slow', arguments: {} });
    const held = await gateway.held.next();
    const waiting = overHttp('shop.refund');
    const queue = gateway.app.get(SourceQueue);
    while (queue.status()[0]!.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
    const before = gateway.shop.calls.length;
    const turnOn = await gateway.turnOff('shop.refund');
    held.release();
    expect(await waiting).toMatchObject({ status: 200, body: { code: 'TOOL_NOT_AVAILABLE' } });
    expect(gateway.shop.calls).toHaveLength(before);
    await running;
    await turnOn();
  });
});
