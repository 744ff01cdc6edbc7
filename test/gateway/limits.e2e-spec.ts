import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { ERAS, WireCaller } from './support/wire.js';

const CASES = ADAPTERS.flatMap((adapter) => ERAS.map((era) => ({ adapter, era })));

describe.each(CASES)('limits of a $era client on $adapter', ({ adapter, era }) => {
  let gateway: GatewayApp;
  beforeAll(async () => {
    const rules = [
      {
        id: 'refunds',
        match: { tool: 'shop.refund' },
        per: ['user' as const],
        rate: { calls: 2, windowMs: 3_600_000 },
      },
    ];
    gateway = await startGatewayApp(adapter, { options: { limits: { rules } } });
  });
  afterAll(() => gateway.app.close());

  it('are results with isError, and no other session, endpoint or bridge escapes them', async () => {
    const call = async (path: string, params: object, token = 'acme.ada') =>
      (await (await WireCaller.of(gateway.url, era, { path, token })).ask('tools/call', params)).result;
    const bridged = { name: 'tool_call', arguments: { name: 'shop.refund', arguments: {} } };
    const listed = { name: 'shop__refund', arguments: {} };
    expect(await call('/mcp', bridged)).not.toHaveProperty('isError');
    expect(await call('/mcp/all', listed)).not.toHaveProperty('isError');
    for (const refused of [await call('/mcp/all', listed), await call('/mcp', bridged)]) {
      expect(refused).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'LIMIT_REACHED' } });
      expect(JSON.parse((refused as { content: { text: string }[] }).content[0]!.text)).toMatchObject({
        code: 'LIMIT_REACHED',
        limit: 'refunds',
        retryAfterSeconds: expect.any(Number),
      });
    }
    expect(await call('/mcp/all', listed, 'acme.eve')).not.toHaveProperty('isError');
  });
});
