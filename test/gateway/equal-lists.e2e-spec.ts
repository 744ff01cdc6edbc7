import fc from 'fast-check';
import { Agent } from 'node:http';
import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { type Era, ERAS, send, WireCaller, type WireRequest } from './support/wire.js';

/*
 * Equal authorization gives equal list bytes: whoever asks, on whichever connection and session, in either era and on either
 * adapter, and whatever was asked before.
 */

const PATHS = ['/mcp', '/mcp/all', '/mcp/p/few', '/mcp/p/growing'];
/** Users of one tenant with equal rights, of whom each has connections of its own. */
const USERS = ['acme.ann', 'acme.eve', 'acme.dan'];
const NAMES = [
  'shop.refund',
  'shop__refund',
  'shop__ping',
  'shop.broken',
  'shop.vault_globex',
  'shop.nothing',
  'tool_get',
];

/** What somebody does before a list is read. */
const action = fc.oneof(
  fc.record({ do: fc.constant('search' as const), query: fc.constantFrom('refund', 'vault', 'nothing like it') }),
  fc.record({
    do: fc.constantFrom('get' as const, 'call' as const, 'bridge' as const),
    name: fc.constantFrom(...NAMES),
  }),
  fc.record({ do: fc.constantFrom('greet' as const, 'page' as const, 'listen' as const, 'fail' as const) }),
  // Of others: a caller with other rights, and an operator who turns a tool off and on again.
  fc.record({ do: fc.constantFrom('neighbour' as const, 'operator' as const) }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const who = fc.record({
  at: fc.nat(ADAPTERS.length - 1),
  era: fc.constantFrom(...ERAS),
  user: fc.constantFrom(...USERS),
  path: fc.constantFrom(...PATHS),
  // On a connection that other requests have used, or on a new one; in a session that has been used, or in a new one.
  isNew: fc.boolean(),
});
type Who = typeof who extends fc.Arbitrary<infer T> ? T : never;

describe('lists of callers with equal rights', () => {
  let gateways: readonly GatewayApp[];
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const known = new Map<string, WireCaller>();

  beforeAll(async () => {
    const few = { exposure: 'all', prefix: false, allow: ['shop.p*', 'shop.re*'] } as const;
    const gateway = { pageSize: 4, profiles: { few, growing: { exposure: 'deferred' } as const } };
    gateways = await Promise.all(ADAPTERS.map((adapter) => startGatewayApp(adapter, { gateway })));
  });
  afterAll(async () => {
    agent.destroy();
    await Promise.all(gateways.map(({ app }) => app.close()));
  });

  async function callerOf({ at, era, user, path, isNew }: Who): Promise<WireCaller> {
    const key = `${at} ${era} ${user} ${path}`;
    const caller = known.get(key);
    if (caller && !isNew) return caller;
    const begun = await WireCaller.of(gateways[at]!.url, era, { token: user, path });
    known.set(key, begun);
    return begun;
  }

  const sent = (caller: WireCaller, { isNew }: Who, request: WireRequest) =>
    send(caller.url, { ...request, ...(!isNew && { agent }) });

  /** All pages of a list: the bytes of the answers, and those of the tools alone. */
  async function read(as: Who): Promise<{ readonly bytes: string; readonly tools: string }> {
    const caller = await callerOf(as);
    const answers: string[] = [];
    const tools: unknown[] = [];
    let cursor: string | undefined;
    do {
      const request = caller.request('tools/list', cursor === undefined ? {} : { cursor });
      const { status, text, message } = await sent(caller, as, {
        ...request,
        body: { ...(request.body as object), id: 7 },
      });
      answers.push(`${status} ${text}`);
      tools.push(...message.result.tools);
      cursor = message.result.nextCursor;
    } while (cursor !== undefined);
    return { bytes: answers.join('\n'), tools: JSON.stringify(tools) };
  }

  async function act(done: Action, as: Who): Promise<void> {
    const caller = await callerOf(as);
    const ask = (method: string, params: object = {}) => sent(caller, as, caller.request(method, params));
    const called = (name: string, input: object) => ask('tools/call', { name, arguments: input });
    switch (done.do) {
      case 'search':
        return void (await called('tool_search', { query: done.query }));
      case 'get':
        return void (await called('tool_get', { names: [done.name] }));
      case 'call':
        return void (await called(done.name, {}));
      case 'bridge':
        return void (await called('tool_call', { name: done.name, arguments: { a: 1 } }));
      case 'greet':
        return void (await callerOf({ ...as, isNew: true }));
      case 'page':
        return void (await ask('tools/list', { cursor: Buffer.from('1 shop__p').toString('base64url') }));
      case 'listen':
        return (await caller.listen()).close();
      case 'fail':
        return void (await ask('tools/list', { cursor: 'forged' }));
      case 'neighbour': {
        const neighbour = await WireCaller.of(caller.url, as.era, { token: 'globex.bob', path: as.path });
        await neighbour.ask('tools/list');
        return void (await neighbour.call('shop.vault_globex'));
      }
      case 'operator':
        return void (await (
          await gateways[as.at]!.turnOff('shop.refund')
        )());
    }
  }

  it('are equal to the byte for every caller, client and order of requests', async () => {
    const bytesOf = new Map<string, string>();
    const toolsOf = new Map<string, string>();
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(action, who, who), { minLength: 4, maxLength: 10 }), async (steps) => {
        for (const [done, actor, reader] of steps) {
          await act(done, actor);
          // In a session, this list grows by what its user calls.
          if (reader.path === '/mcp/p/growing' && reader.era === 'legacy') continue;
          const { bytes, tools } = await read(reader);
          const byEra = `${reader.path} ${reader.era}`;
          expect(bytes).toBe(bytesOf.get(byEra) ?? bytes);
          expect(tools).toBe(toolsOf.get(reader.path) ?? tools);
          compared += Number(bytesOf.has(byEra));
          bytesOf.set(byEra, bytes);
          toolsOf.set(reader.path, tools);
        }
      }),
      { numRuns: 25 },
    );
    // The comparison means nothing without lists that were read before.
    expect(compared).toBeGreaterThan(50);
    expect([...toolsOf.keys()].toSorted()).toEqual(PATHS.toSorted());
  });

  it.each(ERAS)('differ for other rights: %s', async (era: Era) => {
    const as = { at: 0, era, path: '/mcp/all', isNew: true };
    const own = await read({ ...as, user: 'acme.ann' });
    const other = await read({ ...as, user: 'globex.bob' });
    expect(own.tools.replaceAll('acme', 'globex')).toBe(other.tools);
    expect(own.tools).not.toBe(other.tools);
  });
});
