import { lookup } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { isToolSearchError } from '../tool/tool-search.error.js';
import { AddressRules } from './address-rules.js';
import { Egress, isEgressRefused, namedLoopback } from './egress.js';

jest.mock('node:dns', () => ({ ...jest.requireActual<object>('node:dns'), lookup: jest.fn() }));

/** Host names and the addresses they resolve to, one per lookup; the last one repeats. */
function names(table: Record<string, string[][]>) {
  jest.mocked(lookup).mockImplementation(((
    host: string,
    _options: unknown,
    callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
  ) => {
    const answers = table[host] ?? [];
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    if (addresses.length === 0) return callback(new Error('ENOTFOUND'), []);
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as never);
}

describe('Egress', () => {
  let server: Server;
  let port: number;
  const opened: Egress[] = [];
  const egress = (...allow: string[]) => {
    const made = new Egress({ allow });
    opened.push(made);
    return made;
  };
  const refused = async (work: Promise<unknown>) => isEgressRefused(await work.catch((error: unknown) => error));

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      else if (request.url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain'));
      else if (request.url === '/cut')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain').subarray(0, 12));
      else response.end(`${request.method} ${String(request.headers['x-key'])}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));
  afterAll(() => server.close());

  it.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://0.0.0.0',
    'http://10.0.0.1',
    'http://172.16.5.4',
    'http://192.168.1.1',
    'http://100.64.0.1',
    'http://169.254.169.254',
    'http://198.18.0.1',
    'http://224.0.0.1',
    'http://255.255.255.255',
    'http://[::]',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:a9fe:a9fe]',
    'http://[64:ff9b::7f00:1]',
    'http://[2002:7f00:1::]',
    'http://[::127.0.0.1]',
    'http://[::7f00:1]',
    'http://[::1:7f00:1]',
    'http://[64:ff9b:1::7f00:1]',
    'http://[fec0::1]',
    'http://[8000::1]',
    'http://[fd00::1]',
    'http://[fe80::1]',
    'http://[ff02::1]',
    'http://[2001:db8::1]',
    'http://inside.example',
    'http://inside.example.',
    'http://both.example',
    'http://mapped.example',
    'http://metadata.example',
    'http://v6.example',
    'http://dressed.example',
    'http://odd.example',
  ])('does not go to %s', async (url) => {
    names({
      'inside.example': [['127.0.0.1']],
      'inside.example.': [['127.0.0.1']],
      'both.example': [['10.0.0.1', '::1']],
      'mapped.example': [['::ffff:127.0.0.1']],
      'metadata.example': [['169.254.169.254']],
      'v6.example': [['fd12:3456::1']],
      'dressed.example': [['::10.0.0.1', '::a00:1']],
      'odd.example': [['no address']],
    });
    expect(await refused(egress().fetch(`${url}:${port}`))).toBe(true);
    expect(await refused(egress().request(`${url}:${port}`))).toBe(true);
  });

  it('looks at the address that is connected to, not at the one of an earlier lookup', async () => {
    names({ 'rebound.example': [['203.0.114.9'], ['127.0.0.1']] });
    const out = egress();
    const first = await out.fetch(`http://rebound.example:${port}`, { signal: AbortSignal.timeout(50) }).catch(Error);
    expect(isEgressRefused(first)).toBe(false);
    expect(await refused(out.fetch(`http://rebound.example:${port}`))).toBe(true);
  });

  it.each([
    ['an address', '127.0.0.1', 'http://127.0.0.1'],
    ['a range', '127.0.0.0/8', 'http://127.0.0.1'],
    ['a range, by name', '127.0.0.0/8', 'http://inside.example'],
    ['a name', 'Inside.Example', 'http://inside.example'],
    ['a name with a dot at its end', 'inside.example', 'http://inside.example.'],
  ])('goes where the options allow %s', async (_, allow, url) => {
    names({ 'inside.example': [['127.0.0.1']], 'inside.example.': [['127.0.0.1']] });
    const response = await egress(allow).fetch(`${url}:${port}`, { method: 'POST', headers: { 'x-key': 'k' } });
    expect(await response.text()).toBe('POST k');
  });

  it('takes of several addresses one that is permitted', async () => {
    names({ 'both.example': [['10.0.0.1', '127.0.0.1']] });
    const response = await egress('127.0.0.1').fetch(`http://both.example:${port}`);
    expect(response.status).toBe(200);
  });

  it('hands a redirect over instead of following it', async () => {
    const response = await egress('127.0.0.1').fetch(`http://127.0.0.1:${port}/moved`);
    expect([response.status, response.headers.get('location')]).toEqual([302, 'http://169.254.169.254/']);
  });

  describe('without web streams', () => {
    const sent = (path: string) => egress('127.0.0.1').request(`http://127.0.0.1:${port}${path}`);

    it('sends method, headers and body, and gives the answer as a stream', async () => {
      const headers = new Headers({ 'x-key': 'k' });
      const init = { method: 'POST', headers, body: 'words' };
      const { status, body } = await egress('127.0.0.1').request(`http://127.0.0.1:${port}`, init);
      expect([status, await text(body)]).toEqual([200, 'POST k']);
    });

    it('hands a redirect over, with the names of its headers in lower case', async () => {
      const { status, headers, body } = await sent('/moved');
      body.resume();
      expect([status, headers['location']]).toEqual([302, 'http://169.254.169.254/']);
    });

    it('decompresses, and reports a compressed body that ends too early to its reader', async () => {
      expect(await text((await sent('/gzip')).body)).toBe('plain');
      await expect(text((await sent('/cut')).body)).rejects.toThrow('unexpected end of file');
    });
  });

  it('does not take a failure of another kind for a refusal', async () => {
    names({});
    expect(await refused(egress().fetch('http://nowhere.example'))).toBe(false);
  });

  it.each(['', '10.0.0.0/33', 'http://host', '*.example', '1.2.3', 'a b', '::1/x'])(
    'refuses %j in its options',
    (entry) => {
      const made = () => egress(entry);
      expect(made).toThrow(/names no place/);
      try {
        made();
      } catch (error) {
        expect(isToolSearchError(error) && error.code).toBe('INVALID_CONFIGURATION');
      }
    },
  );
});

describe('AddressRules', () => {
  it.each([
    ['http://localhost:3000/mcp', true],
    ['http://LOCALHOST./mcp', true],
    ['http://10.1.2.3', true],
    ['http://[fd00::1]:8080', true],
    ['http://[::ffff:10.1.2.3]', true],
    ['http://billing.internal', true],
    // Allowed as everything public is.
    ['https://api.example.com', false],
    ['http://8.8.8.8', false],
    // Not allowed.
    ['http://192.168.1.1', false],
    ['http://169.254.169.254', false],
    // What a name resolves to is not known.
    ['http://ten.example', false],
  ])('namesPrivate() of %s is %s', (url, isPrivate) => {
    const rules = new AddressRules({ allow: ['localhost', '10.0.0.0/8', 'fd00::/8', 'billing.internal', '8.8.8.8'] });
    expect(rules.namesPrivate(url)).toBe(isPrivate);
  });
});

describe('namedLoopback', () => {
  it.each([
    ['http://localhost:3000/mcp', ['localhost']],
    ['http://127.0.0.1:8080', ['127.0.0.1']],
    ['http://[::1]/', ['::1']],
    ['http://0x7f000001/', ['127.0.0.1']],
    ['http://localhost.example', []],
    ['http://10.0.0.1', []],
    ['http://169.254.169.254', []],
    ['https://api.example.com', []],
  ])('takes %s for %j', (url, hosts) => {
    expect(namedLoopback(url)).toEqual(hosts);
  });
});
