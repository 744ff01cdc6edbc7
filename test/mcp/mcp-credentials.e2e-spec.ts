import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { ToolContext } from '@tool-search/core';
import { McpSource, type McpSourceOptions } from '@tool-search/mcp';
import {
  ECHO,
  type Era,
  type Exchange,
  MisbehavingMcpServer,
  type Mischief,
} from '../support/misbehaving-mcp-server.js';

const never = new AbortController().signal;
const callOf = (signal = never) => ({ id: 'c', signal, deadline: Date.now() + 600_000, progress: () => undefined });
const userOf = (userId?: string, tenantId = 'acme'): ToolContext => ({ tenantId, ...(userId && { userId }) });

describe.each<Era>(['2025-11-25', '2026-07-28'])(
  "a server that is called with users' own credentials, protocol %s",
  (era) => {
    const server = new MisbehavingMcpServer(era);
    const tokens = new Map<string, string>();
    let source: McpSource;
    const tokenOf = (context: ToolContext | undefined) =>
      context ? (tokens.get(`${context.tenantId}/${context.userId}`) ?? 'nobody') : 'lister';
    const make = (more: Partial<McpSourceOptions> = {}) =>
      (source = new McpSource({
        name: 'remote',
        url: server.url,
        headers: async (context) => ({ authorization: `Bearer ${tokenOf(context)}` }),
        ...more,
      } as McpSourceOptions));
    const whoami = async (context: ToolContext, words = '') => {
      const { content } = await source.call('whoami', { words }, context, callOf());
      return (content[0] as { text: string }).text;
    };
    /** Number of connections that the server saw with each token. */
    const opened = (token: string) =>
      server.requests.filter(
        ({ method, headers }) =>
          headers.authorization === `Bearer ${token}` && (method === 'initialize' || method === 'server/discover'),
      ).length;

    beforeAll(async () => {
      await server.start();
      server.tools = [
        {
          listed: { ...ECHO.listed, name: 'whoami' },
          answer: ({ words }, headers) => ({
            content: [{ type: 'text', text: `${headers?.get('authorization')} ${String(words)}` }],
          }),
        },
      ];
    });
    afterAll(() => server.stop());
    beforeEach(() => {
      server.requests.length = 0;
      tokens.clear();
      tokens.set('acme/ada', 'a1').set('acme/bob', 'b1').set('globex/ada', 'g1');
    });
    afterEach(() => source.close());

    it('lists without a user, and never mixes up two users in 600 calls', async () => {
      make();
      expect(await source.load(never)).toHaveLength(1);
      const users = [userOf('ada'), userOf('bob'), userOf('ada', 'globex'), userOf()];
      const expected = ['a1', 'b1', 'g1', 'nobody'];
      for (let round = 0; round < 6; round++) {
        const calls = Array.from({ length: 100 }, (_, n) => whoami(users[n % 4]!, `${round}/${n}`));
        expect(await Promise.all(calls)).toEqual(calls.map((_, n) => `Bearer ${expected[n % 4]} ${round}/${n}`));
      }
      for (const { method, headers } of server.requests) {
        if (method === 'tools/list') expect(headers.authorization).toBe('Bearer lister');
        if (method === 'tools/call') expect(headers.authorization).not.toBe('Bearer lister');
      }
      // Each session is used only with the token that opened it.
      const owners = new Map<unknown, Set<unknown>>();
      for (const { headers } of server.requests) {
        const id = headers['mcp-session-id'];
        if (id !== undefined) owners.set(id, (owners.get(id) ?? new Set()).add(headers.authorization));
      }
      for (const each of owners.values()) expect(each.size).toBe(1);
    });

    it('asks again at every call: a credential that was renewed gets a connection of its own', async () => {
      make();
      expect(await whoami(userOf('ada'))).toBe('Bearer a1 ');
      const before = opened('a1');
      expect(await whoami(userOf('ada'))).toBe('Bearer a1 ');
      expect(opened('a1')).toBe(before);
      tokens.set('acme/ada', 'a2');
      expect(await whoami(userOf('ada'))).toBe('Bearer a2 ');
      tokens.set('acme/ada', 'a1');
      expect(await whoami(userOf('ada'))).toBe('Bearer a1 ');
      // The first connection was closed when it was replaced.
      expect(opened('a1')).toBe(2 * before);
    });

    it('keeps at most so many connections, and lets go of the one that was used the longest ago', async () => {
      make({ maxConnections: 2 });
      for (const user of ['ada', 'bob', 'ada', 'cleo', 'ada', 'bob']) {
        tokens.set(`acme/${user}`, user);
        await whoami(userOf(user));
      }
      const once = opened('cleo');
      expect([opened('ada'), opened('bob')]).toEqual([once, 2 * once]);
    });

    it('opens no more than twice as many for a tenant while calls run on those it let go of', async () => {
      make({ maxConnections: 1 });
      const held: (() => void)[] = [];
      let arrived: () => void = () => undefined;
      server.mischief = {
        'tools/call': ({ req, result }) => {
          held.push(() => result({ content: [{ type: 'text', text: String(req.headers.authorization) }] }));
          arrived();
        },
      };
      const reaches = (call: () => Promise<string>) =>
        new Promise<Promise<string>[]>((resolve) => {
          arrived = () => resolve([running]);
          const running = call();
        });
      const [ada] = await reaches(() => whoami(userOf('ada')));
      const [bob] = await reaches(() => whoami(userOf('bob')));
      const [other] = await reaches(() => whoami(userOf('ada', 'globex')));
      tokens.set('acme/late', 'l1');
      const late = whoami(userOf('late'));
      const left = source.call('whoami', {}, userOf('eve'), callOf(AbortSignal.timeout(100)));
      await expect(left).rejects.toMatchObject({ name: 'TimeoutError' });
      expect([opened('l1'), opened('nobody'), held.length]).toEqual([0, 0, 3]);
      server.mischief = {};
      for (const answer of held) answer();
      expect(await Promise.all([ada, bob, other, late])).toEqual(['Bearer a1', 'Bearer b1', 'Bearer g1', 'Bearer l1 ']);
    });

    it('closes an idle connection', async () => {
      make({ idleMs: 50 });
      await whoami(userOf('ada'));
      const once = opened('a1');
      // Retries, because the time depends on the machine.
      while (opened('a1') === once) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        await whoami(userOf('ada'));
      }
    });

    it.each<[string, () => never | object]>([
      [
        'throws',
        () => {
          throw new Error('vault: hunter2 expired');
        },
      ],
      ['rejects', () => Promise.reject(new Error('vault: hunter2 expired'))],
      ['makes no headers', () => ({ authorization: 'x\r\nhost: hunter2' })],
      ['makes no texts', () => ({ authorization: 7 })],
      ['makes nothing', () => undefined as never],
    ])('fails one call, without a word of it, when the function %s; the others go on', async (_, fails) => {
      make({
        headers: (context: ToolContext | undefined) =>
          context?.userId === 'eve' ? fails() : { authorization: tokenOf(context) },
      } as never);
      for (let n = 0; n < 20; n++) {
        const failed = await whoami(userOf('eve')).catch(
          (error: unknown) => error as Error & { code: string; hint: string },
        );
        expect(failed).toMatchObject({ code: 'SOURCE_UNAVAILABLE', hint: expect.any(String) });
        expect(JSON.stringify([(failed as Error).message, (failed as { hint: string }).hint])).not.toContain('hunter2');
      }
      expect(await whoami(userOf('ada'))).toBe('a1 ');
    });

    it('does not wait for a function longer than for the call', async () => {
      make({ headers: () => new Promise<never>(() => undefined) });
      const call = source.call('whoami', {}, userOf('ada'), callOf(AbortSignal.timeout(50)));
      await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    });

    it("does not give the server up for all because one user's own connection cannot be opened", async () => {
      make();
      const breaks: Mischief = ({ req, res, send }) =>
        req.headers.authorization === 'Bearer b1' ? send(503, 'text/plain', 'no') : void res.writeHead(404).end();
      expect(await whoami(userOf('ada'))).toBe('Bearer a1 ');
      server.mischief = { initialize: breaks, 'server/discover': breaks };
      for (let n = 0; n < 10; n++) {
        await expect(whoami(userOf('bob'))).rejects.toMatchObject({ message: expect.stringContaining('reached') });
      }
      expect(await whoami(userOf('ada'))).toBe('Bearer a1 ');
      server.mischief = {};
    });

    it.each<[string, (authorization: string, exchange: Exchange) => void]>([
      ['a page', (said, { send }) => send(500, 'text/html', said)],
      ['an answer', (said, { send }) => send(400, 'application/json', JSON.stringify({ said }))],
      [
        'a fault',
        (said, { id, send }) =>
          send(
            200,
            'application/json',
            JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: said, data: { deep: { said } } } }),
          ),
      ],
    ])('keeps them out of errors and logs, should the server echo them in %s', async (_, echo) => {
      const token = 'tok-$&-5up3r-s3cr3t';
      tokens.set('acme/ada', token);
      make();
      await whoami(userOf('ada'));
      server.mischief = {
        'tools/call': (exchange) => echo(`\u001b[31m${exchange.req.headers.authorization}`, exchange),
      };
      const error = await whoami(userOf('ada')).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: expect.any(String) });
      const logged = inspect(error, { depth: 20, showHidden: true });
      expect(logged).toContain('[removed]');
      expect(logged).not.toContain(token);
      expect(logged).not.toContain('\u001b');
      server.mischief = {};
    });

    it("counts no user's refused credentials against the server", async () => {
      make();
      server.mischief = {
        'tools/call': ({ req, send, result }) =>
          req.headers.authorization === 'Bearer b1'
            ? send(401, 'text/plain', 'no')
            : result({ content: [{ type: 'text', text: 'yes' }] }),
      };
      for (let n = 0; n < 10; n++) {
        await expect(whoami(userOf('bob'))).rejects.toMatchObject({
          code: 'SOURCE_UNAVAILABLE',
          message: expect.stringContaining('credentials'),
        });
      }
      expect(await whoami(userOf('ada'))).toBe('yes');
      server.mischief = {};
    });
  },
);

describe('where a server may be', () => {
  const load = async (options: Partial<McpSourceOptions>) => {
    const source = new McpSource({ name: 'there', loadTimeoutMs: 60_000, ...options } as McpSourceOptions);
    const outcome = await source.load(never).catch((error: unknown) => error as Error & { code: string });
    await source.close();
    return outcome;
  };
  let url: string;
  let port: number;
  const server = new MisbehavingMcpServer('2026-07-28');
  beforeAll(async () => {
    url = await server.start();
    port = Number(new URL(url).port);
  });
  afterAll(() => server.stop());

  it('is this machine, where the application itself names it', async () => {
    expect(await load({ url })).toHaveLength(1);
    expect(await load({ url: url.replace('127.0.0.1', 'localhost') })).toHaveLength(1);
  });

  it('is not this machine for a source of a tenant, unless it is allowed', async () => {
    const refused = await load({ url, owner: 'acme' });
    expect(refused).toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      message: expect.stringContaining('not public'),
      hint: expect.stringContaining('egress.allow'),
    });
    expect(await load({ url, owner: 'acme', egress: { allow: ['127.0.0.1'] } })).toHaveLength(1);
  });

  it.each([
    'http://0.0.0.0',
    'http://10.0.0.1',
    'http://169.254.169.254',
    'http://[::ffff:169.254.169.254]',
    'http://[fd00::1]',
    'http://192.168.0.1',
  ])('is not %s', async (host) => {
    const refused = (await load({ url: `${host}:${port}/mcp` })) as Error;
    expect(refused).toMatchObject({ code: 'SOURCE_UNAVAILABLE', message: expect.stringContaining('not public') });
  });

  it('is refused at boot where egress.allow is no host, address or range', () => {
    const made = () => new McpSource({ name: 'there', url, egress: { allow: ['http://x'] } });
    expect(made).toThrow(/egress\.allow\[0\] must be a host name, an address or a range/);
  });

  it('opens the circuit, so that a place that may not be called is not asked for in a loop', async () => {
    const source = new McpSource({ name: 'there', url, owner: 'acme' });
    for (let n = 0; n < 100; n++) {
      await expect(source.call('echo', {}, userOf('ada'), callOf())).rejects.toMatchObject({
        code: 'SOURCE_UNAVAILABLE',
      });
    }
    await source.close();
    expect(server.requests.length).toBeLessThan(50);
  });

  it('gets no second connection while one hangs', async () => {
    let connections = 0;
    const silent = createServer(() => undefined)
      .on('connection', () => (connections += 1))
      .listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const source = new McpSource({
      name: 'there',
      url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      loadTimeoutMs: 300,
    });
    const calls = Array.from({ length: 20 }, () =>
      source.call('echo', {}, userOf('ada'), callOf()).catch((error: { code: string }) => error.code),
    );
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['SOURCE_UNAVAILABLE']));
    expect(connections).toBeLessThanOrEqual(2);
    await source.close();
    silent.closeAllConnections();
    silent.close();
  });
});
