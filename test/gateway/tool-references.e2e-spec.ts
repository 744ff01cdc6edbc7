import { type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { ERAS, WireCaller } from './support/wire.js';

const PREFIX = 'mcp__tools__';

describe.each(ERAS)('references to tools, for a %s client', (era) => {
  let gateway: GatewayApp;
  beforeAll(async () => {
    const gatewayOptions = {
      toolReferences: PREFIX,
      profiles: { short: { exposure: 'all', prefix: false, allow: ['shop.*'] } },
    } as const;
    gateway = await startGatewayApp('express', { gateway: gatewayOptions });
  });
  afterAll(() => gateway.app.close());
  const caller = (path: string, token = 'acme.ann') => WireCaller.of(gateway.url, era, { path, token });
  const found = async (path: string, query: string) => {
    const { result } = await (await caller(path)).call('tool_search', { query });
    const [text, ...blocks] = result.content as readonly { readonly type: string; readonly text: string }[];
    return { result, hits: (JSON.parse(text!.text) as { tools: { name: string }[] }).tools, blocks };
  };

  it('follow the text of a search, by the names that the client lists', async () => {
    const { result, hits, blocks } = await found('/mcp/all', 'refund an order');
    expect(hits.map(({ name }) => name)).toContain('shop.refund');
    const names = hits.map(({ name }) => `${PREFIX}${name.replace('.', '__')}`);
    expect(blocks).toEqual(names.map((tool_name) => ({ type: 'tool_reference', tool_name })));
    expect(JSON.stringify(result)).not.toContain('tool-search/references');
    const short = await found('/mcp/p/short', 'refund an order');
    expect(short.blocks).toContainEqual({ type: 'tool_reference', tool_name: `${PREFIX}refund` });
  });

  it('name no tool that the caller may not use, and are none where nothing is found', async () => {
    const vaults = await found('/mcp/all', 'open the vault');
    expect(JSON.stringify(vaults.result)).toContain('vault_acme');
    expect(JSON.stringify(vaults.result)).not.toContain('vault_globex');
    expect((await found('/mcp/all', 'zebra')).blocks).toEqual([]);
  });

  it('have the search in the list beside every tool, always loaded, and in no other list', async () => {
    const { result } = await (await caller('/mcp/all')).ask('tools/list');
    const listed = new Map(result.tools.map((tool: { name: string }) => [tool.name, tool]));
    expect(listed.get('tool_search')).toMatchObject({ _meta: { 'anthropic/alwaysLoad': true } });
    const tools = [...listed.keys()].filter((name) => !String(name).startsWith('shop__'));
    expect(tools).toEqual(['tool_result', 'tool_search']);
    expect(listed.has('shop__refund')).toBe(true);
    await (await caller('/mcp/all')).call('tool_search', { query: 'refund an order' });
    const again = await (await caller('/mcp/all')).ask('tools/list');
    expect(again.result.tools).toEqual(result.tools);
  });

  it('are in no answer of the bridge', async () => {
    const { hits, blocks } = await found('/mcp', 'refund an order');
    expect(hits).not.toEqual([]);
    expect(blocks).toEqual([]);
  });
});

it('are not there without the option', async () => {
  const gateway = await startGatewayApp('express');
  const caller = await WireCaller.of(gateway.url, 'modern', { path: '/mcp/all' });
  expect(await caller.names()).not.toContain('tool_search');
  const { result } = await caller.call('tool_search', { query: 'refund an order' });
  expect(result.content.map(({ type }: { type: string }) => type)).toEqual(['text']);
  await gateway.app.close();
});
