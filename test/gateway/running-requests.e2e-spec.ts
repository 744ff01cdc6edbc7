import type { Server, ServerResponse } from 'node:http';
import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { SlowContext } from './support/slow-context.js';
import { begin, initialize, legacy, LEGACY_VERSION, modern, open, send, type WireRequest } from './support/wire.js';

const HOUR_MS = 3_600_000;
const PONG = [{ type: 'text', text: 'pong' }];
const COUNTED = [{ type: 'text', text: 'all counted' }];
const PROGRESS = { _meta: { progressToken: 'p' } };

describe.each(ADAPTERS)('requests that run for long on %s', (adapter) => {
  const context = new SlowContext();
  let gateway: GatewayApp;
  let closed = 0;

  beforeAll(async () => {
    gateway = await startGatewayApp(adapter, {
      gateway: { confirm: { tools: ['shop.refund'], forMs: HOUR_MS } },
      options: { context: (request: { user?: object }) => context.of(request.user) as never },
    });
    (gateway.app.getHttpServer() as Server).on('request', (_, response: ServerResponse) => {
      response.on('close', () => closed++);
    });
  });
  afterAll(() => gateway.app.close());

  const callOf = (session: string, name: string, more: object = {}) =>
    legacy('tools/call', { name: `shop__${name}`, arguments: {}, ...more }, session);
  const withId = (request: WireRequest, id: unknown): WireRequest => ({
    ...request,
    body: { ...(request.body as object), id },
  });
  const idOf = ({ body }: WireRequest) => (body as { id: number }).id;
  const contentOf = ({ message }: { message: { result?: { content?: unknown } } }) => message.result?.content;

  /** A session of a client that shows forms. */
  async function beginSession(): Promise<string> {
    const { headers } = await send(gateway.url, initialize(LEGACY_VERSION, { elicitation: {} }));
    return String(headers['mcp-session-id']);
  }

  /** Sends a call with an id that was used, until that id is free. */
  async function whenFree(session: string, id: number) {
    for (;;) {
      const answer = await send(gateway.url, withId(callOf(session, 'ping'), id));
      if (answer.status !== 400) return answer;
      expect(answer.message).toMatchObject({ id, error: { code: -32600 } });
    }
  }

  async function until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise(setImmediate);
  }

  it('with one id in a session: the second one is refused, and the first one gets its own answer', async () => {
    const session = await beginSession();
    const slow = callOf(session, 'slow', PROGRESS);
    const stream = await open(gateway.url, slow);
    await stream.arrived(1);
    const running = await gateway.held.next();
    const twice = await send(gateway.url, withId(callOf(session, 'ping'), idOf(slow)));
    expect([twice.status, twice.message]).toMatchObject([400, { id: idOf(slow), error: { code: -32600 } }]);
    // Also while another request of the session is answered, and in another session of the same caller.
    expect(contentOf(await send(gateway.url, callOf(session, 'ping')))).toEqual(PONG);
    const other = await beginSession();
    expect(contentOf(await send(gateway.url, withId(callOf(other, 'ping'), idOf(slow))))).toEqual(PONG);
    running.release();
    expect(contentOf(await stream.ended)).toEqual(COUNTED);
    expect(contentOf(await send(gateway.url, withId(callOf(session, 'ping'), idOf(slow))))).toEqual(PONG);
  });

  it('with one id without a session: each gets its own answer', async () => {
    const slow = modern('tools/call', { name: 'shop__slow', arguments: {}, ...PROGRESS });
    const stream = await open(gateway.url, slow);
    await stream.arrived(1);
    const running = await gateway.held.next();
    const ping = withId(modern('tools/call', { name: 'shop__ping', arguments: {} }), idOf(slow));
    expect(contentOf(await send(gateway.url, ping))).toEqual(PONG);
    running.release();
    expect(contentOf(await stream.ended)).toEqual(COUNTED);
  });

  it('a request that was refused or cancelled leaves its id free', async () => {
    const session = await beginSession();
    const ping = callOf(session, 'ping');
    const refused = await send(gateway.url, { ...ping, headers: { ...ping.headers, 'mcp-protocol-version': '1999' } });
    expect(refused.status).toBe(400);
    expect(contentOf(await send(gateway.url, ping))).toEqual(PONG);
    const slow = callOf(session, 'slow', PROGRESS);
    const stream = await open(gateway.url, slow);
    await stream.arrived(1);
    const running = await gateway.held.next();
    await send(gateway.url, legacy('notifications/cancelled', { requestId: idOf(slow) }, session));
    await running.cancelled;
    await stream.ended;
    expect(contentOf(await send(gateway.url, withId(ping, idOf(slow))))).toEqual(PONG);
  });

  it('a call in a session continues when its client has left, and no other client gets its answer', async () => {
    const session = await beginSession();
    const slow = callOf(session, 'slow', PROGRESS);
    const stream = await open(gateway.url, slow);
    await stream.arrived(1);
    const running = await gateway.held.next();
    closed = 0;
    stream.close();
    await until(() => closed === 1);
    const twice = await send(gateway.url, withId(callOf(session, 'ping'), idOf(slow)));
    expect(twice.status).toBe(400);
    expect(running.call.signal.aborted).toBe(false);
    running.release();
    expect(contentOf(await whenFree(session, idOf(slow)))).toEqual(PONG);
  });

  it('a call whose client leaves while it is asked ends', async () => {
    const session = await beginSession();
    const refund = callOf(session, 'refund');
    const stream = await open(gateway.url, refund);
    expect((await stream.arrived(1))[0]).toMatchObject({ method: 'elicitation/create' });
    stream.close();
    expect(contentOf(await whenFree(session, idOf(refund)))).toEqual(PONG);
    expect(gateway.shop.calls.map(({ name }) => name)).not.toContain('refund');
  });

  it('a call whose client has left before it is asked ends', async () => {
    const session = await beginSession();
    const refund = callOf(session, 'refund');
    context.hold();
    closed = 0;
    const { outgoing } = begin(gateway.url, refund);
    await until(() => context.asked === 1);
    outgoing.destroy();
    await until(() => closed === 1);
    context.release();
    expect(contentOf(await whenFree(session, idOf(refund)))).toEqual(PONG);
    expect(gateway.shop.calls.map(({ name }) => name)).not.toContain('refund');
  });

  it('a call that was confirmed goes on when its client has left', async () => {
    const session = await beginSession();
    const refund = callOf(session, 'refund');
    const stream = await open(gateway.url, refund);
    const [question] = await stream.arrived(1);
    const answer = { jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: { confirm: true } } };
    // The rights of its caller are asked for the answer, and again before the call runs.
    context.hold();
    const answered = send(gateway.url, { ...legacy('', {}, session), body: answer });
    await until(() => context.asked === 1);
    context.hold();
    expect((await answered).status).toBe(202);
    await until(() => context.asked === 1);
    closed = 0;
    stream.close();
    await until(() => closed === 1);
    context.release();
    expect(contentOf(await whenFree(session, idOf(refund)))).toEqual(PONG);
    expect(gateway.shop.calls.map(({ name }) => name)).toContain('refund');
  });

  it('a call that is asked ends with its session', async () => {
    const session = await beginSession();
    const stream = await open(gateway.url, callOf(session, 'refund'));
    await stream.arrived(1);
    await send(gateway.url, { method: 'DELETE', headers: { 'mcp-session-id': session } });
    await stream.ended;
    const late = await send(gateway.url, {
      ...legacy('', {}, session),
      body: { jsonrpc: '2.0', id: 0, result: { action: 'accept', content: { confirm: true } } },
    });
    expect(late.status).toBe(404);
  });
});
