import { FakeSource, type FakeSourceTool } from '../../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox, type ToolboxSetup } from '../../testing/open-toolbox.js';
import { appAddress } from '../../tool/app-metadata.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { Toolbox } from '../toolbox.js';

const WEATHER = { name: 'weather' };
const VIEW = 'ui://weather/view';
const ADDRESS = appAddress(WEATHER, VIEW);
const PAGE: FakeSourceTool = {
  name: 'resources.view',
  kind: 'resource',
  uri: VIEW,
  appPage: {},
  run: () => ({ content: [{ type: 'resource', resource: { uri: VIEW, text: '<html>' } }] }),
};
const FORECAST: FakeSourceTool = { name: 'forecast', app: { resourceUri: VIEW }, run: () => 'sun' };
const REFRESH: FakeSourceTool = {
  name: 'refresh',
  description: 'Refreshes the forecast.',
  app: { resourceUri: VIEW, visibility: ['app'] },
  run: () => 'fresh',
};
const APPS = { exposes: ['apps'] } as const;
const OLGA = { actor: 'olga', reason: 'a test' };

const names = (tools: readonly ToolDefinition[]) => tools.map(({ name }) => name);

describe('pages of MCP Apps in a toolbox', () => {
  let world: OpenToolbox;
  const opened = async (setup: ToolboxSetup = {}, tools: readonly FakeSourceTool[] = [PAGE, FORECAST]) => {
    const weather = new FakeSource('weather', tools, APPS);
    world = await openToolbox({ ...setup, sources: [weather, ...(setup.sources ?? [])] });
    return world.open().forAppHost();
  };
  const turnOff = (value: string) => world.killSwitches.engage({ ...OLGA, kind: 'tool', value, tenantId: '' });
  afterEach(() => world.close());

  it('are open to a host that may use a tool that names them', async () => {
    const host = await opened();
    expect(names(await host.items.visible())).toEqual(['weather.resources.view']);
    expect((await host.items.find(ADDRESS))?.item.name).toBe('weather.resources.view');
    expect(await host.items.read('weather.resources.view', {})).toMatchObject({ ok: true });
    const toolbox = world.open();
    expect(await toolbox.items.visible()).toEqual([]);
    expect(await toolbox.items.find(ADDRESS)).toBeUndefined();
    expect(await toolbox.items.read('weather.resources.view', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });

  it('keep the array of what is visible until something changes', async () => {
    const host = await opened();
    const before = await host.items.visible();
    expect(await world.open().forAppHost().items.visible()).toBe(before);
    await turnOff('weather.forecast');
    expect(await host.items.visible()).toEqual([]);
  });

  const HIDDEN: readonly (readonly [string, ToolboxSetup])[] = [
    ['a policy', { policy: { deny: ['weather.forecast'] } }],
    [
      'a visibility policy',
      { visibility: { filter: (tools) => tools.filter(({ name }) => name !== 'weather.forecast') } },
    ],
  ];
  it.each(HIDDEN)('are unknown if %s hides the tool', async (_, setup) => {
    const host = await opened(setup);
    expect(await host.items.visible()).toEqual([]);
    expect(await host.items.find(ADDRESS)).toBeUndefined();
    expect(await host.items.read('weather.resources.view', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    expect(world.eventsOf('tool.denied').at(-1)).toMatchObject({ layer: 'visibility', rule: 'apps' });
  });

  it('close with the last tool that names them, and are closed by themselves', async () => {
    const host = await opened({}, [PAGE, FORECAST, REFRESH]);
    await turnOff('weather.forecast');
    expect(await host.items.find(ADDRESS)).toBeDefined();
    const second = await turnOff('weather.refresh');
    expect(await host.items.find(ADDRESS)).toBeUndefined();
    await world.killSwitches.release(second.killSwitch.id, { ...OLGA, expectedRevision: second.killSwitch.revision });
    expect(await host.items.find(ADDRESS)).toBeDefined();
    await turnOff('weather.resources.view');
    expect(await host.items.find(ADDRESS)).toBeUndefined();
  });

  it('are read after one question to each policy, however many tools name them', async () => {
    const asked: number[] = [];
    const many = Array.from({ length: 50 }, (_, at) => ({ ...FORECAST, name: `forecast${at}` }));
    const visibility = {
      filter: (tools: readonly ToolDefinition[]) => {
        asked.push(tools.length);
        return tools.filter(({ name }) => name.includes('.resources.') || name.endsWith('49'));
      },
    };
    const host = await opened({ visibility }, [PAGE, ...many]);
    expect(await host.items.read('weather.resources.view', {})).toMatchObject({ ok: true });
    expect(asked.toSorted((a, b) => a - b)).toEqual([1, 50]);
  });

  it('are read at once where a filter of the toolbox answers later', async () => {
    const host = await opened();
    const read = (toolbox: Toolbox) => toolbox.items.read('weather.resources.view', {});
    const later = async () => true;
    expect(await read(host.narrow({ filter: later }).narrow({ filter: later }))).toMatchObject({ ok: true });
    const mixed = ({ kind }: ToolDefinition) => kind !== undefined || later();
    expect(await read(host.narrow({ filter: mixed }))).toMatchObject({ ok: true });
    const none = host.narrow({ filter: async ({ kind }) => kind !== undefined });
    expect(await read(none)).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });

  it('are unknown if the only tool that names them is turned off while policies answer', async () => {
    const visibility = {
      filter: async (tools: readonly ToolDefinition[]) => {
        if (tools.some(({ name }) => name === 'weather.forecast')) await turnOff('weather.forecast');
        return tools;
      },
    };
    const host = await opened({ visibility });
    expect(await host.items.read('weather.resources.view', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    expect(world.eventsOf('tool.denied').at(-1)).toMatchObject({ layer: 'visibility', rule: 'apps' });
  });

  it('are not read if the tool is turned off while the read waits', async () => {
    const host = await opened({
      interceptors: [
        {
          intercept: async (_call, next) => {
            await turnOff('weather.forecast');
            return next();
          },
        },
      ],
    });
    expect(await host.items.read('weather.resources.view', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });

  it('are chosen with their tools by what narrows a toolbox, and denied by their own names', async () => {
    const host = await opened();
    const seen = async (policy: object) => names(await host.narrow(policy).items.visible());
    expect(await seen({ allow: ['weather.forecast'] })).toEqual(['weather.resources.view']);
    expect(await seen({ allow: ['other.*'] })).toEqual([]);
    expect(await seen({ deny: ['*.resources.*'] })).toEqual([]);
    const narrowed = host.narrow({ allow: ['weather.forecast'] });
    expect(await narrowed.items.read('weather.resources.view', {})).toMatchObject({ ok: true });
  });

  it('are never read through a template of another source', async () => {
    const wide: FakeSourceTool = {
      name: 'resources.any',
      kind: 'resource_template',
      uri: 'ui://{+path}',
      run: () => 'mine',
    };
    const other = new FakeSource('other', [wide], { exposes: ['resource_template'] });
    const host = await opened({ sources: [other], policy: { deny: ['weather.forecast'] } });
    expect((await host.items.find('ui://other/page'))?.item.name).toBe('other.resources.any');
    for (const uri of [ADDRESS, ADDRESS.replace('ui:', 'UI:'), `${ADDRESS}x`, 'ui://TOOL-search/x']) {
      expect(await host.items.find(uri)).toBeUndefined();
    }
  });

  it.each([
    ['names an address that is none', { name: 'x', app: { resourceUri: 'https://weather/view' } }],
    ['is a page with an address that is none', { ...PAGE, uri: 'ui://weather/\u200b' }],
    ['has the address of a page and is none', { name: 'x', kind: 'resource', uri: ADDRESS }],
    ['is a prompt with a page', { name: 'x', kind: 'prompt', appPage: {} }],
    ['is a resource for apps', { name: 'x', kind: 'resource', uri: 'doc:///a', app: {} }],
  ] as readonly (readonly [string, FakeSourceTool])[])('a tool is refused that %s', async (_, tool) => {
    const source = new FakeSource('weather', [tool], { exposes: ['apps', 'resource', 'prompt'] });
    world = await openToolbox({ sources: [source] });
    expect(world.catalog.sources()[0]?.refused).toHaveLength(1);
  });

  it('are open of a source that becomes one of a tenant for one request', async () => {
    world = await openToolbox({ sources: [] });
    const host = await world
      .open()
      .forAppHost()
      .with(new FakeSource('weather', [PAGE, FORECAST], APPS));
    const [page] = await host.items.visible();
    expect(page).toMatchObject({ uri: 'ui://tool-search.own/weather/~ui%3A%2F%2Fweather%2Fview', appPage: {} });
    expect(await host.items.read('weather.resources.view', {})).toMatchObject({ ok: true });
  });

  it('a tool for them alone is unknown behind the bridge, and blocks no preflight of what models need', async () => {
    const host = await opened({}, [PAGE, FORECAST, REFRESH]);
    const behind = await host.call('tool_call', { name: 'weather.refresh', arguments: {} });
    expect(behind).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
    expect(await host.call('weather.refresh', {})).toMatchObject({ ok: true });
    expect((await world.open().preflight(['weather.*'])).outcome).toBe('ready');
  });

  it('are refused of a source that does not expose them', async () => {
    const source = new FakeSource('weather', [PAGE, FORECAST, 'other'], { exposes: ['resource'] });
    world = await openToolbox({ sources: [source] });
    expect(world.catalog.sources()[0]?.refused.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 2 }, () => 'the source does not expose apps'),
    );
  });

  it('are part of a definition, whose hash changes with them', async () => {
    const hashOf = async (app?: FakeSourceTool['app']) => {
      const host = await opened({}, [{ name: 'forecast', ...(app && { app }) }]);
      const [{ hash }] = (await host.visible()) as [ToolDefinition];
      await world.close();
      return hash;
    };
    const hashes = [await hashOf(), await hashOf({ resourceUri: ADDRESS }), await hashOf({ visibility: ['model'] })];
    expect(new Set(hashes).size).toBe(3);
  });
});

describe('a tool for apps alone', () => {
  let world: OpenToolbox;
  beforeAll(async () => {
    const weather = new FakeSource('weather', [PAGE, FORECAST, REFRESH], APPS);
    world = await openToolbox({ sources: [weather], options: { exposure: 'deferred' } });
  });
  afterAll(() => world.close());

  it('is unknown to a model: not listed, found, read, activated or called', async () => {
    const toolbox = world.open({ runId: 'model' });
    expect(names(await toolbox.visible())).toEqual(['weather.forecast']);
    expect((await toolbox.surface({ mode: 'all' })).tools.map(({ name }) => name)).toEqual(['weather.forecast']);
    expect((await toolbox.search({ query: 'refreshes the forecast' })).tools.map(({ name }) => name)).toEqual([
      'weather.forecast',
    ]);
    const unknown = await toolbox.call('weather.nothing', {});
    expect(await toolbox.call('weather.refresh', {})).toEqual(unknown);
    await expect(toolbox.get(['weather.refresh'])).rejects.toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    expect((await toolbox.activate(['weather.refresh', 'weather.forecast'])).unavailable).toEqual(['weather.refresh']);
  });

  it('is listed for a host and called by it, and no search finds it', async () => {
    const host = world.open({ runId: 'host' }).forAppHost();
    expect(names(await host.visible())).toEqual(['weather.forecast', 'weather.refresh']);
    expect((await host.surface({ mode: 'all' })).tools.map(({ name }) => name)).toContain('weather.refresh');
    expect(await host.call('weather.refresh', {})).toMatchObject({ ok: true });
    expect(await host.narrow({ allow: ['weather.*'] }).call('weather.refresh', {})).toMatchObject({ ok: true });
    expect((await host.search({ query: 'refreshes the forecast' })).tools.map(({ name }) => name)).toEqual([
      'weather.forecast',
    ]);
    await expect(host.get(['weather.refresh'])).rejects.toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });

  it('says to an operator why', async () => {
    const { layers } = await world.open().explain('weather.refresh');
    expect(layers.find(({ verdict }) => verdict === 'deny')).toMatchObject({ layer: 'visibility', rule: 'apps' });
  });
});
