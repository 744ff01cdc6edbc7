import { Logger } from '@nestjs/common';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { describeOnPostgres } from '../../libs/typeorm/test/describe-on-postgres.js';
import { TcpProxy } from '../../libs/typeorm/test/tcp-proxy.js';
import { type Adapter, ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { type Era, ERAS, initialize, modern, send, WireCaller } from './support/wire.js';

/** A short lease, in which a busy machine still reads several times. */
const CONTROL = { pollMs: 250, readDeadlineMs: 500, staleAfterMs: 3000, closedAfterMs: 3000 };
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

/** `ok`, or the code of the library. */
async function outcomeOf(caller: WireCaller, name = 'shop__refund'): Promise<string> {
  const { result, error } = await caller.call(name);
  return error?.data?.code ?? result._meta?.['tool-search/code'] ?? 'ok';
}

describeOnPostgres('an instance that shares what operators decide', (database) => {
  let other: GatewayApp;
  const started: GatewayApp[] = [];
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);

  async function start(adapter: Adapter, url: string, control?: typeof POLLED | typeof CONTROL): Promise<GatewayApp> {
    const app = await startGatewayApp(adapter, {
      gateway: { stateKey: 'k'.repeat(32) },
      imports: [ToolSearchTypeOrmModule.forRoot({ url })],
      ...(control && { options: { control } }),
    });
    started.push(app);
    return app;
  }

  beforeAll(async () => {
    other = await start('express', database());
  });
  afterAll(() => Promise.all(started.map(({ app }) => app.close())));

  describe.each(ADAPTERS)('on %s', (adapter) => {
    it.each(ERAS)('refuses past the lease whatever is asked, and goes on when it reads again: %s', async (era: Era) => {
      const proxy = new TcpProxy(new URL(database()));
      const address = await proxy.open();
      const { url } = await start(adapter, address.href, CONTROL);
      const caller = await WireCaller.of(url, era, { path: '/mcp/all' });
      expect(await outcomeOf(caller)).toBe('ok');
      await proxy.close();
      // A tool runs as long as the lease lasts. Then it is refused, and so is everything else.
      const earlier = await until(() => outcomeOf(caller, 'shop__ping'), 'GATE_CLOSED');
      expect(earlier.slice(0, -1).every((answer) => answer === 'ok')).toBe(true);
      const greeting = era === 'modern' ? modern('server/discover') : initialize();
      const requests = [
        greeting,
        { ...greeting, path: '/mcp/all' },
        ...['shop__ping', 'shop.no_such'].map((name) => caller.request('tools/call', { name, arguments: {} })),
        caller.request('tools/call', { name: 'tool_search', arguments: { query: 'refund' } }),
        caller.request('tools/call', { name: 'tool_call', arguments: { name: 'shop.refund', arguments: {} } }),
        caller.request('tools/list'),
      ];
      const ran = started.at(-1)!.shop.calls.length;
      for (const request of requests) {
        const { status, headers, message } = await send(url, request);
        const { id, ...answer } = message;
        const code = answer.error?.data.code ?? answer.result?._meta['tool-search/code'];
        expect([status, id, code]).toEqual([200, (request.body as { id: number }).id, 'GATE_CLOSED']);
        // A greeting that was refused begins no session.
        if (request.path === undefined) expect(headers).not.toHaveProperty('mcp-session-id');
      }
      expect(started.at(-1)!.shop.calls).toHaveLength(ran);
      const again = new TcpProxy(new URL(database()));
      await again.open(Number(address.port));
      await until(() => outcomeOf(caller), 'ok');
      await again.close();
    });

    it('never runs a tool that was switched off while it could not read', async () => {
      const proxy = new TcpProxy(new URL(database()));
      const address = await proxy.open();
      const { url, shop } = await start(adapter, address.href, CONTROL);
      const callers = await Promise.all(ERAS.map((era) => WireCaller.of(url, era, { path: '/mcp/all' })));
      for (const caller of callers) expect(await outcomeOf(caller)).toBe('ok');
      await proxy.close();
      const turnOn = await other.turnOff('shop.refund');
      for (const caller of callers) await until(() => outcomeOf(caller, 'shop__ping'), 'GATE_CLOSED');
      const ran = shop.calls.length;
      const again = new TcpProxy(new URL(database()));
      await again.open(Number(address.port));
      for (const caller of callers) {
        const answers = await until(() => outcomeOf(caller), 'TOOL_NOT_AVAILABLE');
        expect(answers).not.toContain('ok');
      }
      expect(shop.calls).toHaveLength(ran);
      await turnOn();
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
