import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { sendResponse } from './send-response.js';

describe('sendResponse', () => {
  let server: Server;
  let answer: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
  beforeAll(async () => {
    server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => void server.close());

  /** Asks the server, and resolves when the headers have come. */
  async function asked(work: (outgoing: ServerResponse) => Response, stalledMs = 600_000) {
    let settle: (outgoing: ServerResponse) => void = () => undefined;
    const sent = new Promise<ServerResponse>((resolve) => (settle = resolve));
    answer = async (_, outgoing) => {
      await sendResponse(work(outgoing), outgoing, stalledMs);
      settle(outgoing);
    };
    const outgoing = request({ port: (server.address() as AddressInfo).port, agent: false });
    outgoing.on('error', () => undefined).end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    incoming.on('error', () => undefined);
    return { incoming, outgoing, sent };
  }

  async function textOf(incoming: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  }

  const STREAM = { headers: { 'content-type': 'text/event-stream' } };
  const endless = (cancelled: () => void) =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
        cancel: () => cancelled(),
      }),
      STREAM,
    );

  it('writes status, headers and body', async () => {
    const { incoming, sent } = await asked(() => Response.json({ a: 1 }, { status: 418, headers: { 'x-own': 'b' } }));
    expect([incoming.statusCode, incoming.headers['x-own'], await textOf(incoming)]).toEqual([418, 'b', '{"a":1}']);
    await sent;
  });

  it('keeps the challenge of a guard, which says where to get a token', async () => {
    const own = 'Bearer resource_metadata="https://app.example/.well-known/oauth-protected-resource"';
    const { incoming } = await asked((outgoing) => {
      outgoing.setHeader('WWW-Authenticate', own);
      return Response.json({}, { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
    });
    expect(incoming.headers['www-authenticate']).toBe(own);
  });

  it('writes a response without a body', async () => {
    const { incoming } = await asked(() => new Response(null, { status: 202 }));
    expect([incoming.statusCode, await textOf(incoming)]).toEqual([202, '']);
  });

  it('sends the headers of an event stream before its first event', async () => {
    let push: (text: string) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        push = (text) => {
          controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        };
      },
    });
    const { incoming } = await asked(() => new Response(body, STREAM));
    expect(incoming.statusCode).toBe(200);
    push('data: 1\n\n');
    expect(await textOf(incoming)).toBe('data: 1\n\n');
  });

  it('disconnects a client that does not read, and cancels the stream', async () => {
    let isCancelled = false;
    const { incoming, sent } = await asked(() => endless(() => (isCancelled = true)), 100);
    incoming.pause();
    expect((await sent).destroyed).toBe(true);
    expect(isCancelled).toBe(true);
  });

  it('cancels the stream of a client that has left', async () => {
    let isCancelled = false;
    const { outgoing, sent } = await asked(() => endless(() => (isCancelled = true)));
    outgoing.destroy();
    await sent;
    expect(isCancelled).toBe(true);
  });

  it('ends the connection when the stream fails', async () => {
    let fail: () => void = () => undefined;
    const body = new ReadableStream({ start: (controller) => (fail = () => controller.error(new Error('broken'))) });
    const { incoming, sent } = await asked(() => new Response(body, STREAM));
    fail();
    await expect(textOf(incoming)).rejects.toThrow('aborted');
    expect((await sent).destroyed).toBe(true);
  });

  it('cancels a response for a client that is already gone', async () => {
    let isCancelled = false;
    let settle: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => (settle = resolve));
    answer = async (_, outgoing) => {
      outgoing.destroy();
      await once(outgoing, 'close');
      await sendResponse(
        endless(() => (isCancelled = true)),
        outgoing,
        100,
      );
      settle();
    };
    request({ port: (server.address() as AddressInfo).port, agent: false })
      .on('error', () => undefined)
      .end();
    await sent;
    expect(isCancelled).toBe(true);
  });
});
