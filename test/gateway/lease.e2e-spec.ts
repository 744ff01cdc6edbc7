import { Logger } from '@nestjs/common';
import { ControlPlane } from '@tool-search/core';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { describeOnPostgres } from '../../libs/typeorm/test/describe-on-postgres.js';
import { TcpProxy } from '../../libs/typeorm/test/tcp-proxy.js';
import { type Adapter, ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { codeOf, ERAS, initialize, legacy, modern, open, send, WireCaller, type WireRequest } from './support/wire.js';

const LEASE_MS = 30_000;
// A store that is cut off refuses at once, so the deadline of a read only has to be long enough for a busy machine.
const TUNING = { control: { pollMs: 250, readDeadlineMs: 9_000 } };
const CONTROL = { closedAfterMs: LEASE_MS };
/** Never asked again by a hint: only reads that nothing has prompted. */
const POLLED = { ...CONTROL, listen: false };

/** Sends until an answer is as expected, and returns all answers up to that one. */
async function until(ask: () => Promise<string>, expected: string): Promise<readonly string[]> {
  const answers = [await ask()];
  while (answers.at(-1) !== expected) {
    // A lease lasts seconds: a client that never pauses would only take the processor from the server.
    await new Promise((resolve) => setTimeout(resolve, 20));
    answers.push(await ask());
  }
  return answers;
}

const outcomeOf = async (caller: WireCaller, name = 'shop__refund') => codeOf(await caller.call(name));

/** The monotonic clock of this process, by which leases are measured. It stands still in a test, and never goes back. */
const clock = {
  real: performance.now.bind(performance),
  ahead: 0,
  stoppedAt: undefined as number | undefined,
  now: () => clock.stoppedAt ?? clock.real() + clock.ahead,
  // On a whole millisecond: a difference of two fractions may be longer than what was added.
  stop: () => void (clock.stoppedAt = Math.ceil(clock.now())),
  forward: (ms: number) => void (clock.stoppedAt = clock.now() + ms),
  go() {
    clock.ahead = clock.now() - clock.real();
    clock.stoppedAt = undefined;
  },
};

describeOnPostgres('an instance that shares what operators decide', (database) => {
  let other: GatewayApp;
  const started: GatewayApp[] = [];
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  jest.spyOn(performance, 'now').mockImplementation(clock.now);

  async function start(adapter: Adapter, url: string, control?: typeof POLLED | typeof CONTROL): Promise<GatewayApp> {
    const app = await startGatewayApp(adapter, {
      gateway: { stateKey: 'k'.repeat(32), profiles: { few: { allow: ['shop.*'], exposure: 'all' } } },
      imports: [ToolSearchTypeOrmModule.forRoot({ url })],
      tools: (all) => all.map((tool) => (tool.name === 'stock' ? { ...tool, tags: ['confirm'] } : tool)),
      ...(control && { options: { control, tuning: TUNING } }),
    });
    started.push(app);
    return app;
  }

  beforeAll(async () => {
    other = await start('express', database());
  });
  afterAll(() => Promise.all(started.map(({ app }) => app.close())));

  describe.each(ADAPTERS)('on %s', (adapter) => {
    /** An instance that cannot reach its store any more: its lease begins now, by a clock that stands still. */
    async function startCutOff() {
      const proxy = new TcpProxy(new URL(database()));
      const address = await proxy.open();
      const gateway = await start(adapter, address.href, CONTROL);
      const forms = { elicitation: { form: {} } };
      const callers = await Promise.all(
        ERAS.map((era) => WireCaller.of(gateway.url, era, { path: '/mcp/all' }, forms)),
      );
      for (const caller of callers) expect(await outcomeOf(caller)).toBe('ok');
      clock.stop();
      await gateway.app.get(ControlPlane).refresh();
      await proxy.close();
      const reconnect = async () => {
        clock.go();
        const again = new TcpProxy(new URL(database()));
        await again.open(Number(address.port));
        return again;
      };
      return { gateway, callers, reconnect };
    }

    it('refuses every request past the lease, and continues after the next read', async () => {
      const { gateway, callers, reconnect } = await startCutOff();
      const { url, shop } = gateway;
      // The lease lasts to its last millisecond, and not a moment longer.
      clock.forward(LEASE_MS);
      for (const caller of callers) expect(await outcomeOf(caller, 'shop__ping')).toBe('ok');
      clock.forward(1);
      const ran = shop.calls.length;
      for (const caller of callers) {
        const greeting = caller.era === 'modern' ? modern('server/discover') : initialize();
        const called = (name: string, input: object) => caller.request('tools/call', { name, arguments: input });
        const requests: readonly WireRequest[] = [
          greeting,
          { ...greeting, path: '/mcp/all' },
          ...['shop__ping', 'shop__refund', 'shop.refund', 'shop.no_such'].map((name) => called(name, {})),
          called('tool_search', { query: 'refund' }),
          called('tool_get', { names: ['shop.refund'] }),
          called('tool_call', { name: 'shop.refund', arguments: {} }),
          caller.request('tools/list'),
          caller.request('tools/list', { cursor: Buffer.from('1 shop__p').toString('base64url') }),
        ];
        for (const request of requests) {
          const { status, headers, message } = await send(url, request);
          expect([status, message.id, codeOf(message)]).toEqual([
            200,
            (request.body as { id: number }).id,
            'GATE_CLOSED',
          ]);
          // A greeting that was refused begins no session.
          if (request.path === undefined) expect(headers).not.toHaveProperty('mcp-session-id');
        }
        // What operators made of a profile is not known either.
        const profile = await send(url, { ...greeting, path: '/mcp/p/few' });
        expect(codeOf(profile.message)).toBe('GATE_CLOSED');
      }
      expect(shop.calls).toHaveLength(ran);
      const again = await reconnect();
      for (const caller of callers) await until(() => outcomeOf(caller), 'ok');
      await again.close();
    });

    it('never runs a tool past the lease that was switched off while it could not read', async () => {
      const { gateway, callers, reconnect } = await startCutOff();
      const { shop } = gateway;
      const [modernCaller, legacyCaller] = callers as [WireCaller, WireCaller];
      // Both callers are asked to confirm a call while it is still allowed.
      const question = { name: 'shop__stock', arguments: {} };
      const ask = async (more: object) => {
        const request = modern('tools/call', { ...question, ...more }, { elicitation: { form: {} } });
        return (await send(gateway.url, { ...request, path: '/mcp/all' })).message;
      };
      const { requestState } = (await ask({})).result;
      const stream = await open(gateway.url, legacyCaller.request('tools/call', question));
      const [{ id: asked }] = await stream.arrived(1);
      const turnOn = await Promise.all(['shop.refund', 'shop.stock'].map((tool) => other.turnOff(tool)));
      clock.forward(LEASE_MS + 1);
      const ran = shop.calls.length;
      for (const caller of callers) {
        expect(await outcomeOf(caller)).toBe('GATE_CLOSED');
        const bridged = await caller.call('tool_call', { name: 'shop.refund', arguments: {} });
        expect(codeOf(bridged)).toBe('GATE_CLOSED');
      }
      const confirmed = { action: 'accept', content: { confirm: true } };
      expect(codeOf(await ask({ requestState, inputResponses: { confirm: confirmed } }))).toBe('GATE_CLOSED');
      const { headers } = legacy('', {}, legacyCaller.session);
      const body = { jsonrpc: '2.0', id: asked, result: confirmed };
      await send(gateway.url, { headers: headers ?? {}, path: '/mcp/all', body });
      expect(codeOf((await stream.ended).message)).toBe('GATE_CLOSED');
      const again = await reconnect();
      for (const caller of [modernCaller, legacyCaller]) {
        expect(await until(() => outcomeOf(caller), 'TOOL_NOT_AVAILABLE')).not.toContain('ok');
      }
      expect(shop.calls).toHaveLength(ran);
      for (const turn of turnOn) await turn();
      for (const caller of callers) await until(() => outcomeOf(caller), 'ok');
      await again.close();
    });

    it.each([
      ['a hint', CONTROL],
      ['a poll alone', POLLED],
    ])('learns by %s what another one has switched off', async (_, control) => {
      const { url } = await start(adapter, database(), control);
      const callers = await Promise.all(ERAS.map((era) => WireCaller.of(url, era, { path: '/mcp/all' })));
      for (const caller of callers) expect(await outcomeOf(caller)).toBe('ok');
      const turnOn = await other.turnOff('shop.refund');
      for (const caller of callers) {
        await until(() => outcomeOf(caller), 'TOOL_NOT_AVAILABLE');
        expect(await caller.names()).not.toContain('shop__refund');
      }
      await turnOn();
      for (const caller of callers) await until(() => outcomeOf(caller), 'ok');
    });
  });
});
