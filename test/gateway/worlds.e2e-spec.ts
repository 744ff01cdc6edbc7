import type { FakeSourceTool } from '@tool-search/core/testing';
import { ADAPTERS, type GatewayApp, type GatewayAppSetup, startGatewayApp } from './support/gateway-app.js';
import { ERAS, initialize, legacy, modern, send, WireCaller, type WireRequest } from './support/wire.js';

/*
 * The law over the wire: two applications differ in one tool, `shop.vault_globex`. In the first the callers of acme may
 * not have it, in the second it does not exist. The same requests to both must give byte-identical answers.
 */

const X = 'shop.vault_globex';
const isX = ({ name }: FakeSourceTool) => X.endsWith(`.${name}`);
const withoutX = (tools: readonly FakeSourceTool[]) => tools.filter((tool) => !isX(tool));
const renamed = (change: Partial<FakeSourceTool>) => (tools: readonly FakeSourceTool[]) =>
  tools.map((tool) => (isX(tool) ? { ...tool, ...change } : tool));

/** Reasons why a caller does not have X, and the last steps to them. */
const WAYS: readonly (readonly [string, GatewayAppSetup, (world: GatewayApp) => unknown])[] = [
  ['hidden from the tenant', {}, () => undefined],
  ['denied by the policy', { options: { policy: { deny: [X] } } }, () => undefined],
  ['refused', { tools: renamed({ description: 'x'.repeat(20_000) }) }, () => undefined],
  ['turned off', {}, (world) => world.turnOff(X)],
];

const PROFILE = { few: { allow: ['shop.p*', X], exposure: 'all', prefix: false } } as const;
const PATHS = ['/mcp', '/mcp/all', '/mcp/p/few'];
const NAMES = [X, X.toUpperCase(), `${X} `, 'shop__vault_globex', 'vault_globex', 'shop.no_such', 'shop__no_such'];

/** Requests of a model that looks for X, by method and parameters. */
const STEPS: readonly (readonly [string, object])[] = [
  ['tools/list', {}],
  ...['vault of the tenant globex', 'open', 'globex', X, 'order'].map((query) => search({ query })),
  ...['vault', '^shop\\.v', '.'].map((query) => search({ query, type: 'regex' })),
  ...NAMES.map((query) => search({ query, type: 'exact' })),
  ...NAMES.map((name) => call('tool_get', { names: [name] })),
  call('tool_get', { names: [X, 'shop.refund'] }),
  ...NAMES.map((name) => call('tool_call', { name, arguments: {} })),
  ...NAMES.map((name) => call(name, {})),
  ['tools/list', {}],
  ['tools/list', { cursor: Buffer.from('1 shop__vault_globex').toString('base64url') }],
];

function call(name: string, input: object): readonly [string, object] {
  return ['tools/call', { name, arguments: input }];
}

function search(input: object): readonly [string, object] {
  return call('tool_search', input);
}

/** The same step for both applications, whose sessions differ. */
function requestOf(step: readonly [string, object], path: string, { era, session }: WireCaller): WireRequest {
  const [method, params] = step;
  const request = era === 'modern' ? modern(method, params) : legacy(method, params, session);
  return { ...request, path, body: { ...(request.body as object), id: 7 } };
}

async function answerOf(url: string, request: WireRequest): Promise<string> {
  const { status, text } = await send(url, request);
  return `${status} ${text}`;
}

describe.each(ADAPTERS)('two applications on %s, one with a tool that the caller may not have', (adapter) => {
  describe.each(WAYS)('because it is %s', (_, setup, then) => {
    let worlds: readonly GatewayApp[];
    beforeAll(async () => {
      const gateway = { profiles: PROFILE };
      const restricted = await startGatewayApp(adapter, { ...setup, gateway });
      const absent = await startGatewayApp(adapter, { ...setup, gateway, tools: withoutX });
      await then(restricted);
      worlds = [restricted, absent];
    });
    afterAll(() => Promise.all(worlds.map(({ app }) => app.close())));

    it.each(ERAS.flatMap((era) => PATHS.map((path) => ({ era, path }))))(
      'answer alike to the byte: $era $path',
      async ({ era, path }) => {
        const callers = await Promise.all(worlds.map(({ url }) => WireCaller.of(url, era, { path })));
        let found = 0;
        for (const step of STEPS) {
          // A neighbour, who may have X, uses it in between.
          for (const { url } of worlds) {
            const neighbour = await WireCaller.of(url, 'modern', { token: 'globex.bob' });
            await neighbour.call('tool_call', { name: X, arguments: {} });
          }
          const [restricted, absent] = await Promise.all(
            callers.map((caller) => answerOf(caller.url, requestOf(step, path, caller))),
          );
          expect(restricted).toBe(absent);
          found += Number(restricted?.includes('shop.refund'));
        }
        // The comparison means nothing if no step ever finds a tool.
        if (path === '/mcp') expect(found).toBeGreaterThan(0);
      },
    );

    it.each(ERAS)('greet alike: %s', async (era) => {
      const greeting = era === 'modern' ? modern('server/discover') : initialize();
      const [restricted, absent] = await Promise.all(worlds.map(({ url }) => answerOf(url, greeting)));
      expect(restricted).toBe(absent);
    });

    it('answer the name of X like any unknown name', async () => {
      const [restricted] = worlds;
      for (const era of ERAS) {
        const caller = await WireCaller.of(restricted!.url, era);
        const ask = (name: string) =>
          answerOf(caller.url, requestOf(call('tool_call', { name, arguments: {} }), '/mcp', caller));
        expect(await ask(X)).toBe(await ask('shop.no_such'));
      }
    });
  });

  it('are told apart by a caller who may have it', async () => {
    const worlds = [await startGatewayApp(adapter), await startGatewayApp(adapter, { tools: withoutX })];
    const answers = await Promise.all(
      worlds.map(async ({ url }) =>
        (await WireCaller.of(url, 'modern', { token: 'globex.bob', path: '/mcp/all' })).names(),
      ),
    );
    expect(answers[0]).toContain('shop__vault_globex');
    expect(answers[1]).not.toContain('shop__vault_globex');
    await Promise.all(worlds.map(({ app }) => app.close()));
  });

  it('take about as long to refuse a hidden name as an unknown one (reported, not asserted)', async () => {
    const { app, url } = await startGatewayApp(adapter);
    const caller = await WireCaller.of(url, 'modern');
    const times: Record<string, number[]> = { [X]: [], 'shop.vault_unknown': [] };
    const answers = new Set<string>();
    // Interleaved, because the machine is busier at some times than at others.
    for (let n = 0; n < 100; n++) {
      for (const [name, taken] of Object.entries(times)) {
        const request = requestOf(call('tool_call', { name, arguments: {} }), '/mcp', caller);
        const begun = performance.now();
        answers.add(await answerOf(url, request));
        taken.push(performance.now() - begun);
      }
    }
    const [hidden, unknown] = Object.values(times).map((each) => each.toSorted((a, b) => a - b)[50]!);
    process.stderr.write(`${adapter}: hidden ÷ unknown, median: ${(hidden! / unknown!).toFixed(3)}\n`);
    expect(answers.size).toBe(1);
    await app.close();
  });
});
