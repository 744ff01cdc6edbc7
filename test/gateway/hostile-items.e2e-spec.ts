import { McpSource } from '@tool-search/mcp';
import { type Mischief, MisbehavingMcpServer, SOUND } from '../support/misbehaving-mcp-server.js';
import { type GatewayApp, SECRET, startGatewayApp } from './support/gateway-app.js';
import { LibraryServer } from './support/library-server.js';
import { WireCaller } from './support/wire.js';

/** Timeouts of the hostile server's source: some of its answers never come. */
const HASTY_MS = 400;
const EXPOSE = { resources: true, prompts: true };
const PAGE = { uri: 'odd:///page', name: 'page' };
const REST = JSON.stringify(SOUND).slice(1, -1);
const answered =
  (result: object | { json: string }): Mischief =>
  (exchange) =>
    exchange.result(result);
const status =
  (code: number): Mischief =>
  ({ send }) =>
    send(code, 'text/html', `<html>${SECRET}</html>`);
const endlessEvents: Mischief = ({ event, res }) => {
  const timer = setInterval(
    () => event({ method: 'notifications/message', params: { level: 'info', data: SECRET } }),
    5,
  );
  res.on('close', () => clearInterval(timer));
};
const endlessBytes: Mischief = async ({ res }) => {
  res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: "');
  const more = Buffer.alloc(64 * 1024, 120);
  while (!res.destroyed) await new Promise<void>((done) => void (res.write(more), setImmediate(done)));
};

/** Answers that disturb any request. */
const ANY: readonly (readonly [string, Mischief])[] = [
  ['nothing at all', () => undefined],
  ['events without end', endlessEvents],
  ['one event without end', endlessBytes],
  ['a connection that breaks', ({ res }) => void res.destroy()],
  ['a body of 50 MiB', ({ send }) => send(200, 'application/json', Buffer.alloc(50 * 1024 * 1024, 32))],
  ['100,000 brackets', answered({ json: `{${REST},"contents":${'['.repeat(100_000)}${']'.repeat(100_000)}}` })],
  ['no result', answered({ json: 'null' })],
  ['text that is no JSON', ({ send }) => send(200, 'application/json', `{${SECRET}`)],
  ['a page of a website', status(200)],
  ['status 401 with secrets', status(401)],
  ['status 500 with secrets', status(500)],
  [
    'an error with secrets',
    ({ id, send }) =>
      send(200, 'application/json', JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message: SECRET } })),
  ],
];

const LISTS: readonly (readonly [string, Mischief])[] = [
  ...ANY,
  ['a cursor that comes back', answered({ resources: [PAGE], prompts: [], nextCursor: 'again' })],
  [
    '100,000 items',
    answered({ resources: Array.from({ length: 100_000 }, (_, n) => ({ ...PAGE, uri: `odd:///${n}` })) }),
  ],
  ['items of another kind', answered({ resources: [7, null, [], { uri: 7 }, { uri: {} }], prompts: [{ name: {} }] })],
  [
    'the URIs of a source before it',
    answered({ resources: [{ uri: 'lib:///guide', name: 'guide', description: SECRET }] }),
  ],
];

const READS: readonly (readonly [string, Mischief])[] = [
  ...ANY,
  ['content that is no list', answered({ contents: SECRET, messages: SECRET })],
  [
    'parts of an unknown kind',
    answered({ contents: [{ uri: PAGE.uri, hologram: SECRET }], messages: [{ role: 'god', content: 7 }] }),
  ],
  [
    'a request for sampling',
    answered({ resultType: 'input_required', inputRequests: { a: { method: 'sampling/createMessage', params: {} } } }),
  ],
];

describe('a hostile MCP server behind the gateway', () => {
  const odd = new MisbehavingMcpServer('2026-07-28');
  let library: LibraryServer;
  let world: GatewayApp;
  let caller: WireCaller;

  const ask = (method: string, params: object = {}) => caller.ask(method, params);
  const uris = async () =>
    (await ask('resources/list')).result.resources.map(({ uri }: { uri: string }) => uri) as string[];
  const expectNobodyDisturbed = async () => {
    expect(await uris()).toEqual(expect.arrayContaining(['lib:///guide', 'lib:///secret']));
    const { contents } = (await ask('resources/read', { uri: 'lib:///guide' })).result;
    expect(contents[0].text).toBe('content of lib:///guide');
    expect((await caller.call('shop.ping')).result.content[0].text).toContain('pong');
  };

  const boot = async (mischief: Readonly<Record<string, Mischief>>) => {
    library = new LibraryServer();
    odd.capabilities = { resources: {}, prompts: {} };
    odd.mischief = {
      'resources/list': answered({ resources: [PAGE] }),
      'resources/templates/list': answered({ resourceTemplates: [] }),
      'prompts/list': answered({ prompts: [{ name: 'ask' }] }),
      ...mischief,
    };
    const common = { expose: EXPOSE, changes: 'trust' } as const;
    const sources = [
      new McpSource({ name: 'lib', url: await library.start(), ...common }),
      new McpSource({
        name: 'odd',
        url: await odd.start(),
        loadTimeoutMs: HASTY_MS,
        callTimeoutMs: HASTY_MS,
        ...common,
      }),
    ];
    world = await startGatewayApp('express', { options: { sources, policy: { deny: [] } } });
    caller = await WireCaller.of(world.url, 'modern');
  };
  afterEach(async () => {
    await world.app.close();
    await Promise.all([odd.stop(), library.stop()]);
  });

  it.each(LISTS)('lists of resources and prompts: %s', async (_, mischief) => {
    await boot({ 'resources/list': mischief, 'prompts/list': mischief });
    await expectNobodyDisturbed();
    const answers = await Promise.all([ask('resources/list'), ask('resources/templates/list'), ask('prompts/list')]);
    expect(JSON.stringify(answers)).not.toContain(SECRET);
    expect(JSON.stringify(world.events)).not.toContain(SECRET);
  });

  it.each(READS)('contents of a resource and a prompt: %s', async (_, mischief) => {
    await boot({ 'resources/read': mischief, 'prompts/get': mischief });
    const [{ name }] = (await ask('prompts/list')).result.prompts as [{ name: string }];
    const hostile = Promise.all([ask('resources/read', { uri: PAGE.uri }), ask('prompts/get', { name })]);
    await expectNobodyDisturbed();
    for (const answer of await hostile) {
      expect(answer.error).toMatchObject({ message: expect.any(String), data: expect.anything() });
      expect(answer).not.toHaveProperty('result');
      expect(JSON.stringify(answer)).not.toContain(SECRET);
    }
    expect(JSON.stringify(world.events)).not.toContain(SECRET);
    await expectNobodyDisturbed();
  });
});
