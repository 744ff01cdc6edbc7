import { byTurns } from '../support/tier.cjs';
import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { ERAS, send, WireCaller } from './support/wire.js';

const META = ['tool_call', 'tool_get', 'tool_search'];
const ALL = ['broken', 'dump', 'echo', 'manual', 'picture', 'ping', 'receipt', 'refund', 'slow', 'stock'].map(
  (name) => `shop__${name}`,
);

describe.each(ADAPTERS)('lists on %s', (adapter) => {
  let gateway: GatewayApp;
  beforeAll(async () => {
    gateway = await startGatewayApp(adapter, {
      gateway: {
        pageSize: 4,
        listTtlMs: 12_345,
        streams: { maxPerCaller: 5, recheckMs: 100 },
        profiles: {
          growing: { exposure: 'deferred' },
          short: { exposure: 'all', prefix: false, allow: ['shop.p*'] },
        },
      },
    });
  });
  afterAll(() => gateway.app.close());
  const caller = (era: (typeof ERAS)[number], token = 'acme.ann', path = '/mcp') =>
    WireCaller.of(gateway.url, era, { token, path });

  describe.each(byTurns(ERAS, ADAPTERS.indexOf(adapter)))('for a %s client', (era) => {
    it('hold what the URL says, sorted, over all pages', async () => {
      expect(await (await caller(era)).names()).toEqual(['shop__ping', ...META]);
      expect(await (await caller(era, 'acme.ann', '/mcp/all')).names()).toEqual(
        [...ALL, 'shop__vault_acme', 'tool_result'].toSorted(),
      );
      expect(await (await caller(era, 'acme.ann', '/mcp/p/short')).names()).toEqual(['picture', 'ping', 'tool_result']);
    });

    it('may be kept by this caller for a while', async () => {
      const { result } = await (await caller(era)).ask('tools/list');
      expect(result).toMatchObject(
        era === 'modern' ? { ttlMs: 12_345, cacheScope: 'private' } : { tools: expect.any(Array) },
      );
    });

    it('give each page once, also when the list changes in between', async () => {
      const own = await caller(era, 'acme.ann', '/mcp/all');
      const { result: first } = await own.ask('tools/list');
      const turnOn = await gateway.turnOff(`shop.${first.tools.at(-1).name.slice('shop__'.length)}`);
      const { result: second } = await own.ask('tools/list', { cursor: first.nextCursor });
      await turnOn();
      const { result: again } = await own.ask('tools/list', { cursor: first.nextCursor });
      expect(second.tools).toEqual(again.tools);
      expect([...first.tools, ...again.tools].map(({ name }) => name)).toEqual(
        [...ALL, 'shop__vault_acme'].toSorted().slice(0, 8),
      );
    });

    it('of a profile that grows: only in a session', async () => {
      const own = await caller(era, `acme.${era}`, '/mcp/p/growing');
      expect(await own.names()).toEqual([
        'shop__ping',
        ...(era === 'modern' ? META : ['tool_get', 'tool_result', 'tool_search']),
      ]);
      const answer = await send(gateway.url, own.request('tools/call', { name: 'shop.refund', arguments: {} }));
      expect(answer.message.result.structuredContent).toEqual({ refunded: true });
      const grown = (await own.names()).includes('shop__refund');
      expect(grown).toBe(era === 'legacy');
      const changes = answer.messages.filter(({ method }) => method === 'notifications/tools/list_changed');
      expect(changes).toHaveLength(era === 'legacy' ? 1 : 0);
    });

    it('report a change to the callers whose list has changed, and to no other', async () => {
      const acme = await (await caller(era, 'acme.ann', '/mcp/all')).listen();
      const globex = await (await caller(era, 'globex.bob', '/mcp/all')).listen();
      const bridge = await (await caller(era, 'acme.ann')).listen();
      const begun = era === 'modern' ? 1 : 0;
      await Promise.all([acme, globex, bridge].map((stream) => stream.arrived(begun)));
      const turnOn = await gateway.turnOff('shop.vault_globex');
      await globex.arrived(begun + 1);
      const turnAllOn = await gateway.turnOff('shop.ping');
      await Promise.all([acme.arrived(begun + 1), globex.arrived(begun + 2), bridge.arrived(begun + 1)]);
      expect(acme.messages.slice(begun)).toMatchObject([{ method: 'notifications/tools/list_changed' }]);
      expect(bridge.messages.slice(begun)).toHaveLength(1);
      await turnOn();
      await turnAllOn();
      for (const stream of [acme, globex, bridge]) stream.close();
    });

    it('end the streams of a caller whose token was revoked, and of no other', async () => {
      const token = `acme.${era}-leaver`;
      const leaving = await (await caller(era, token)).listen();
      const staying = await (await caller(era, 'globex.bob')).listen();
      gateway.revoked.add(token);
      await leaving.ended;
      const turnOn = await gateway.turnOff('shop.ping');
      const count = era === 'modern' ? 2 : 1;
      expect((await staying.arrived(count)).at(-1)).toMatchObject({ method: 'notifications/tools/list_changed' });
      await turnOn();
      staying.close();
    });
  });

  it.each(byTurns(ERAS, ADAPTERS.indexOf(adapter) + 1))(
    '1,000 parallel listens of one %s caller: few are served, and everybody else',
    async (era) => {
      const token = `acme.greedy-${era}`;
      // Each session has one stream: in as many as a caller may have, or in none.
      const own = await Promise.all(Array.from({ length: era === 'legacy' ? 8 : 1 }, () => caller(era, token)));
      const others = Promise.all(
        ERAS.map(async (eraOfOther) => {
          const other = await caller(eraOfOther, 'globex.bob');
          const answers: unknown[] = [];
          for (let n = 0; n < 50; n++) answers.push((await other.call('shop__ping')).result.content);
          const stream = await other.listen();
          stream.close();
          return [answers, stream.status];
        }),
      );
      const streams = await Promise.all(Array.from({ length: 1000 }, (_, n) => own[n % own.length]!.listen()));
      const pong = [{ type: 'text', text: 'pong' }];
      expect(await others).toEqual(ERAS.map(() => [Array(50).fill(pong), 200]));
      const served = streams.filter(({ status }) => status === 200);
      const refused = streams.filter(({ status }) => status !== 200);
      expect(served.length).toBeLessThanOrEqual(5);
      // A stream of a session that has one already takes room for a moment.
      expect(served.length).toBeGreaterThanOrEqual(era === 'modern' ? 5 : 1);
      for (const { status, ended } of refused) {
        const { message, headers } = await ended;
        // A session that has its stream answers so.
        if (era === 'legacy' && status === 409) continue;
        expect([status, message.error.data.code, headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '30']);
      }
      served.forEach((stream) => stream.close());
      // Room that was left is free again.
      for (;;) {
        const next = await own[0]!.listen();
        next.close();
        if (next.status === 200) break;
        expect([409, 429]).toContain(next.status);
      }
    },
  );
});
