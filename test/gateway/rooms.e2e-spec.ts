import { Global, Module } from '@nestjs/common';
import { LimitStore } from '@tool-search/core/stores';
import { MemoryLimitStore } from '@tool-search/core/internal';
import { McpSource } from '@tool-search/mcp';
import { isFull } from '../support/tier.cjs';
import { AskingServer } from './support/asking-server.js';
import { type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { codeOf, modern, send, WireCaller } from './support/wire.js';

/** Sessions and streams of the process, and counters of limits that one tenant can have. */
const ROOM = 6;
/** Calls that may wait for answers, and those of one user. */
const [WAITING_CALLS, CALLS_OF_USER] = [1_000, 16];
/** Users of one tenant. Each has less than it may have alone. */
const CROWD = Array.from({ length: 20 }, (_, n) => `acme.user${n}`);
@Global()
@Module({
  providers: [{ provide: LimitStore, useFactory: () => new MemoryLimitStore(Date.now, 2 * ROOM) }],
  exports: [LimitStore],
})
class FewCounters {}

describe('a room that the users of one tenant fill', () => {
  let gateway: GatewayApp;
  beforeAll(async () => {
    gateway = await startGatewayApp('express', {
      gateway: { sessions: { max: ROOM, maxPerCaller: 4 }, streams: { max: ROOM, maxPerCaller: 4 } },
      options: {
        limits: {
          rules: [
            { id: 'users', match: { tool: 'shop.stock' }, per: ['user'], rate: { calls: 99, windowMs: 3_600_000 } },
          ],
        },
      },
      imports: [FewCounters],
    });
  });
  afterAll(() => gateway.app.close());

  it('leaves the sessions of another tenant alone, and lets it begin more', async () => {
    const begin = (token: string) => WireCaller.of(gateway.url, 'legacy', { token });
    const statusOf = async (caller: WireCaller) => (await send(gateway.url, caller.request('tools/list'))).status;
    const gus = await begin('globex.gus');
    const crowd = [];
    for (const token of CROWD) crowd.push(await begin(token));
    const gil = await begin('globex.gil');
    expect([await statusOf(gus), await statusOf(gil)]).toEqual([200, 200]);
    const statuses = await Promise.all(crowd.map(statusOf));
    expect(statuses).toEqual([...Array(CROWD.length - ROOM + 2).fill(404), ...Array(ROOM - 2).fill(200)]);
  });

  it('leaves the streams of another tenant alone, and lets it open more', async () => {
    const listen = async (token: string) => {
      const stream = await (await WireCaller.of(gateway.url, 'modern', { token })).listen();
      await stream.arrived(1);
      return stream;
    };
    const gus = await listen('globex.gus');
    const crowd = [];
    for (const token of CROWD) crowd.push(await listen(token));
    const gil = await listen('globex.gil');
    await Promise.all(crowd.slice(0, CROWD.length - ROOM + 2).map(({ ended }) => ended));
    const turnOn = await gateway.turnOff('shop.ping');
    const open = [gus, gil, ...crowd.slice(CROWD.length - ROOM + 2)];
    await Promise.all(open.map((stream) => stream.arrived(2)));
    await turnOn();
    for (const stream of open) stream.close();
  });

  it('leaves counters of limits for another tenant, and forgets none', async () => {
    const call = async (token: string) => {
      const request = modern('tools/call', { name: 'shop__stock', arguments: {} });
      return codeOf((await send(gateway.url, { ...request, token, path: '/mcp/all' })).message);
    };
    const codes = [];
    for (const token of CROWD) codes.push(await call(token));
    expect(codes).toEqual([...Array(ROOM).fill('ok'), ...Array(CROWD.length - ROOM).fill('STORE_UNAVAILABLE')]);
    expect(await call('globex.gus')).toBe('ok');
    expect(await call(CROWD[0]!)).toBe('ok');
  });

  // A thousand calls take too long for the quick tier.
  (isFull ? it : it.skip)(
    'leaves calls that wait for answers to another tenant, and cancels the oldest of its own',
    async () => {
      const server = new AskingServer('modern');
      const source = new McpSource({ name: 'far', url: await server.start(), changes: 'trust' });
      const asking = await startGatewayApp('express', { options: { sources: [source] } });
      const call = (token: string, more: object = {}) => {
        const request = modern(
          'tools/call',
          { name: 'far__ask', arguments: {}, ...more },
          { elicitation: { form: {} } },
        );
        return send(asking.url, { ...request, token, path: '/mcp/all' });
      };
      const answered = async (token: string, asked: Awaited<ReturnType<typeof call>>) => {
        const { inputRequests, requestState } = asked.message.result;
        const [key = ''] = Object.keys(inputRequests);
        const inputResponses = { [key]: { action: 'accept', content: { city: 'Rome' } } };
        return codeOf((await call(token, { requestState, inputResponses })).message);
      };
      const waiting = await call('globex.gus');
      const first = await call('acme.user0');
      for (let user = 1; user <= WAITING_CALLS / CALLS_OF_USER + 1; user++) {
        const calls = Array.from({ length: CALLS_OF_USER }, () => call(`acme.user${user}`));
        for (const { message } of await Promise.all(calls)) expect(message.result.resultType).toBe('input_required');
      }
      expect(await answered('globex.gus', waiting)).toBe('ok');
      expect(await answered('globex.gil', await call('globex.gil'))).toBe('ok');
      expect(await answered('acme.user0', first)).not.toBe('ok');
      await asking.app.close();
      await server.stop();
    },
  );
});
