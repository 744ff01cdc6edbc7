import {
  type Client,
  type ClientCapabilities,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { App, type McpUiResourceMeta, type McpUiToolMeta } from '@modelcontextprotocol/ext-apps';
import {
  AppBridge,
  getToolUiResourceUri,
  isToolVisibilityAppOnly,
  RESOURCE_MIME_TYPE,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import { EXTENSION_ID } from '@modelcontextprotocol/ext-apps/server';
import type { AppPage, ToolApp } from '@tool-search/core/source';
import { PassThrough } from 'node:stream';
import { FakeSource } from '@tool-search/core/testing';
import { StdioGateway } from '@tool-search/gateway';
import { McpSource, type McpSourceOptions } from '@tool-search/mcp';
import { type GatewayApp, type GatewayAppSetup, startGatewayApp } from './support/gateway-app.js';
import { LibraryServer } from './support/library-server.js';
import { HTML, VIEW, WeatherServer } from './support/weather-server.js';
import { clientOf, Pipes } from './support/stream-client.js';
import { type Era, ERAS, wholeAnswer, WireCaller } from './support/wire.js';

type ReadonlyOf<T> = T extends object ? { readonly [K in keyof T]: ReadonlyOf<T[K]> } : T;
/** Compiles only as long as hosts can read what the gateway sends. */
const readByHosts = (app: ToolApp, page: AppPage): [ReadonlyOf<McpUiToolMeta>, ReadonlyOf<McpUiResourceMeta>] => [
  app,
  page,
];

const UI = { extensions: { [EXTENSION_ID]: { mimeTypes: [RESOURCE_MIME_TYPE] } } };
const HOST = { name: 'host', version: '1' };

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe.each(ERAS)('MCP Apps through the gateway, with ext-apps as the host: %s', (era: Era) => {
  let weather: WeatherServer;
  let world: GatewayApp;
  const open: Client[] = [];

  const boot = async (
    expose: McpSourceOptions['expose'] = { apps: true },
    setup: GatewayAppSetup = {},
    alwaysLoaded: string[] = [],
  ) => {
    weather = new WeatherServer();
    const source = new McpSource({
      name: 'weather',
      url: await weather.start(),
      expose,
      alwaysLoaded,
      changes: 'trust',
    });
    const { sources = [], ...options } = setup.options ?? {};
    world = await startGatewayApp('express', {
      gateway: {
        listTtlMs: 0,
        profiles: {
          map: { allow: ['weather.forecast'], exposure: 'all', prefix: false },
          shop: { allow: ['shop.*'], exposure: 'all' },
          search: { allow: ['weather.*'] },
          growing: { allow: ['weather.*'], exposure: 'deferred' },
        },
      },
      // A busy machine is slow to read the lists of servers.
      options: { sources: [source, ...sources], catalog: { bootWaitMs: 600_000 }, ...options },
    });
  };
  const host = async (path = '/mcp/all', capabilities: ClientCapabilities = UI) => {
    const client = clientOf(era, capabilities);
    const requestInit = { headers: { authorization: 'Bearer acme.ann' } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${world.url}${path}`), { requestInit }));
    open.push(client);
    return client;
  };
  const toolOf = async (client: Client, name: string) =>
    (await client.listTools()).tools.find((each) => each.name === name)!;
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.close()));
    await world.app.close();
    await weather.stop();
  });

  it('lists a tool with its page, and reads the page', async () => {
    await boot();
    const client = await host();
    expect(client.getServerCapabilities()?.extensions).toEqual(UI.extensions);
    const tool = await toolOf(client, 'weather__forecast');
    const uri = getToolUiResourceUri(tool)!;
    expect(uri).toMatch(/^ui:\/\/tool-search\/weather\/~/);
    expect(tool._meta).toEqual({ ui: { resourceUri: uri }, 'ui/resourceUri': uri });
    expect((await toolOf(client, 'weather__plain'))._meta).toBeUndefined();
    const { resources } = await client.listResources();
    expect(resources).toEqual([
      {
        uri,
        name: VIEW,
        description: 'The map.',
        mimeType: RESOURCE_MIME_TYPE,
        _meta: { ui: { prefersBorder: true } },
      },
    ]);
    const csp = { connectDomains: ['https://api.example.com'] };
    expect((await client.readResource({ uri })).contents).toEqual([
      { uri, mimeType: RESOURCE_MIME_TYPE, text: HTML, _meta: { ui: { csp } } },
    ]);
    expect(weather.reads).toEqual([VIEW]);
    // What the content does not say, the list says.
    weather.ui = undefined;
    const ui = { prefersBorder: true };
    expect((await client.readResource({ uri })).contents[0]?._meta).toEqual({ ui });
    expect(readByHosts({ resourceUri: uri }, ui)).toEqual([tool._meta!['ui'], ui]);
  });

  it('lets the page call tools of its caller by the names of the list, and read resources', async () => {
    await boot();
    const client = await host();
    const tool = await toolOf(client, 'weather__forecast');
    // Its types are those of ES modules, which TypeScript takes for another class.
    const bridge = new AppBridge(
      client as never,
      HOST,
      { serverTools: {}, serverResources: {} },
      { hostContext: { toolInfo: { tool } } },
    );
    const [ofHost, ofApp] = InMemoryTransport.createLinkedPair();
    const app = new App({ name: 'view', version: '1' }, {}, { autoResize: false });
    await bridge.connect(ofHost);
    await app.connect(ofApp);
    expect(app.getHostContext()?.toolInfo?.tool.name).toBe('weather__forecast');
    const { content } = await app.callServerTool({ name: 'weather__forecast', arguments: { city: 'Bern' } });
    expect(content).toEqual([{ type: 'text', text: 'forecast of Bern is sunny' }]);
    // The server was told that its tools are shown with their pages.
    expect(weather.announced).toEqual([RESOURCE_MIME_TYPE]);
    await app.callServerTool({ name: 'weather__refresh' });
    expect(weather.calls).toEqual(['forecast of Bern', 'refresh']);
    const { contents } = await app.readServerResource({ uri: getToolUiResourceUri(tool)! });
    expect(contents[0]).toMatchObject({ text: HTML });
    await expect(app.callServerTool({ name: 'shop__vault_globex' })).rejects.toThrow();
    await expect(app.callServerTool({ name: 'forecast', arguments: { city: 'Bern' } })).rejects.toThrow();
    await world.turnOff('weather.refresh');
    await expect(app.callServerTool({ name: 'weather__refresh' })).rejects.toThrow();
    await app.close();
    await bridge.close();
  });

  it('lists tools for pages alone where a host keeps them from its model, and nowhere else', async () => {
    await boot();
    const client = await host();
    expect(isToolVisibilityAppOnly(await toolOf(client, 'weather__refresh'))).toBe(true);
    expect(isToolVisibilityAppOnly(await toolOf(client, 'weather__forecast'))).toBe(false);
    const bridge = await WireCaller.of(world.url, era);
    const { result } = await bridge.call('tool_search', { query: 'refreshes the weather' });
    expect(JSON.stringify(result)).toContain('weather.forecast');
    expect(JSON.stringify(result)).not.toContain('weather.refresh');
    const hidden = await bridge.call('tool_call', { name: 'weather.refresh', arguments: {} });
    const unknown = await bridge.call('tool_call', { name: 'weather.nothing', arguments: {} });
    expect(hidden.result).toEqual(unknown.result);
    expect(weather.calls).toEqual([]);
  });

  it('are where tools are listed by name alone: not behind the bridge', async () => {
    await boot({ apps: true }, {}, ['forecast']);
    const address = getToolUiResourceUri(await toolOf(await host(), 'weather__forecast'))!;
    for (const path of ['/mcp', '/mcp/p/search', '/mcp/p/growing']) {
      const client = await host(path);
      expect(
        (await client.listTools()).tools.filter(({ _meta = {} }) => 'ui' in _meta || 'ui/resourceUri' in _meta),
      ).toEqual([]);
      expect(client.getServerCapabilities()).not.toHaveProperty('extensions');
      expect(client.getServerCapabilities()).not.toHaveProperty('resources');
      const caller = await WireCaller.of(world.url, era, { path }, UI);
      expect((await caller.ask('resources/read', { uri: address })).error).toMatchObject({ code: -32601 });
    }
  });

  it('do not exist for a client that does not announce them', async () => {
    await boot();
    const uri = getToolUiResourceUri(await toolOf(await host(), 'weather__forecast'))!;
    const others: ClientCapabilities[] = [{}, { extensions: {} }, { extensions: { 'com.example/other': {} } }];
    for (const capabilities of others) {
      const client = await host('/mcp/all', capabilities);
      const { tools } = await client.listTools();
      const own = tools.filter(({ name }) => name.startsWith('weather'));
      expect(own.map(({ name, _meta }) => [name, _meta])).toEqual(
        ['forecast', 'plain'].map((name) => [`weather__${name}`, undefined]),
      );
      expect((await client.listResources()).resources).toEqual([]);
      // What the gateway can do does not depend on its client.
      expect(client.getServerCapabilities()?.extensions).toEqual(UI.extensions);
    }
    const caller = await WireCaller.of(world.url, era, { path: '/mcp/all' });
    const refused = (await caller.call('weather__refresh')).error;
    const { message, ...unknown } = (await caller.call('weather__nothing')).error;
    expect(refused).toEqual({ ...unknown, message: message.replace('nothing', 'refresh') });
    expect((await caller.ask('resources/read', { uri })).error).toMatchObject({ code: -32602 });
    expect([weather.calls, weather.reads]).toEqual([[], []]);
  });

  it('are over standard input and output for a client that announces them', async () => {
    await boot();
    const connected = async (capabilities: ClientCapabilities) => {
      const pipes = new Pipes(new PassThrough(), new PassThrough());
      const streams = { input: pipes.toServer, output: pipes.fromServer };
      world.app.get(StdioGateway).serve({ tenantId: 'acme', userId: 'ann' }, { route: 'all', ...streams });
      const client = clientOf(era, capabilities);
      await client.connect(pipes);
      open.push(client);
      return client;
    };
    const [app, other] = [await connected(UI), await connected({})];
    const uri = getToolUiResourceUri(await toolOf(app, 'weather__forecast'))!;
    expect((await app.readResource({ uri })).contents[0]).toMatchObject({ text: HTML });
    expect(await toolOf(app, 'weather__refresh')).toBeDefined();
    expect(await toolOf(other, 'weather__refresh')).toBeUndefined();
    await expect(other.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    // Both hear of changes of their own lists.
    const heard: string[] = [];
    for (const [name, client] of Object.entries({ app, other })) {
      client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push(name));
      if (era === 'modern') await client.listen({ toolsListChanged: true });
    }
    const turnOn = await world.turnOff('weather.refresh');
    await until(() => heard.length > 0);
    await turnOn();
    await until(() => heard.length > 1);
    expect(heard).toEqual(['app', 'app']);
  });

  it('are in a profile that lists the tool, and in no other one', async () => {
    await boot();
    const client = await host('/mcp/p/map');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['forecast', 'tool_result']);
    const uri = getToolUiResourceUri(await toolOf(client, 'forecast'))!;
    expect((await client.readResource({ uri })).contents[0]).toMatchObject({ text: HTML });
    const shop = await host('/mcp/p/shop');
    expect((await shop.listResources()).resources).toEqual([]);
    await expect(shop.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  });

  it('are off unless the source names them: the same bytes as without their members', async () => {
    await boot({});
    const client = await host();
    const tools = (await client.listTools()).tools.filter(({ name }) => name.startsWith('weather'));
    expect(tools.map(({ name, _meta }) => [name, _meta])).toEqual(
      ['forecast', 'plain', 'refresh'].map((name) => [`weather__${name}`, undefined]),
    );
    expect(client.getServerCapabilities()).not.toHaveProperty('extensions');
    expect(client.getServerCapabilities()).not.toHaveProperty('resources');
    await client.callTool({ name: 'weather__plain' });
    expect(weather.announced).toBeUndefined();
  });

  const unknownTo = async (uri: string, nowhere: string, path = '/mcp/all') => {
    const caller = await WireCaller.of(world.url, era, { path }, UI);
    const answers = await Promise.all(
      [uri, nowhere].map((each) => {
        const request = caller.request('resources/read', { uri: each });
        return wholeAnswer(world.url, { ...request, body: { ...(request.body as object), id: 7 } });
      }),
    );
    const [answer, unknown] = answers.map((text) => text.replaceAll(/content-length: \d+\n/g, ''));
    expect(answer!.replaceAll(uri, nowhere)).toBe(unknown);
    expect(answer).toContain('Resource not found.');
  };

  it('have the answer of an unknown address where every tool that names the page is hidden', async () => {
    await boot({ apps: true }, { options: { policy: { deny: ['weather.forecast', 'weather.refresh'] } } });
    await unknownTo('ui://tool-search/weather/~ui%3A%2F%2Fweather%2Fview.html', 'ui://tool-search/weather/~nowhere');
    await unknownTo(VIEW, 'ui://nowhere');
    expect(weather.reads).toEqual([]);
  });

  it('end with a kill switch in the middle of a session, and begin again', async () => {
    await boot();
    const client = await host();
    const uri = getToolUiResourceUri(await toolOf(client, 'weather__forecast'))!;
    await client.readResource({ uri });
    const back = [await world.turnOff('weather.forecast'), await world.turnOff('weather.refresh')];
    await unknownTo(uri, 'ui://tool-search/weather/~nowhere');
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    expect(await toolOf(client, 'weather__forecast')).toBeUndefined();
    expect((await client.listResources()).resources).toEqual([]);
    await Promise.all(back.map((turnOn) => turnOn()));
    expect((await client.readResource({ uri })).contents[0]).toMatchObject({ text: HTML });
    expect(weather.reads).toHaveLength(2);
  });

  it('keep the pages of servers apart that have the same addresses, or want those of another', async () => {
    const taken = 'ui://tool-search/weather/~ui%3A%2F%2Fweather%2Fview.html';
    const twin = new WeatherServer();
    const thief = new WeatherServer([taken]);
    const library = new LibraryServer();
    library.templates = [{ uriTemplate: 'ui://{+path}', name: 'any page' }];
    const common = { changes: 'trust' } as const;
    const sources = [
      new McpSource({ name: 'twin', url: await twin.start(), expose: { apps: true }, ...common }),
      new McpSource({ name: 'thief', url: await thief.start(), expose: { apps: true, resources: true }, ...common }),
      new McpSource({ name: 'lib', url: await library.start(), expose: { resources: true }, ...common }),
    ];
    await boot({ apps: true }, { options: { sources } });
    const client = await host();
    const addresses = await Promise.all(
      ['weather', 'twin', 'thief'].map(async (name) =>
        getToolUiResourceUri(await toolOf(client, `${name}__forecast`))!,
      ),
    );
    expect(addresses[0]).toBe(taken);
    expect(new Set(addresses).size).toBe(3);
    for (const uri of addresses)
      expect((await client.readResource({ uri })).contents[0]).toMatchObject({ uri, text: HTML });
    expect([weather, twin, thief].map(({ reads }) => reads)).toEqual([[VIEW], [VIEW], [VIEW]]);
    await Promise.all([world.turnOff('weather.forecast'), world.turnOff('weather.refresh')]);
    await unknownTo(taken, 'ui://tool-search/weather/~nowhere');
    await Promise.all([twin, thief].map((server) => server.stop()));
    await library.stop();
    expect(library.reads).toEqual([]);
  });

  it('keep their addresses from the results and resources of other sources', async () => {
    const uri = 'ui://tool-search/weather/~ui%3A%2F%2Fweather%2Fview.html';
    const form = { uri, mimeType: RESOURCE_MIME_TYPE, text: '<form>' };
    const content = [
      { type: 'resource', resource: form },
      { type: 'resource_link', uri, name: 'Login' },
    ] as const;
    const thief = new FakeSource('thief', [
      { name: 'lure', loading: 'always', run: () => ({ content: [...content] }) },
      { name: 'guide', kind: 'resource', uri: 'thief:guide', run: () => ({ content: [content[0]] }) },
    ]);
    await boot({ apps: true }, { options: { sources: [Object.assign(thief, { exposes: ['resource'] })] } });
    const client = await host();
    const text = '[1 block of this result was left out: its URI is one that only a page can have]';
    const called = await client.callTool({ name: 'thief__lure' });
    expect(called.content).toEqual([1, 2].map(() => ({ type: 'text', text })));
    const read = await client.readResource({ uri: 'thief:guide' });
    expect(read.contents).toEqual([{ ...form, uri: 'thief:guide' }]);
    expect((await client.readResource({ uri })).contents[0]).toMatchObject({ uri, text: HTML });
  });

  it('have no rights from the list that their content does not ask for', async () => {
    await boot();
    weather.ui = {};
    const client = await host();
    const uri = getToolUiResourceUri(await toolOf(client, 'weather__forecast'))!;
    expect((await client.listResources()).resources[0]?._meta).toEqual({ ui: { prefersBorder: true } });
    expect((await client.readResource({ uri })).contents[0]?._meta).toEqual({ ui: {} });
  });

  it('notify a host of updates of a page under its address', async () => {
    const library = new LibraryServer();
    const ui = { resourceUri: 'ui://lib/shelf' };
    library.tools = [{ name: 'shelf', inputSchema: { type: 'object' }, _meta: { ui } }];
    const expose = { apps: true };
    const source = new McpSource({ name: 'lib', url: await library.start(), expose, changes: 'trust' });
    await boot({}, { options: { sources: [source] } });
    const caller = await WireCaller.of(world.url, era, { path: '/mcp/all' }, UI);
    const uri = getToolUiResourceUri(await toolOf(await host(), 'lib__shelf'))!;
    const stream = await caller.listen({ resourceSubscriptions: [uri] });
    if (era === 'modern') await stream.arrived(1);
    else expect((await caller.ask('resources/subscribe', { uri })).result).toEqual({});
    const before = stream.messages.length;
    const reports = setInterval(() => library.update(ui.resourceUri), 20);
    const [update] = (await stream.arrived(before + 1)).slice(before);
    clearInterval(reports);
    expect(update).toMatchObject({ method: 'notifications/resources/updated', params: { uri } });
    stream.close();
    await library.stop();
  });

  it('say nothing of a page whose server answers with another one', async () => {
    await boot();
    const client = await host();
    const uri = getToolUiResourceUri(await toolOf(client, 'weather__forecast'))!;
    weather.page = { uri: 'ui://bank/login', mimeType: RESOURCE_MIME_TYPE, text: '<form>' };
    await expect(client.readResource({ uri })).rejects.toMatchObject({ data: { code: 'UPSTREAM_INVALID' } });
  });
});
