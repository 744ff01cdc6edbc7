import { CUT_NOTE } from '@tool-search/core/internal';
import { McpSource } from '@tool-search/mcp';
import { ECHO, MisbehavingMcpServer } from '../support/misbehaving-mcp-server.js';
import { ADAPTERS, type GatewayApp, SECRET, startGatewayApp } from './support/gateway-app.js';
import { codeOf, type Era, ERAS, legacy, open, send, WireCaller } from './support/wire.js';

const CASES = ADAPTERS.flatMap((adapter) => ERAS.map((era) => ({ adapter, era })));
/** The ways to call a tool: by its listed name, by its own name, and through the bridge. */
const WAYS = [
  ['by its listed name', '/mcp/all', (tool: string, input: object) => ({ name: `shop__${tool}`, arguments: input })],
  ['by its own name', '/mcp', (tool: string, input: object) => ({ name: `shop.${tool}`, arguments: input })],
  [
    'through the bridge',
    '/mcp',
    (tool: string, input: object) => ({ name: 'tool_call', arguments: { name: `shop.${tool}`, arguments: input } }),
  ],
] as const;

describe.each(CASES)('calls of a $era client on $adapter', ({ adapter, era }) => {
  const upstream = new MisbehavingMcpServer('2025-11-25');
  let gateway: GatewayApp;
  let caller: WireCaller;
  let other: WireCaller;

  beforeAll(async () => {
    upstream.tools = [ECHO];
    const up = new McpSource({ name: 'up', url: await upstream.start(), changes: 'trust' });
    gateway = await startGatewayApp(adapter, {
      options: { sources: [up], catalog: { bootWaitMs: 600_000 }, calls: { maxResultBytes: 50_000 } },
    });
    caller = await WireCaller.of(gateway.url, era, { path: '/mcp/all' });
    other = await WireCaller.of(gateway.url, era, { token: 'acme.eve', path: '/mcp/all' });
  });
  afterAll(async () => {
    await gateway.app.close();
    await upstream.stop();
  });

  describe.each(WAYS)('%s', (_, path, of) => {
    it('carry content of every kind', async () => {
      const own = await WireCaller.of(gateway.url, era, { path });
      const result = async (tool: string) => (await own.ask('tools/call', of(tool, {}))).result;
      expect(await result('refund')).toMatchObject({ structuredContent: { refunded: true } });
      expect(await result('stock')).toMatchObject({ structuredContent: { count: 7 } });
      expect(await result('picture')).toMatchObject({ content: [{ type: 'image', mimeType: 'image/png' }] });
      expect(await result('manual')).toMatchObject({
        content: [{ type: 'resource_link', uri: 'https://example.com/manual.pdf', name: 'Manual' }],
      });
      expect(await result('receipt')).toMatchObject({
        content: [{ type: 'resource', resource: { uri: 'order:7', text: 'paid' } }],
      });
    });

    it('take a large number as it was written, and refuse one that was rounded', async () => {
      const own = await WireCaller.of(gateway.url, era, { path, token: 'acme.nina' });
      const result = async (number: string) => {
        const request = own.request('tools/call', of('echo', { number: 'NUMBER' }));
        const body = JSON.stringify(request.body).replace('"NUMBER"', number);
        return (await send(own.url, { ...request, body })).message;
      };
      for (const number of ['6.02e23', '1e16', '10000000000000000', '-0.0']) {
        const { content } = (await result(number)).result;
        expect(JSON.parse(content[0].text)).toEqual({ number: Number(number) + 0 });
      }
      for (const number of ['9007199254740993', '1e400']) {
        expect(codeOf(await result(number))).toBe('INVALID_ARGUMENTS');
      }
    });

    it('are seen as calls of the tool, never of a bridge', async () => {
      const own = await WireCaller.of(gateway.url, era, { path, token: `acme.${era}` });
      const before = gateway.events.length;
      await own.ask('tools/call', of('refund', {}));
      const tools = gateway.events.slice(before).flatMap((event) => ('tool' in event ? [event.tool] : []));
      expect(new Set(tools)).toEqual(new Set(['shop.refund']));
      expect(gateway.events.slice(before)).toContainEqual(
        expect.objectContaining({ type: 'tool.called', tool: 'shop.refund', outcome: 'ok', tenantId: 'acme' }),
      );
    });

    it('report progress on their own stream', async () => {
      const own = await WireCaller.of(gateway.url, era, { path });
      const listening = await own.listen();
      const stream = await open(
        gateway.url,
        own.request('tools/call', { ...of('slow', {}), _meta: { progressToken: 'p7' } }),
      );
      const [progress] = await stream.arrived(1);
      expect(progress).toMatchObject({
        method: 'notifications/progress',
        params: { progressToken: 'p7', progress: 1, total: 2, message: 'half of it' },
      });
      (await gateway.held.next()).release();
      const { message } = await stream.ended;
      expect(message.result.content).toEqual([{ type: 'text', text: 'all counted' }]);
      expect(listening.messages.filter(({ method }) => method === 'notifications/progress')).toEqual([]);
      listening.close();
    });

    it('are cut at the limit of a result, and shortened', async () => {
      const own = await WireCaller.of(gateway.url, era, { path });
      const { result } = await own.ask('tools/call', of('dump', {}));
      expect(JSON.stringify(result).length).toBeLessThan(12_000);
      expect(result.content.slice(1)).toEqual([
        { type: 'text', text: CUT_NOTE },
        { type: 'text', text: expect.stringContaining('50000 characters') },
      ]);
    });

    it('do not contain what a tool threw', async () => {
      const own = await WireCaller.of(gateway.url, era, { path });
      const { result } = await own.ask('tools/call', of('broken', {}));
      expect(result).toMatchObject({ isError: true, _meta: { 'tool-search/code': expect.any(String) } });
      expect(JSON.stringify(result)).not.toContain(SECRET);
    });

    it('are refused from the next one after a kill switch', async () => {
      const own = await WireCaller.of(gateway.url, era, { path });
      const absent = await own.ask('tools/call', of('no_such', {}));
      const turnOn = await gateway.turnOff('shop.refund');
      const refused = await own.ask('tools/call', of('refund', {}));
      await turnOn();
      expect(withoutId(refused)).toEqual(withoutId(absent));
      expect((await own.ask('tools/call', of('refund', {}))).result.structuredContent).toEqual({ refunded: true });
    });
  });

  it('of 16 clients that call all the time are refused from the acknowledgement of a kill switch on', async () => {
    let isOff = false;
    let wake = () => undefined as void;
    const warm = new Promise<void>((resolve) => (wake = resolve));
    const before: string[] = [];
    const after: string[] = [];
    const loop = async (n: number) => {
      const [, path, of] = WAYS[n % WAYS.length]!;
      const own = await WireCaller.of(gateway.url, era, { path, token: `acme.looper${n % 4}` });
      for (let left = 10; left > 0;) {
        const answers = isOff ? after : before;
        if (isOff) left--;
        answers.push(codeOf(await own.ask('tools/call', of('refund', {}))));
        if (before.length === 50) wake();
      }
    };
    const loops = Promise.all(Array.from({ length: 16 }, (_, n) => loop(n)));
    await Promise.race([warm, loops]);
    const turnOn = await gateway.turnOff('shop.refund');
    isOff = true;
    await loops;
    await turnOn();
    expect(before).toContain('ok');
    expect(after).toEqual(Array(160).fill('TOOL_NOT_AVAILABLE'));
  });

  it('are cancelled by their client', async () => {
    const request = caller.request('tools/call', { name: 'shop__slow', arguments: {}, _meta: { progressToken: 1 } });
    const stream = await open(gateway.url, request);
    await stream.arrived(1);
    const running = await gateway.held.next();
    await cancel(era, stream, caller, (request.body as { id: number }).id);
    await running.cancelled;
    // Of a session, the server ends the stream: its client may wait for that.
    await stream.ended;
    // The caller is served on.
    expect((await caller.call('shop__ping')).result.content).toEqual([{ type: 'text', text: 'pong' }]);
  });

  it('are not cancelled by another caller', async () => {
    const request = caller.request('tools/call', { name: 'shop__slow', arguments: {}, _meta: { progressToken: 1 } });
    const stream = await open(gateway.url, request);
    await stream.arrived(1);
    const running = await gateway.held.next();
    const { id } = request.body as { id: number };
    for (const session of [other.session, caller.session]) {
      const notification = { ...legacy('notifications/cancelled', { requestId: id }, session), path: '/mcp/all' };
      await send(gateway.url, { ...notification, token: 'acme.eve' });
    }
    running.release();
    expect((await stream.ended).message.result.content).toEqual([{ type: 'text', text: 'all counted' }]);
  });

  it('of a server that dies during the call fail with a code, and other clients do not notice', async () => {
    const { port } = new URL(upstream.url);
    upstream.mischief = {
      'tools/call': ({ res }) => void res.writeHead(200, { 'content-length': '100' }).write('{"', () => res.destroy()),
    };
    const [died, served] = await Promise.all([caller.call('up__echo', { words: 'hello' }), other.call('shop__ping')]);
    expect(died.result).toMatchObject({
      isError: true,
      _meta: { 'tool-search/code': expect.stringMatching(/^(UPSTREAM|SOURCE)_/) },
    });
    for (const secret of ['127.0.0.1', port, 'socket', 'ECONN', 'stack'])
      expect(JSON.stringify(died)).not.toContain(secret);
    expect(served.result.content).toEqual([{ type: 'text', text: 'pong' }]);
    await upstream.stop();
    const gone = await caller.call('up__echo', { words: 'hello' });
    expect(gone.result).toMatchObject({ isError: true });
    expect((await other.call('shop__ping')).result.content).toEqual([{ type: 'text', text: 'pong' }]);
  });
});

describe.each(CASES)('at shutdown, for a $era client on $adapter', ({ adapter, era }) => {
  it('streams end, running calls are answered, and new ones are refused', async () => {
    const gateway = await startGatewayApp(adapter, { gateway: { drainMs: 600_000 } });
    const caller = await WireCaller.of(gateway.url, era, { path: '/mcp/all' });
    const listening = await caller.listen();
    const stream = await open(
      gateway.url,
      caller.request('tools/call', { name: 'shop__slow', arguments: {}, _meta: { progressToken: 1 } }),
    );
    await stream.arrived(1);
    const running = await gateway.held.next();
    const closed = gateway.app.close();
    await listening.ended;
    const refused = await send(gateway.url, caller.request('tools/list'));
    expect([refused.status, refused.message.error.code, refused.headers['retry-after']]).toEqual([503, -32603, '1']);
    running.release();
    expect((await stream.ended).message.result.content).toEqual([{ type: 'text', text: 'all counted' }]);
    await closed;
  });

  it('calls that take longer than drainMs are cancelled', async () => {
    const gateway = await startGatewayApp(adapter, { gateway: { drainMs: 0 } });
    const caller = await WireCaller.of(gateway.url, era, { path: '/mcp/all' });
    const stream = await open(
      gateway.url,
      caller.request('tools/call', { name: 'shop__slow', arguments: {}, _meta: { progressToken: 1 } }),
    );
    await stream.arrived(1);
    const running = await gateway.held.next();
    const closed = gateway.app.close();
    await Promise.all([running.cancelled, stream.ended]);
    await closed;
  });
});

/** Without a session a call ends with its stream; in a session a notification says so. */
async function cancel(era: Era, stream: { close(): void }, caller: WireCaller, requestId: number): Promise<void> {
  if (era === 'modern') return stream.close();
  const { status } = await send(caller.url, caller.request('notifications/cancelled', { requestId }));
  expect(status).toBe(202);
}

function withoutId(message: object): object {
  return { ...message, id: undefined };
}
