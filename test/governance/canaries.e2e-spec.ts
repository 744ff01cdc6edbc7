import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolAdminModule } from '@tool-search/admin';
import { ToolSearchService } from '@tool-search/core';
import { ToolSearchTypeOrmModule, type ToolSearchTypeOrmOptions } from '@tool-search/typeorm';
import { describeOnPostgres } from '../../libs/typeorm/test/describe-on-postgres.js';
import { type GatewayApp, startGatewayApp } from '../gateway/support/gateway-app.js';
import { WireCaller } from '../gateway/support/wire.js';
import { BillingTools } from '../readme/canary.js';
import { type RequestOptions, send } from '../support/reference-server.js';

const TOOL = 'billing.refund';

@Injectable()
class OperatorGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<{ user?: object }>();
    request.user = { tenantId: 'house', userId: 'olga', admin: true };
    return true;
  }
}

const start = (database: ToolSearchTypeOrmOptions): Promise<GatewayApp> =>
  startGatewayApp('express', {
    options: { exposure: 'all', record: { flushEveryMs: 100 } },
    imports: [
      { module: class Billing {}, providers: [BillingTools] },
      ToolSearchTypeOrmModule.forRoot(database),
      ToolAdminModule.forRoot({ path: 'admin', guards: [OperatorGuard], writesPerMinute: 10_000 }),
    ],
    gateway: { streams: { recheckMs: 60_000 } },
  } as never);

const admin = ({ url }: GatewayApp, path: string, options: RequestOptions = {}) => send(url, `/admin/${path}`, options);

/** What a tenant is told by MCP, and which definition answers its call and is in the record. */
async function servedOverMcp(instance: GatewayApp, tenantId: string) {
  const caller = await WireCaller.of(instance.url, 'modern', { token: `${tenantId}.ann`, path: '/mcp/all' });
  const { result } = await caller.ask('tools/list');
  const listed = (result.tools as { name: string; description: string; inputSchema: { properties: object } }[]).filter(
    ({ name }) => name === 'billing__refund',
  );
  expect(listed).toHaveLength(1);
  const args = 'customer' in listed[0]!.inputSchema.properties ? { customer: 'c1' } : { invoice: 'i1' };
  const called = await caller.call('billing__refund', args);
  const answer = called.result.content[0].text as string;
  return { description: listed[0]!.description, answer: answer.replace(` of ${tenantId}`, '') };
}

const OWN = { description: 'Refund an invoice.', answer: 'invoice i1' };
const NEW = { description: 'Reimburse a customer.', answer: 'customer c1' };

function servesCanaries(place: () => ToolSearchTypeOrmOptions, isShared: boolean): void {
  let instances: GatewayApp[] = [];
  beforeAll(async () => {
    instances = [await start(place())];
    if (isShared) instances.push(await start(place()));
  });
  afterAll(() => Promise.all(instances.map(({ app }) => app.close())));
  const one = () => instances[0]!;
  const last = () => instances.at(-1)!;
  /** Sets a share and waits until all instances have applied it. */
  const setShare = async (sharePct: number, more: object = {}) => {
    const [{ definitionHash }] = (await admin(one(), 'canaries')).body.items;
    const body = { sharePct, definitionHash, reason: 'the first week went well', ...more };
    const answer = await admin(one(), `canary-shares/${TOOL}`, { method: 'PUT', body });
    const isApplied = async () => (await admin(last(), 'canaries')).body.items[0].sharePct === sharePct;
    while (answer.status === 200 && !(await isApplied()));
    return answer;
  };

  it('are served over MCP to the tenants of their share, by every instance and after a restart', async () => {
    const toolboxes = one().app.get(ToolSearchService);
    const tenants = Array.from({ length: 200 }, (_, index) => `tenant${index}`);
    const chosen = new Set<string>();
    for (const tenantId of tenants) {
      const { tools } = await toolboxes.open({ tenantId }).get([TOOL]);
      if (tools[0]?.description === NEW.description) chosen.add(tenantId);
    }
    expect(chosen.size).toBeGreaterThan(5);
    expect(chosen.size).toBeLessThan(40);
    const some = [...chosen].slice(0, 2);
    const others = tenants.filter((tenant) => !chosen.has(tenant)).slice(0, 2);
    const check = async () => {
      for (const tenant of some) expect(await servedOverMcp(last(), tenant)).toEqual(NEW);
      for (const tenant of others) expect(await servedOverMcp(last(), tenant)).toEqual(OWN);
    };
    await check();
    await last().app.close();
    instances.splice(-1, 1, await start(place()));
    await check();
  });

  it('are listed with their shares, set, stopped and set free over HTTP, with an audit trail', async () => {
    expect((await admin(one(), 'canaries')).body.items).toMatchObject([
      { tool: TOOL, owner: '', source: 'app', sharePct: 10, declaredPct: 10, description: NEW.description },
    ]);
    const all = await setShare(100);
    expect([all.status, all.body]).toMatchObject([200, { tool: TOOL, sharePct: 100, actor: 'olga@house' }]);
    expect(all.controlRevision).toBe(String(all.body.revision));
    for (const tenant of ['acme', 'globex', 'initech']) expect(await servedOverMcp(last(), tenant)).toEqual(NEW);

    const stopped = await setShare(0, { definitionHash: undefined });
    expect(stopped.status).toBe(200);
    for (const tenant of ['acme', 'globex', 'initech']) expect(await servedOverMcp(last(), tenant)).toEqual(OWN);
    expect((await admin(one(), 'canaries')).body.items).toMatchObject([
      { sharePct: 0, declaredPct: 10, stored: { tool: TOOL, sharePct: 0, actor: 'olga@house' } },
    ]);
    expect((await admin(one(), 'canary-shares')).body.items).toMatchObject([{ tool: TOOL, sharePct: 0 }]);

    await instances[0]!.app.close();
    instances.splice(0, 1, await start(place()));
    expect(await servedOverMcp(one(), 'acme')).toEqual(OWN);

    const stale = await admin(one(), `canary-shares/${TOOL}?reason=over&expectedRevision=99`, { method: 'DELETE' });
    expect([stale.status, stale.body.code]).toEqual([409, 'REVISION_CONFLICT']);
    const removed = await admin(one(), `canary-shares/${TOOL}?reason=over`, { method: 'DELETE' });
    expect(removed.status).toBe(200);
    expect((await admin(one(), `canary-shares/${TOOL}?reason=over`, { method: 'DELETE' })).status).toBe(404);
    const [free] = (await admin(one(), 'canaries')).body.items;
    expect(free).toMatchObject({ sharePct: 10 });
    expect(free.stored).toBeUndefined();
    const entries = (await admin(one(), 'audit?action=canary.')).body.items as { action: string; subject: string }[];
    expect(entries.map(({ action, subject }) => [action, subject])).toEqual(
      ['canary.removed', 'canary.set', 'canary.set'].map((action) => [action, TOOL]),
    );
    expect((await admin(one(), 'audit/verify')).body).toMatchObject({ valid: true });
  });

  it('are in the record with their own hash, and in what explains a decision', async () => {
    const [{ definitionHash }] = (await admin(one(), 'canaries')).body.items;
    await setShare(100);
    await servedOverMcp(one(), 'recorded');
    await setShare(0);
    await servedOverMcp(one(), 'recorded');
    const calls = async () => (await admin(one(), `calls?tenantId=recorded&tool=${TOOL}`)).body.items;
    while ((await calls()).length < 2);
    const [own, canary] = (await calls()) as { definitionHash: string }[];
    expect(canary?.definitionHash).toBe(definitionHash);
    expect(own?.definitionHash).not.toBe(definitionHash);
    const context = { tenantId: 'recorded', userId: 'ann', roles: [] };
    const explained = await admin(one(), 'explain', { body: { tool: TOOL, context } });
    const layers = explained.body.layers as { layer: string; reason: string }[];
    expect(layers.find(({ layer }) => layer === 'lifecycle')?.reason).toBe(
      `Its canary ${definitionHash.slice(0, 12)} is served to 0 % of the tenants, and not to this one.`,
    );
  });

  it('tell an open list of a tenant that its definition changed', async () => {
    await setShare(0);
    const caller = await WireCaller.of(last().url, 'modern', { token: 'acme.ann', path: '/mcp/all' });
    const stream = await caller.listen();
    await stream.arrived(1);
    await setShare(100);
    const messages = await stream.arrived(2);
    stream.close();
    expect(messages.at(-1)).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  it.each([
    [{ sharePct: 101 }],
    [{ sharePct: '10' }],
    [{ sharePct: 5, definitionHash: undefined }],
    [{ sharePct: 5, definitionHash: 'x' }],
    [{ reason: '' }],
    [{ unknown: 1 }],
  ])('refuse a share like %j', async (body) => {
    const { status, body: answer } = await setShare(10, body);
    expect([status, answer.code]).toEqual([400, 'INVALID_REQUEST']);
  });
}

describe('canaries of an application, on SQLite', () => {
  const data = mkdtempSync(join(tmpdir(), 'tool-search-canaries-'));
  servesCanaries(() => ({ database: join(data, 'app.sqlite') }), false);
  afterAll(() => rmSync(data, { recursive: true, force: true }));
});

describeOnPostgres('canaries of two instances,', (url) => {
  // Within a block of its own: the instances close before the database is dropped.
  describe('of one application', () => servesCanaries(() => ({ url: url() }), true));
});
