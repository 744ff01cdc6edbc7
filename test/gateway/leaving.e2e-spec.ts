import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { SlowContext } from './support/slow-context.js';
import { begin, ERAS, WireCaller } from './support/wire.js';

describe.each(ADAPTERS)('clients that leave before their request is let in, on %s', (adapter) => {
  const context = new SlowContext();
  let gateway: GatewayApp;
  let left = 0;

  beforeAll(async () => {
    gateway = await startGatewayApp(adapter, {
      gateway: { streams: { maxPerCaller: 2 } },
      options: { context: (request: { user?: object }) => context.of(request.user) as never },
    });
    (gateway.app.getHttpServer() as Server).on('request', ({ headers }: IncomingMessage, response: ServerResponse) => {
      if ('x-leaving' in headers) response.on('close', () => left++);
    });
  });
  afterAll(() => gateway.app.close());

  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await new Promise(setImmediate);
  };

  /** Sends requests whose client leaves while the application thinks about it. */
  async function abandon(caller: WireCaller, requests: readonly Parameters<typeof begin>[1][]): Promise<void> {
    context.hold();
    left = 0;
    const sent = requests.map(
      (request) => begin(caller.url, { ...request, headers: { ...request.headers, 'x-leaving': 'soon' } }).outgoing,
    );
    await until(() => context.asked === sent.length);
    for (const outgoing of sent) outgoing.destroy();
    await until(() => left === sent.length);
    context.release();
  }

  it.each(ERAS)('take no room of streams: %s', async (era) => {
    const caller = await WireCaller.of(gateway.url, era, { token: `acme.${era}` });
    const listen = () =>
      era === 'modern'
        ? caller.request('subscriptions/listen', { notifications: { toolsListChanged: true } })
        : { ...caller.request('tools/list'), method: 'GET', body: undefined };
    await abandon(caller, Array.from({ length: 4 }, listen));
    // A stream of the abandoned requests may be ending still, but none stays.
    for (;;) {
      const next = await caller.listen();
      next.close();
      if (next.status === 200) break;
      expect([409, 429]).toContain(next.status);
    }
  });

  it('run no tool', async () => {
    const caller = await WireCaller.of(gateway.url, 'modern');
    await abandon(caller, [caller.request('tools/call', { name: 'shop.refund', arguments: {} })]);
    expect((await caller.call('shop__ping')).result.content).toEqual([{ type: 'text', text: 'pong' }]);
    expect(gateway.shop.calls.map(({ name }) => name)).toEqual(['ping']);
  });
});
