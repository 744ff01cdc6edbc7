import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ToolAdminModule } from '@tool-search/admin';
import { wireName } from '@tool-search/core/adapter';
import { send as request } from '../support/reference-server.js';
import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { ERAS, send, WireCaller } from './support/wire.js';

@Injectable()
class OperatorGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const incoming = execution.switchToHttp().getRequest<{ user?: object }>();
    incoming.user = { tenantId: 'ops', userId: 'olga', roles: [], admin: true };
    return true;
  }
}

const ROUTES = { path: 'admin', guards: [OperatorGuard], writesPerMinute: 100_000, readsPerMinute: 100_000 };
const CASES = ADAPTERS.flatMap((adapter) => ERAS.map((era) => ({ adapter, era })));
const DIGESTED = 'shop.dump__all';

/** The names by which lists show the tools, at the URL of each list. */
const WAYS = [
  ['/mcp', 'shop.dump', 'shop__dump', 'kill_switch'],
  ['/mcp/all', 'shop.dump', 'shop__dump', 'kill_switch'],
  ['/mcp/all', DIGESTED, wireName(DIGESTED), 'kill_switch'],
  ['/mcp/p/bare', 'shop.dump', 'dump', 'kill_switch'],
  ['/mcp/p/bare', DIGESTED, 'dump__all', 'kill_switch'],
  ['/mcp/all', 'shop.vault_globex', 'shop__vault_globex', 'visibility'],
  ['/mcp/p/bare', 'shop.vault_globex', 'vault_globex', 'visibility'],
] as const;

describe.each(CASES)('a tool that is hidden from a $era client on $adapter', ({ adapter, era }) => {
  let gateway: GatewayApp;

  beforeAll(async () => {
    gateway = await startGatewayApp(adapter, {
      gateway: { profiles: { bare: { allow: ['shop.*'], exposure: 'all', prefix: false } } },
      imports: [ToolAdminModule.forRoot(ROUTES)],
      tools: (all) => [...all, { name: 'dump__all', description: 'Exports all.', run: () => 'all' }],
    });
  });
  afterAll(() => gateway.app.close());

  it.each(WAYS)('at %s is recorded as %s when it is called as %s', async (path, tool, name, layer) => {
    const userId = `${path.replaceAll('/', '-')}-${name}`;
    const caller = await WireCaller.of(gateway.url, era, { path, token: `acme.${userId}` });
    const answers = async (called: string) => {
      const { status, text } = await send(gateway.url, caller.request('tools/call', { name: called, arguments: {} }));
      return [status, text.replace(/"id":\d+/, '"id":0')];
    };
    const turnOn = layer === 'kill_switch' ? await gateway.turnOff(tool) : undefined;
    const before = gateway.events.length;
    const unknown = await answers('shop__none');
    expect(await answers(name)).toEqual(unknown);
    const denied = gateway.events.slice(before).filter((event) => event.type === 'tool.denied');
    expect(denied).toMatchObject([
      { tool: 'shop__none', layer: 'source', rule: 'unknown' },
      { tool, layer },
    ]);
    const { body } = await request(gateway.url, `/admin/calls?tenantId=acme&userId=${userId}&kind=call`);
    expect(body.items).toMatchObject([
      { tool, decision: 'deny', layer, outcome: 'TOOL_NOT_AVAILABLE' },
      { tool: 'shop__none', layer: 'source', rule: 'unknown' },
    ]);
    await turnOn?.();
  });
});
