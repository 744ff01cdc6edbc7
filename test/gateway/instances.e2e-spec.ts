import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { createServer, request as forward, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describeOnPostgres } from '../../libs/typeorm/test/describe-on-postgres.js';
import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { ERAS, initialize, legacy, send, WireCaller } from './support/wire.js';

/** Sends every request to the next instance, as a load balancer without sticky sessions. */
async function startRoundRobin(urls: readonly string[]): Promise<{ url: string; server: Server }> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    const passed = forward(`${urls[turn++ % urls.length]}${url}`, { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describeOnPostgres('two instances behind one address', (database) => {
  let instances: readonly GatewayApp[];
  let balancer: { url: string; server: Server };

  beforeAll(async () => {
    const setup = () => ({
      imports: [ToolSearchTypeOrmModule.forRoot({ url: database() })],
      gateway: { stateKey: 'k'.repeat(32), profiles: { growing: { exposure: 'deferred' } } },
    });
    instances = [
      await startGatewayApp(ADAPTERS[0]!, setup() as never),
      await startGatewayApp(ADAPTERS[1]!, setup() as never),
    ];
    balancer = await startRoundRobin(instances.map(({ url }) => url));
  });
  afterAll(async () => {
    balancer.server.closeAllConnections();
    balancer.server.close();
    await Promise.all(instances.map(({ app }) => app.close()));
  });

  it('a client without a session is served by both', async () => {
    const caller = await WireCaller.of(balancer.url, 'modern');
    const lists = [await caller.names(), await caller.names(), await caller.names()];
    expect(new Set(lists.map((list) => list.join())).size).toBe(1);
    for (const name of ['shop.refund', 'shop.refund']) {
      const { result } = await caller.call('tool_call', { name, arguments: {} });
      expect(result.structuredContent).toEqual({ refunded: true });
    }
    expect(instances.map(({ shop }) => shop.calls.length)).toEqual([1, 1]);
  });

  it('an instance that does not hold a session answers 404, and the client begins anew', async () => {
    const [one, two] = instances as [GatewayApp, GatewayApp];
    const { headers } = await send(one.url, initialize());
    const session = String(headers['mcp-session-id']);
    const statuses = await Promise.all(
      [one, two].map(async ({ url }) => (await send(url, legacy('tools/list', {}, session))).status),
    );
    expect(statuses).toEqual([200, 404]);
  });

  it('the activations of a caller survive a session', async () => {
    const [one, two] = instances as [GatewayApp, GatewayApp];
    const path = '/mcp/p/growing';
    const first = await WireCaller.of(one.url, 'legacy', { token: 'acme.mover', path });
    expect(await first.names()).not.toContain('shop__refund');
    await first.call('shop.refund');
    expect(await first.names()).toContain('shop__refund');
    const second = await WireCaller.of(two.url, 'legacy', { token: 'acme.mover', path });
    expect(await second.names()).toContain('shop__refund');
    const neighbour = await WireCaller.of(two.url, 'legacy', { token: 'acme.neighbour', path });
    expect(await neighbour.names()).not.toContain('shop__refund');
  });

  it('a client of the SDK works round-robin without a session', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const requestInit = { headers: { authorization: 'Bearer acme.sdk' } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${balancer.url}/mcp`), { requestInit }));
    for (let n = 0; n < 4; n++) {
      const { content } = await client.callTool({ name: 'shop__ping', arguments: {} });
      expect(content).toEqual([{ type: 'text', text: 'pong' }]);
    }
    await client.close();
  });

  it.each(ERAS)('a kill switch of one holds in the other, and its streams report it: %s', async (era) => {
    const [one, two] = instances as [GatewayApp, GatewayApp];
    const caller = await WireCaller.of(two.url, era, { path: '/mcp/all' });
    const stream = await caller.listen();
    const begun = era === 'modern' ? 1 : 0;
    await stream.arrived(begun);
    const turnOn = await one.turnOff('shop.refund');
    // In the same process from the next call on.
    const here = await WireCaller.of(one.url, era, { path: '/mcp/all' });
    expect((await here.call('shop__refund')).error).toMatchObject({ data: { code: 'TOOL_NOT_AVAILABLE' } });
    expect((await stream.arrived(begun + 1)).at(-1)).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect((await caller.call('shop__refund')).error).toMatchObject({ data: { code: 'TOOL_NOT_AVAILABLE' } });
    expect(await caller.names()).not.toContain('shop__refund');
    await turnOn();
    await stream.arrived(begun + 2);
    expect(await caller.names()).toContain('shop__refund');
    stream.close();
  });

  it('one that shuts down leaves its callers to the other', async () => {
    const [, two] = instances as [GatewayApp, GatewayApp];
    const third = await startGatewayApp('express', {
      imports: [ToolSearchTypeOrmModule.forRoot({ url: database() })],
      gateway: { stateKey: 'k'.repeat(32), profiles: { growing: { exposure: 'deferred' } } },
    });
    const path = '/mcp/p/growing';
    const caller = await WireCaller.of(third.url, 'legacy', { token: 'acme.survivor', path });
    await caller.call('shop.refund');
    const stream = await caller.listen();
    const closed = third.app.close();
    await stream.ended;
    await closed;
    const gone = await send(two.url, legacy('tools/list', {}, caller.session));
    expect(gone.status).not.toBe(200);
    const again = await WireCaller.of(two.url, 'legacy', { token: 'acme.survivor', path });
    expect(await again.names()).toContain('shop__refund');
  });
});
