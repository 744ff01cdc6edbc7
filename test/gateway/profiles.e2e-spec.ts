import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ToolAdminModule } from '@tool-search/admin';
import { ToolSearchTypeOrmModule, type ToolSearchTypeOrmOptions } from '@tool-search/typeorm';
import { describeOnPostgres } from '../../libs/typeorm/test/describe-on-postgres.js';
import { send as request } from '../support/reference-server.js';
import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { ERAS, initialize, modern, send, WireCaller } from './support/wire.js';

@Injectable()
class OperatorGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const { headers, ...incoming } = execution.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    const isOperator = headers['authorization'] === 'Bearer ops.olga';
    const user = { tenantId: 'ops', userId: 'olga', roles: [], admin: isOperator };
    Object.assign(execution.switchToHttp().getRequest<object>(), { ...incoming, user });
    return true;
  }
}

const ROUTES = { path: 'admin', guards: [OperatorGuard], writesPerMinute: 100_000, readsPerMinute: 100_000 };
const gateway = {
  stateKey: 'k'.repeat(32),
  // The client of the SDK would keep a list for so long.
  listTtlMs: 0,
  profiles: { fixed: { allow: ['shop.ping', 'shop.refund'], exposure: 'all' as const, prefix: false } },
};
const started = (adapter: 'express' | 'fastify', database: ToolSearchTypeOrmOptions) =>
  startGatewayApp(adapter, {
    gateway,
    imports: [ToolSearchTypeOrmModule.forRoot(database), ToolAdminModule.forRoot(ROUTES)],
  });

/** Names of tools without the meta tool that reads large results. */
const own = (names: readonly string[]) => names.filter((name) => name !== 'tool_result');

/** Waits until an instance answers as expected, however slow the machine is; the test's own timeout ends it. */
async function until<T>(look: () => Promise<T>, isMeant: (seen: T) => boolean): Promise<T> {
  for (;;) {
    const seen = await look();
    if (isMeant(seen)) return seen;
    await setTimeout(20);
  }
}

describeOnPostgres('profiles of two instances', (url) => describeProfiles(() => ({ url: url() })));

describe('profiles of two instances on one SQLite file', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'profiles-'))));
  afterAll(() => rm(folder, { recursive: true }));
  describeProfiles(() => ({ database: join(folder, 'state.sqlite') }));
});

function describeProfiles(database: () => ToolSearchTypeOrmOptions): void {
  let one: GatewayApp;
  let two: GatewayApp;
  const admin = (path: string, options: Parameters<typeof request>[2] = {}) =>
    request(one.url, `/admin/${path}`, { token: 'ops.olga', ...options });
  const set = (name: string, profile: object, more: object = {}) =>
    admin(`profiles/${name}`, { method: 'PUT', body: { profile, reason: 'a test', ...more } });
  const remove = (name: string) => admin(`profiles/${name}?reason=over`, { method: 'DELETE' });
  const status = async ({ url }: GatewayApp, path: string) =>
    (await send(url, { ...modern('tools/list'), path })).status;

  beforeAll(async () => {
    one = await started(ADAPTERS[0]!, database());
    two = await started(ADAPTERS[1]!, database());
  }, 60_000);
  afterAll(() => Promise.all([one, two].map((each) => each?.app.close())));

  it('appear, change and vanish in both without a restart, with an audit line for each change', async () => {
    const path = '/mcp/p/night';
    const unknown = await send(two.url, { ...modern('tools/list'), path: '/mcp/p/never' });
    expect(await send(two.url, { ...modern('tools/list'), path })).toMatchObject({ status: 404 });

    const { status: code, body } = await set('night', { allow: ['shop.p*'], exposure: 'all' }, { expectedRevision: 0 });
    expect([code, body]).toMatchObject([200, { name: 'night', stored: { actor: 'olga@ops', reason: 'a test' } }]);
    // The instance that was asked applies it at once, the other after its next look.
    expect(await status(one, path)).toBe(200);
    await until(
      () => status(two, path),
      (seen) => seen === 200,
    );
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const requestInit = { headers: { authorization: 'Bearer acme.ann' } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${two.url}${path}`), { requestInit }));
    const listed = async () => own((await client.listTools()).tools.map(({ name }) => name));
    expect(await listed()).toEqual(['shop__picture', 'shop__ping']);
    await expect(client.callTool({ name: 'shop__refund', arguments: {} })).rejects.toMatchObject({ code: -32602 });

    const { revision } = body.stored;
    const stale = await set('night', {}, { expectedRevision: revision - 1 });
    expect([stale.status, stale.body.code]).toEqual([409, 'REVISION_CONFLICT']);
    await set('night', { allow: ['shop.refund'], exposure: 'all', prefix: false }, { expectedRevision: revision });
    expect(await until(listed, (names) => !names.includes('shop__ping'))).toEqual(['refund']);
    const { structuredContent } = await client.callTool({ name: 'refund', arguments: {} });
    expect(structuredContent).toEqual({ refunded: true });

    expect((await remove('night')).status).toBe(200);
    await until(
      () => status(two, path),
      (seen) => seen === 404,
    );
    const gone = await send(two.url, { ...modern('tools/list'), path });
    const id = /"id":\d+/;
    expect(gone.text.replace(id, '')).toBe(unknown.text.replace(id, ''));
    await client.close();

    const { items } = (await admin('audit?action=profile.')).body;
    expect(items.map(({ action, subject, actor }: Record<string, string>) => [action, subject, actor])).toEqual([
      ['profile.removed', 'night', 'olga@ops'],
      ['profile.set', 'night', 'olga@ops'],
      ['profile.set', 'night', 'olga@ops'],
    ]);
    expect((await admin('audit/verify')).body).toMatchObject({ valid: true });
  });

  it('of the options are listed, narrowed by stored ones, and not removed', async () => {
    const path = '/mcp/p/fixed';
    const caller = await WireCaller.of(two.url, 'modern', { path });
    expect(own(await caller.names())).toEqual(['ping', 'refund']);
    await set('fixed', { allow: ['shop.ping', 'shop.echo'] });
    // Not `echo`: a stored profile never widens one in the options.
    expect(
      await until(
        async () => own(await caller.names()),
        (names) => names.length === 1,
      ),
    ).toEqual(['ping']);
    const { body } = await admin('profiles/fixed');
    expect(body).toMatchObject({
      name: 'fixed',
      code: { prefix: false },
      stored: { profile: { allow: expect.any(Array) } },
    });
    expect((await remove('fixed')).status).toBe(200);
    await until(
      async () => own(await caller.names()),
      (names) => names.length === 2,
    );
    const refused = await remove('fixed');
    expect([refused.status, refused.body.code]).toEqual([409, 'STATIC_POLICY']);
    expect((await admin('profiles')).body.items).toMatchObject([{ name: 'fixed' }]);
    expect((await admin('profiles/none')).status).toBe(404);
    expect((await remove('none')).status).toBe(404);
  });

  it.each(ERAS)('notify an open stream of the other instance when they change: %s', async (era) => {
    const path = `/mcp/p/open-${era}`;
    await set(`open-${era}`, { allow: ['shop.ping'], exposure: 'all' });
    await until(
      () => status(two, path),
      (seen) => seen === 200,
    );
    const caller = await WireCaller.of(two.url, era, { path });
    const stream = await caller.listen();
    const begun = era === 'modern' ? 1 : 0;
    await stream.arrived(begun);
    await set(`open-${era}`, { allow: ['shop.ping', 'shop.refund'], exposure: 'all' });
    expect((await stream.arrived(begun + 1)).at(-1)).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(await caller.names()).toContain('shop__refund');
    stream.close();
    await remove(`open-${era}`);
  });

  it('end for a legacy session when they are removed', async () => {
    const path = '/mcp/p/session';
    await set('session', { exposure: 'all' });
    await until(
      () => status(two, path),
      (seen) => seen === 200,
    );
    const caller = await WireCaller.of(two.url, 'legacy', { path });
    expect(await caller.names()).toContain('shop__ping');
    await remove('session');
    await until(
      () => status(two, path),
      (seen) => seen === 404,
    );
    expect((await send(two.url, caller.request('tools/list'))).status).toBe(404);
    expect((await send(two.url, { ...initialize(), path })).status).toBe(404);
  });

  it('have a preflight, which calls no tool', async () => {
    await set('agent', { allow: ['shop.*'], needs: ['shop.ping', 'shop.refund', 'shop.vault_globex', 'shop.none'] });
    const context = { tenantId: 'acme', userId: 'ann' };
    const ask = async (body: object) => (await admin('profiles/agent/preflight', { body: { context, ...body } })).body;
    const turnOn = await one.turnOff('shop.refund');
    expect(await ask({})).toEqual({
      outcome: 'unknown',
      tools: [
        { tool: 'shop.ping', state: 'ready' },
        expect.objectContaining({ tool: 'shop.refund', state: 'blocked', layer: 'kill_switch' }),
        expect.objectContaining({ tool: 'shop.vault_globex', state: 'blocked', layer: 'visibility' }),
        expect.objectContaining({ tool: 'shop.none', state: 'unknown', layer: 'source' }),
      ],
    });
    await turnOn();
    expect(await ask({ needs: ['shop.ping', 'shop.refund'] })).toMatchObject({ outcome: 'ready' });
    expect(await ask({ needs: [7] })).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await ask({ needs: ['two words'] })).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(one.shop.calls).toEqual([]);
    const unknown = await admin('profiles/none/preflight', { body: { context } });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
    const nobody = await admin('profiles/agent/preflight', { body: { context }, token: 'acme.ann' });
    expect(nobody.status).toBe(403);
    await remove('agent');
  });

  it.each([
    ['a', { widen: true }, 'widen'],
    ['a', { allow: 'shop.*' }, 'allow'],
    ['a', { scopes: ['ci'] }, 'oauth'],
    ['A', {}, 'name'],
  ])('are refused with the reason: %s %j', async (name, profile, reason) => {
    const { status: code, body } = await set(name, profile);
    expect([code, body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(body.detail).toContain(reason);
  });
}
