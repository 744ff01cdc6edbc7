import type { ToolDeclaration } from '@tool-search/core';
import { atOnce } from '@tool-search/core/internal';
import type { McpSourceSettings } from '../mcp-source-options.js';
import { ListedTools } from '../tools/listed-tools.js';

const URI = 'ui://weather/view.html';
const tool = (name: string, _meta?: object) => ({ name, inputSchema: { type: 'object' }, ...(_meta && { _meta }) });
const FORECAST = tool('forecast', { ui: { resourceUri: URI } });
const ON: McpSourceSettings = { name: 'weather', expose: { apps: true } };

function declared(settings: McpSourceSettings, tools: readonly unknown[], resources: readonly unknown[] = []) {
  const listed = new ListedTools(settings);
  const reading = listed.reading(undefined, settings.limits?.tools);
  atOnce(reading.add(tools));
  atOnce(reading.add(resources, 'resource'));
  return { listed, declarations: reading.finish() };
}
const brief = (declarations: readonly ToolDeclaration[]) =>
  declarations.map(({ name, kind, uri, app, appPage }) => ({
    name,
    ...(kind && { kind, uri, appPage }),
    ...(app && { app }),
  }));

describe('MCP Apps of a server', () => {
  it('are not read without expose.apps', () => {
    const { declarations } = declared({ name: 'weather' }, [FORECAST]);
    expect(brief(declarations)).toEqual([{ name: 'forecast' }]);
    const none = declared({ name: 'weather', expose: { apps: [] } }, [FORECAST]);
    expect(brief(none.declarations)).toEqual([{ name: 'forecast' }]);
  });

  it('have a page for each address that tools name, listed or not, once', () => {
    const flat = tool('flat', { 'ui/resourceUri': URI });
    const { declarations, listed } = declared(ON, [FORECAST, flat, tool('plain')]);
    expect(brief(declarations)).toEqual([
      { name: 'forecast', app: { resourceUri: URI } },
      { name: 'flat', app: { resourceUri: URI } },
      { name: 'plain' },
      {
        name: expect.stringMatching(/^resources\.ui_weather_view\.html_[0-9a-f]{8}$/),
        kind: 'resource',
        uri: URI,
        appPage: {},
      },
    ]);
    const page = declarations.at(-1)!;
    expect(listed.callable(page.name)).toMatchObject({ rawName: URI, page: {} });
    // Its own address is read through no template.
    expect(listed.lists(URI)).toBe(true);
  });

  it('take what the server lists of a page, and no second resource of it', () => {
    const settings = { ...ON, expose: { apps: true, resources: true } };
    const csp = { connectDomains: ['https://api.example.com', 'http://plain.example.com'] };
    const listed = [
      { uri: URI, name: 'view', description: 'The map.', _meta: { ui: { csp, domain: 'x.example.com' } } },
      { uri: 'ui://weather/other', name: 'other' },
    ];
    const { declarations } = declared(settings, [FORECAST], listed);
    expect(declarations.map(({ uri }) => uri)).toEqual([undefined, 'ui://weather/other', URI]);
    expect(declarations.at(-1)).toMatchObject({
      description: 'The map.',
      extra: { name: 'view' },
      mimeType: 'text/html;profile=mcp-app',
      appPage: { csp: { connectDomains: ['https://api.example.com'] } },
    });
  });

  it.each([
    'https://weather/view',
    'UI://weather/view',
    'ui://',
    `ui://${'x'.repeat(600)}`,
    'ui://weather/a b',
    'ui://weather/\u200b',
    'ui://weather/\ud800',
    'ui://weather/[removed]',
    7,
    null,
  ])('have no page %j', (resourceUri) => {
    const { declarations } = declared(ON, [tool('forecast', { ui: { resourceUri } })]);
    expect(brief(declarations)).toEqual([{ name: 'forecast' }]);
  });

  it('have the pages that globs select, and say who tools are for in any case', () => {
    const settings = { ...ON, expose: { apps: ['ui://maps/*'] } };
    const refresh = tool('refresh', { ui: { resourceUri: URI, visibility: ['app', 'robot'] } });
    const map = tool('map', { ui: { resourceUri: 'ui://maps/one', csp: {}, more: 1 } });
    const { declarations } = declared(settings, [refresh, map]);
    expect(brief(declarations).slice(0, 2)).toEqual([
      { name: 'refresh', app: { visibility: ['app'] } },
      { name: 'map', app: { resourceUri: 'ui://maps/one' } },
    ]);
    expect(declarations).toHaveLength(3);
  });

  it('have no pages over the limit of the source, and the tools stay', () => {
    const tools = ['a', 'b', 'c'].map((name) => tool(name, { ui: { resourceUri: `ui://weather/${name}` } }));
    const { declarations, listed } = declared({ ...ON, limits: { tools: 4 } }, tools);
    expect(declarations.map(({ kind = 'tool' }) => kind)).toEqual(['tool', 'tool', 'tool', 'resource']);
    expect(listed.leftOut).toHaveLength(2);
  });

  it('keep what was listed of a page where the list of resources breaks off', () => {
    const listed = new ListedTools(ON);
    const first = listed.reading(undefined);
    atOnce(first.add([FORECAST]));
    atOnce(first.add([{ uri: URI, name: 'view', description: 'The map.' }], 'resource'));
    const before = first.finish();
    const second = listed.reading(undefined);
    atOnce(second.add([FORECAST]));
    second.leaveOut('resource', 'it broke off', true);
    expect(second.finish()).toEqual(before);
  });

  it('are made again of what was stored, by the settings of now', () => {
    const { declarations } = declared(ON, [FORECAST], [{ uri: URI, name: 'view' }]);
    const origins = declarations.map(({ origin }) => origin!);
    expect(new ListedTools(ON).restore(origins)).toEqual(declarations);
    expect(brief(new ListedTools({ name: 'weather' }).restore(origins))).toEqual([{ name: 'forecast' }]);
  });
});
