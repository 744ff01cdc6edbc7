import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { bodyOf, readBody } from './request-body.js';

const LIMIT = 1024;

describe('readBody', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((incoming, outgoing) => {
      void readBody(incoming, LIMIT).then(() => {
        read.push({ ...bodyOf(incoming), left: incoming.headers });
        outgoing.end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => void server.close());
  const read: (ReturnType<typeof bodyOf> & { left: IncomingMessage['headers'] })[] = [];
  beforeEach(() => void read.splice(0));

  async function sent(chunks: readonly string[], headers: Record<string, string> = {}) {
    const { port } = server.address() as AddressInfo;
    const outgoing = request({ port, agent: false, method: 'POST', headers: { 'content-type': 'text/x', ...headers } });
    for (const chunk of chunks) outgoing.write(chunk);
    outgoing.end();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    answer.resume();
    return read[0]!;
  }

  it.each([
    ['in one part', ['{"a":1}'], { a: 1 }],
    ['in many parts', ['{"a"', ':', '"ä"}'], { a: 'ä' }],
    ['of the size of the limit', [`"${'x'.repeat(LIMIT - 2)}"`], 'x'.repeat(LIMIT - 2)],
    ['that is empty', [], undefined],
    ['null', ['null'], null],
  ])('reads a body %s', async (_, chunks, value) => {
    expect((await sent(chunks)).body).toEqual({ value, exactNumbers: true });
  });

  it('notes a whole number that was rounded', async () => {
    expect((await sent(['{"a":9007199254740993}'])).body).toEqual({ value: { a: 2 ** 53 }, exactNumbers: false });
  });

  it.each([
    ['one byte larger than the limit', [`"${'x'.repeat(LIMIT - 1)}"`], 413, -32600],
    ['that grows past the limit', ['"', ...Array<string>(20).fill('x'.repeat(100)), '"'], 413, -32600],
    ['that is no JSON', ['{'], 400, -32700],
    ['with a key twice', ['{"a":1,"a":2}'], 400, -32600],
  ])('refuses a body %s', async (_, chunks, status, rpcCode) => {
    expect((await sent(chunks)).body).toMatchObject({ refusal: { status, rpcCode } });
  });

  it('leaves nothing for the parsers of the application', async () => {
    const { contentType, left } = await sent(['{"a":1}'], { 'x-own': 'b' });
    expect(contentType).toBe('text/x');
    expect(left).toMatchObject({ 'x-own': 'b' });
    for (const header of ['content-type', 'content-length', 'transfer-encoding'])
      expect(left).not.toHaveProperty(header);
  });

  it('ends with a client that leaves in the middle of its body', async () => {
    const { port } = server.address() as AddressInfo;
    const outgoing = request({ port, agent: false, method: 'POST', headers: { 'content-length': '100' } });
    outgoing.on('error', () => undefined).write('{');
    const [incoming] = (await once(server, 'request')) as [IncomingMessage];
    outgoing.destroy();
    incoming.on('error', () => undefined);
    while (read.length === 0) await new Promise(setImmediate);
    expect(read[0]!.body).toMatchObject({ refusal: { status: 400, rpcCode: -32700 } });
  });

  it('knows no body of a request that it has not read', () => {
    expect(bodyOf({} as IncomingMessage)).toMatchObject({ body: { refusal: { status: 400 } } });
  });
});
