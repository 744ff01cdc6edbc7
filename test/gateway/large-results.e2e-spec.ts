import { countTokens } from '../../src/chat/count-tokens.js';
import { OWNER, REPORT, WANTED } from '../support/large-report.js';
import { type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { ERAS, WireCaller } from './support/wire.js';

const PATHS = ['/mcp', '/mcp/all', '/mcp/p/growing'] as const;

describe.each(ERAS)('1 MB from a tool, for a %s client', (era) => {
  let gateway: GatewayApp;
  beforeAll(async () => {
    const report = {
      name: 'report',
      description: 'Lists all items.',
      outputSchema: { type: 'object' },
      run: () => JSON.parse(REPORT),
    };
    const exact = { ...report, name: 'exact', run: () => ({ count: 1 }) };
    gateway = await startGatewayApp('express', {
      gateway: { profiles: { growing: { exposure: 'deferred' } } },
      tools: (all) => [...all, report, exact],
      options: {
        countTokens,
        results: { perTool: [{ tools: 'shop.exact', shorten: false }] },
        calls: { maxResultBytes: 4_000_000 },
      },
    });
  });
  afterAll(() => gateway.app.close());
  const caller = (path: string, token = 'acme.ann') => WireCaller.of(gateway.url, era, { path, token });
  /** As the list allows: by its name, else through the bridge. */
  const call = async (own: WireCaller, name: string, listedName: string, input: object) => {
    const listed = (await own.names()).includes(listedName);
    return (await own.call(listed ? listedName : 'tool_call', listed ? input : { name, arguments: input })).result;
  };
  const textOf = (result: { content: { text: string }[] }) => result.content.map(({ text }) => text).join('\n\n');

  it.each(PATHS)('under %s has 2,000 tokens and a handle, and the item in it can be read', async (path) => {
    const own = await caller(path);
    const before = await own.names();
    const result = await call(own, 'shop.report', 'shop__report', {});
    expect(result.structuredContent).toBeUndefined();
    expect(result.isError).toBeUndefined();
    expect(countTokens(textOf(result))).toBeLessThanOrEqual(2000);
    const handle = /r_[\w-]{22}/.exec(textOf(result))?.[0];
    const item = await call(own, 'tool_result', 'tool_result', { handle, pointer: `/items/${WANTED}` });
    expect(textOf(item)).toContain(OWNER);
    expect(item.structuredContent).toBeUndefined();
    // The list depends on the URL and the caller's rights; only a session's list grows, by activation.
    if (era === 'modern' || path !== '/mcp/p/growing') expect(await own.names()).toEqual(before);
    const other = await caller(path, 'acme.eve');
    const forged = await call(other, 'tool_result', 'tool_result', { handle: `r_${'A'.repeat(22)}` });
    expect(forged).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'RESULT_NOT_AVAILABLE' } });
    expect(await call(other, 'tool_result', 'tool_result', { handle })).toEqual(forged);
  });

  it('promises an output schema only where results are never shortened', async () => {
    const { result } = await (await caller('/mcp/all')).ask('tools/list');
    const schemas = new Map(
      result.tools.map(({ name, outputSchema }: { name: string; outputSchema?: object }) => [name, outputSchema]),
    );
    expect([schemas.get('shop__report'), schemas.get('shop__exact')]).toEqual([undefined, { type: 'object' }]);
    const own = await caller('/mcp/all');
    expect((await own.call('shop__exact', {})).result.structuredContent).toEqual({ count: 1 });
  });
});
