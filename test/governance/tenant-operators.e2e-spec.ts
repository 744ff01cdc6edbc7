import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner } from '@nestjs/core';
import { adminControllers } from '@tool-search/admin';
import type { ToolContext } from '@tool-search/core';
import { startTenantOperatorApp, type TenantOperatorApp } from '../support/tenant-operator-app.js';

type Scope = ToolContext['admin'];

const OF_ACME: Scope = { tenants: ['acme'] };

/** What operators of some tenants may ask for. A new route is closed to them until it is added here. */
const OPEN = `
  GET me, GET status, GET kill-switches, POST kill-switches, POST kill-switches/release, POST kill-switches/preview,
  GET kill-switches/history, GET policies, GET policies/tenants/:tenantId, PUT policies/tenants/:tenantId,
  DELETE policies/tenants/:tenantId, GET policies/tenants/:tenantId/agents/:agentId,
  PUT policies/tenants/:tenantId/agents/:agentId, DELETE policies/tenants/:tenantId/agents/:agentId,
  POST explain, POST explain/states, POST explain/past, POST explain/diff, POST previews/search,
  POST previews/surface, POST previews/diff, GET catalog, GET catalog/:name, GET sources, POST sources/:name/reload, GET quarantine, GET reported,
  GET quarantine/:id, POST quarantine/approve, POST quarantine/:id/approve, POST quarantine/:id/reject, GET approvals,
  POST approvals/:id/approve, POST approvals/:id/refuse, GET activations, DELETE activations, GET user-credentials,
  DELETE user-credentials, GET audit, GET audit/export, GET calls, GET calls/summary, GET calls/costs, GET calls/overview,
  GET calls/export,
  GET runs/:runId, DELETE calls, POST dry-run/kill-switches, POST dry-run/policies, GET tokens, GET tokens/hours, GET tokens/sessions,
  GET search-gaps, GET search-gaps/queries, DELETE search-gaps`
  .split(',')
  .map((route) => route.trim())
  .sort();

const ROUTES = adminControllers.flatMap(({ prototype }) =>
  new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const path: string | undefined = Reflect.getMetadata(PATH_METADATA, prototype[name]);
    const method: RequestMethod = Reflect.getMetadata(METHOD_METADATA, prototype[name]);
    return path === undefined ? [] : [{ method: RequestMethod[method], path }];
  }),
);

type Route = (typeof ROUTES)[number];

/** Wherever a request can name a tenant, it names this one. */
function requestFor({ method, path }: Route, tenantId: unknown) {
  const inUrl = encodeURIComponent(String(tenantId));
  const url = path.replace(':tenantId', inUrl).replace(/:[a-z]+/gi, 'x');
  const context = { tenantId, userId: 'ada' };
  const body = { tenantId, owner: tenantId, context, left: context, right: context, reason: 'a test' };
  return {
    url: `${url}?${tenantId === undefined ? '' : `tenantId=${inUrl}&`}reason=test`,
    options: { method, ...(method !== 'GET' && method !== 'DELETE' && { body }) },
  };
}

describe('operators of some tenants', () => {
  let application: TenantOperatorApp;
  beforeAll(async () => {
    application = await startTenantOperatorApp(['secret_export']);
  });
  afterAll(() => application.app.close());

  const isForbidden = async (scope: Scope, route: Route, tenantId: unknown) => {
    const { url, options } = requestFor(route, tenantId);
    const { status, body } = await application.admin(scope, url, options);
    expect(status).toBeLessThan(500);
    return status === 403 && body.code === 'FORBIDDEN';
  };
  const openTo = async (scope: Scope, tenantId: unknown) => {
    const open: string[] = [];
    for (const route of ROUTES) {
      if (!(await isForbidden(scope, route, tenantId))) open.push(`${route.method} ${route.path}`);
    }
    return open.sort();
  };

  it('may use exactly the routes that concern one tenant', async () => {
    expect(await openTo(OF_ACME, 'acme')).toEqual(OPEN);
    expect(await openTo({ tenants: ['hooli', 'acme'] }, 'acme')).toEqual(OPEN);
  });

  it('may use none of them for another tenant, for all tenants, or for a tenant that is no text', async () => {
    for (const other of ['globex', undefined, ' ', '*', 'all', 'ACME', ['acme', 'acme'], { a: 'acme' }]) {
      expect(await openTo(OF_ACME, other)).toEqual(['GET me']);
    }
    const { admin } = application;
    expect((await admin(OF_ACME, 'calls?tenantId=acme&tenantId=globex')).status).toBe(403);
    expect((await admin(OF_ACME, 'calls?tenantId[]=acme')).status).toBe(403);
    expect((await admin(OF_ACME, 'policies/tenants/globex?tenantId=acme')).status).toBe(403);
    const [acme, globex] = ['acme', 'globex'].map((tenantId) => ({ tenantId }));
    expect((await admin(OF_ACME, 'explain/diff', { body: { tool: 'x', left: acme, right: globex } })).status).toBe(403);
  });

  it('see no tenant with an empty list', async () => {
    expect(await openTo({ tenants: [] }, 'acme')).toEqual([]);
  });

  it('cannot change anything with read access', async () => {
    const readable = OPEN.filter((route) => route.startsWith('GET') || /preview|explain|dry-run/.test(route));
    expect(await openTo({ tenants: ['acme'], readOnly: true }, 'acme')).toEqual(readable);
    const reads = (await openTo({ tenants: 'all', readOnly: true }, 'acme')).filter(
      (route) => !route.startsWith('GET'),
    );
    expect(reads.every((route) => /preview|explain|dry-run|preflight/.test(route))).toBe(true);
    expect(await openTo({ tenants: 'all' }, 'acme')).toEqual(
      ROUTES.map((each) => `${each.method} ${each.path}`).sort(),
    );
  });

  it.each([[{}], [{ tenants: 'acme' }], [{ tenant: ['acme'] }], [{ tenants: 'all', readonly: true }], [1], ['true']])(
    'are refused if the context gives admin: %j',
    async (scope) => {
      const { status, body } = await application.admin(scope as Scope, 'me');
      expect([status, body.code]).toEqual([400, 'INVALID_CONTEXT']);
    },
  );

  it('get their own permissions, and the reason of a refusal', async () => {
    const { admin } = application;
    expect((await admin(OF_ACME, 'me')).body).toEqual({
      actor: 'olga@house',
      tenants: ['acme'],
      readOnly: false,
      callerFields: {},
    });
    expect((await admin(true, 'me')).body).toEqual({
      actor: 'olga@house',
      tenants: 'all',
      readOnly: false,
      callerFields: {},
    });
    expect((await admin(OF_ACME, 'limits')).body).toMatchObject({
      detail: 'Only operators of all tenants may do this.',
      hint: 'Nothing was done. Ask one of them.',
    });
    expect((await admin(OF_ACME, 'calls?tenantId=globex')).body.hint).toMatch(/one of your tenants as query.tenantId/);
  });

  it('decide for their tenant, by records of this tenant only', async () => {
    const { admin, service } = application;
    await admin(true, 'policies/tenants/globex', {
      method: 'PUT',
      body: { policy: { approval: ['billing.refund'] }, reason: 'two persons' },
    });
    await service.open({ tenantId: 'globex', userId: 'homer', sessionId: 's' }).call('billing.refund', {});
    const [{ id }] = (await admin(true, 'approvals')).body.items;
    const decide = { body: { reason: 'mine now' } };
    for (const way of ['approve', 'refuse']) {
      expect((await admin(OF_ACME, `approvals/${id}/${way}?tenantId=acme`, decide)).body.code).toBe('NOT_FOUND');
    }
    expect((await admin(OF_ACME, 'approvals?tenantId=acme')).body.items).toEqual([]);
    expect((await admin({ tenants: ['globex'] }, `approvals/${id}/approve?tenantId=globex`, decide)).status).toBe(200);

    const [{ id: held, name }] = (await admin(OF_ACME, 'quarantine?tenantId=acme')).body.items;
    expect(name).toBe('acme_own.odd');
    const globex = { tenants: ['globex'] };
    for (const path of [`quarantine/${held}`, `quarantine/${held}/approve`, `quarantine/${held}/reject`]) {
      const options = path.endsWith(held) ? {} : decide;
      expect((await admin(globex, `${path}?tenantId=globex`, options)).body.code).toBe('NOT_FOUND');
    }
    expect((await admin(globex, 'quarantine?tenantId=globex')).body.items).toEqual([]);
    expect((await admin(OF_ACME, `quarantine/${held}/approve?tenantId=acme`, decide)).status).toBe(200);
    const secret = 'catalog/globex_own.secret_export?owner=globex';
    expect((await admin(OF_ACME, `${secret}&tenantId=acme`)).body.code).toBe('NOT_FOUND');
    expect((await admin(globex, `${secret}&tenantId=globex`)).status).toBe(200);
  });

  it('are counted a kill switch for everybody if it keeps a tool of their tenant off, and are not shown its target', async () => {
    const { admin } = application;
    const counted = async (tenant: string) =>
      (await admin({ tenants: [tenant] }, `status?tenantId=${tenant}`)).body.counts.killSwitches;
    expect([await counted('acme'), await counted('globex')]).toEqual([0, 0]);
    const target = { kind: 'glob', value: '*secret*', reason: 'a test' };
    const { revision } = (await admin(true, 'kill-switches', { body: target })).body;
    expect([await counted('acme'), await counted('globex')]).toEqual([0, 1]);
    const shared = { kind: 'tool', value: 'billing.refund', reason: 'a test' };
    const own = (tenantId: string) => admin(true, 'kill-switches', { body: { ...shared, tenantId } });
    const of = [await admin(true, 'kill-switches', { body: shared }), await own('acme')];
    expect([await counted('acme'), await counted('globex')]).toEqual([2, 2]);
    const wider = { kind: 'glob', value: 'billing.*', reason: 'a test' };
    const overlapping = await admin(true, 'kill-switches', { body: wider });
    expect([await counted('acme'), await counted('globex')]).toEqual([3, 3]);
    expect((await admin(OF_ACME, 'kill-switches?tenantId=acme')).body.items).toMatchObject([{ tenantId: 'acme' }]);
    const release = (body: object) => admin(true, 'kill-switches/release', { body: { ...body, reason: 'a test' } });
    await release({ ...target, expectedRevision: revision });
    await release({ ...wider, expectedRevision: overlapping.body.revision });
    await release({ ...shared, expectedRevision: of[0]?.body.revision });
    await release({ ...shared, tenantId: 'acme', expectedRevision: of[1]?.body.revision });
    expect([await counted('acme'), await counted('globex')]).toEqual([0, 0]);
  });

  it('load the sources of their tenant again, and no shared one', async () => {
    const { admin } = application;
    const reload = (scope: Scope, source: string, owner?: string) =>
      admin(scope, `sources/${source}/reload`, { body: { reason: 'a test', owner } });
    expect((await reload(OF_ACME, 'acme_own', 'acme')).body).toMatchObject({ source: 'acme_own', owner: 'acme' });
    expect((await reload(OF_ACME, 'billing', 'acme')).body.code).toBe('NOT_FOUND');
    for (const owner of [undefined, '', 'globex']) {
      expect((await reload(OF_ACME, 'billing', owner)).body.code).toBe('FORBIDDEN');
    }
    const { items } = (await admin(OF_ACME, 'audit?tenantId=acme&action=source.')).body;
    expect(items).toMatchObject([{ action: 'source.reloaded', subject: 'acme_own', tenantId: 'acme' }]);
  });
});
