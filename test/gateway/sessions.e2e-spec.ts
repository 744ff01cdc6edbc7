import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { initialize, legacy, open, send, WireCaller } from './support/wire.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const GET = { method: 'GET', headers: { accept: 'text/event-stream' } };

describe.each(ADAPTERS)('legacy sessions on %s', (adapter) => {
  let gateway: GatewayApp;
  const statusOf = async (caller: WireCaller) => (await send(gateway.url, caller.request('tools/list'))).status;

  beforeAll(async () => {
    gateway = await startGatewayApp(adapter, {
      gateway: {
        sessions: { maxPerCaller: 3, max: 5 },
        streams: { maxPerCaller: 2 },
        profiles: { support: { allow: ['shop.*'] } },
      },
    });
  });
  afterAll(() => gateway.app.close());
  afterEach(async () => {
    // Every test begins without sessions.
    for (let n = 0; n < 3; n++) for (const token of ['acme.ann', 'acme.eve', 'globex.bob']) await endAll(token);
  });
  const begun: { id: string; token: string }[] = [];
  const endAll = async (token: string) => {
    for (const each of begun.filter((own) => own.token === token)) {
      await send(gateway.url, { method: 'DELETE', token, headers: { 'mcp-session-id': each.id } });
    }
  };
  const begin = async (token = 'acme.ann', path = '/mcp') => {
    const caller = await WireCaller.of(gateway.url, 'legacy', { token, path });
    begun.push({ id: caller.session!, token });
    return caller;
  };

  it.each(['2025-11-25', '2025-06-18'])('speak revision %s', async (version) => {
    const { message, headers } = await send(gateway.url, initialize(version));
    begun.push({ id: String(headers['mcp-session-id']), token: 'acme.ann' });
    expect(message.result.protocolVersion).toBe(version);
  });

  it('offer their newest revision to a client that asks for another', async () => {
    const { message, headers } = await send(gateway.url, initialize('1999-01-01'));
    begun.push({ id: String(headers['mcp-session-id']), token: 'acme.ann' });
    expect(message.result.protocolVersion).toBe('2025-11-25');
  });

  it.each(['GET', 'DELETE'])('answer %s without a session with 405, with an unknown one with 404', async (method) => {
    const accept = { accept: 'text/event-stream' };
    const without = await send(gateway.url, { method, headers: accept });
    expect([without.status, without.headers.allow]).toEqual([405, 'POST']);
    const unknown = await send(gateway.url, { method, headers: { ...accept, 'mcp-session-id': UNKNOWN } });
    expect([unknown.status, unknown.message.error.code]).toEqual([404, -32001]);
  });

  it.each(['POST', 'GET', 'DELETE'])("answer %s on another caller's session like on an unknown one", async (method) => {
    const own = await begin('acme.ann');
    const ask = (session: string, token: string) => {
      const message = method === 'POST' ? legacy('tools/list', {}, session) : {};
      const headers = { accept: 'application/json, text/event-stream', 'mcp-session-id': session };
      return send(gateway.url, { ...message, method, token, headers });
    };
    const unknown = await ask(UNKNOWN, 'acme.eve');
    for (const token of ['acme.eve', 'globex.bob']) {
      const foreign = await ask(own.session!, token);
      expect([foreign.status, foreign.text]).toEqual([
        404,
        unknown.text.replace(/"id":\d+/, /"id":\d+/.exec(foreign.text)?.[0] ?? ''),
      ]);
    }
    expect(await statusOf(own)).toBe(200);
  });

  it('belong to their URL', async () => {
    const own = await begin('acme.ann', '/mcp/all');
    const elsewhere = await send(gateway.url, { ...legacy('tools/list', {}, own.session), path: '/mcp/p/support' });
    expect([elsewhere.status, elsewhere.message.error.code]).toEqual([404, -32001]);
    expect(await statusOf(own)).toBe(200);
  });

  it('end by DELETE, with their stream', async () => {
    const own = await begin();
    const stream = await own.listen();
    const { status } = await send(gateway.url, { method: 'DELETE', headers: { 'mcp-session-id': own.session! } });
    expect(status).toBe(200);
    await stream.ended;
    expect(await statusOf(own)).toBe(404);
  });

  it('have one stream each', async () => {
    const own = await begin();
    const stream = await own.listen();
    expect((await own.listen()).status).toBe(409);
    stream.close();
  });

  it('are bounded for each caller: the least recently used one ends', async () => {
    const [first, second, third] = [await begin(), await begin(), await begin()];
    expect(await statusOf(first!)).toBe(200);
    const fourth = await begin();
    expect(await Promise.all([first!, second!, third!, fourth].map(statusOf))).toEqual([200, 404, 200, 200]);
  });

  it('are bounded for each caller when many begin at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => begin()));
    const statuses = await Promise.all(all.map(statusOf));
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  });

  it('are bounded for the process: the least recently used one of the tenant that has most ends', async () => {
    const own = [await begin(), await begin(), await begin()];
    const [eve, bob] = [await begin('acme.eve'), await begin('globex.bob')];
    expect(await statusOf(own[0]!)).toBe(200);
    const again = await begin('globex.bob');
    expect(await Promise.all([...own, eve, bob, again].map(statusOf))).toEqual([200, 404, 200, 200, 200, 200]);
  });

  it('take no room when initialize is refused', async () => {
    for (let n = 0; n < 6; n++) {
      const refused = await send(gateway.url, { ...initialize(), headers: { accept: 'text/html' } });
      expect(refused.status).toBe(406);
    }
    const callers = ['acme.ann', 'acme.ann', 'acme.ann', 'acme.eve', 'globex.bob'];
    for (const token of callers) await begin(token);
  });

  it('end for a caller whose token was revoked, and its stream too', async () => {
    const own = await begin('globex.bob');
    gateway.revoked.add('globex.bob');
    const answer = await send(gateway.url, own.request('tools/list'));
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    gateway.revoked.delete('globex.bob');
    expect(await statusOf(own)).toBe(200);
  });

  it('free the room of a stream whose client has left', async () => {
    const own = await begin();
    for (let n = 0; n < 4; n++) {
      const stream = await open(gateway.url, { ...GET, headers: { ...GET.headers, 'mcp-session-id': own.session! } });
      expect(stream.status).toBe(200);
      stream.close();
      // The next stream of this session is refused until the server has noticed.
      for (;;) {
        const next = await own.listen();
        next.close();
        if (next.status === 200) break;
        expect([409, 429]).toContain(next.status);
      }
    }
  });
});
