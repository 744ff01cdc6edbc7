import type { NestExpressApplication } from '@nestjs/platform-express';
import { SearchGaps, TokenLedger, ToolEvents, ToolSearchService } from '@tool-search/core';
import { startAdminServer } from '../support/admin-server.js';
import { type RequestOptions, send } from '../support/reference-server.js';

const ACME = { tenantId: 'acme', userId: 'ada' };
const GLOBEX = { tenantId: 'globex', userId: 'homer' };

describe('the previews for operators', () => {
  let app: NestExpressApplication;
  let url: string;
  const admin = (path: string, options: RequestOptions = {}) =>
    send(url, `/admin/tools/${path}`, { token: 'olga:admin', ...options });
  const preview = (path: string, body: object) => admin(path, { body });

  beforeAll(async () => {
    ({ app, url } = await startAdminServer());
    await admin('policies/tenants/globex', {
      method: 'PUT',
      body: { policy: { deny: ['billing.refund'] }, reason: 'no refunds there' },
    });
  });
  afterAll(() => app?.close());

  it('search as the context would, with parts of the scores and tokens', async () => {
    const { status, body } = await preview('previews/search', { context: ACME, query: 'refund' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ verdict: 'found', answerTokens: expect.any(Number) });
    expect(body.hits[0]).toMatchObject({ name: 'billing.refund', tokens: expect.any(Number) });
    expect(body.hits[0].parts[0]).toMatchObject({ field: expect.any(String), score: expect.any(Number) });
    expect(body.hits[0].tokens).toBeGreaterThan(0);
    const hidden = await preview('previews/search', { context: GLOBEX, query: 'refund' });
    expect(JSON.stringify(hidden.body.hits)).not.toContain('billing.refund');
  });

  it('show what a model is sent, with the tokens of each part and of a plain list', async () => {
    const { body } = await preview('previews/surface', { context: ACME, mode: 'deferred' });
    expect(body).toMatchObject({ mode: 'deferred', visible: 2, listed: 0 });
    expect(body.meta.map(({ name }: { name: string }) => name)).toContain('tool_search');
    const parts = [...body.tools, ...body.meta].reduce((sum, { tokens }) => sum + tokens, 0);
    expect(body.shownTokens).toBeGreaterThanOrEqual(parts);
    const all = await preview('previews/surface', { context: ACME, mode: 'all' });
    expect(all.body).toMatchObject({ mode: 'all', listed: 2, shownTokens: body.fullTokens });
  });

  it('show what only one of two contexts can see, and which layer decides', async () => {
    const { body } = await preview('previews/diff', { left: ACME, right: GLOBEX });
    expect(body).toEqual({
      both: 1,
      left: {
        visible: 2,
        only: 1,
        tools: [
          {
            name: 'billing.refund',
            layer: 'policy',
            rule: expect.stringContaining('billing.refund'),
            reason: expect.any(String),
          },
        ],
      },
      right: { visible: 1, only: 0, tools: [] },
    });
  });

  it('show whether a context may use each of some tools, and which layer decides', async () => {
    const tools = ['billing.refund', 'billing.list', 'billing.delete_all', 'billing.nothing'];
    const { status, body } = await preview('explain/states', { context: GLOBEX, tools });
    expect(status).toBe(200);
    expect(body.items).toMatchObject([
      { tool: 'billing.refund', outcome: 'deny', layer: 'policy', rule: expect.stringContaining('stored-tenant') },
      { tool: 'billing.list', outcome: 'allow' },
      { tool: 'billing.delete_all', outcome: 'deny', layer: 'policy' },
      { tool: 'billing.nothing', outcome: 'deny', layer: 'source', rule: 'unknown' },
    ]);
    expect(body.items[1]).toEqual({ tool: 'billing.list', outcome: 'allow' });
  });

  it('show in the catalog what holds for every tenant, and for every caller of one', async () => {
    const decisions = async (query: string) => {
      const { body } = await admin(`catalog?${query}`);
      const items = body.items as readonly { name: string; decision: { outcome: string; layer: string } }[];
      return items.map(({ name, decision: { outcome, layer } }) => [name, outcome, layer]);
    };
    expect(await decisions('source=billing')).toEqual([
      ['billing.delete_all', 'deny', 'policy'],
      ['billing.list', 'allow', 'approval'],
      ['billing.refund', 'allow', 'approval'],
    ]);
    expect(await decisions('q=billing.refund&tenantId=globex')).toEqual([['billing.refund', 'deny', 'policy']]);
    expect(await decisions('q=billing.refund&tenantId=acme')).toEqual([['billing.refund', 'allow', 'approval']]);
  });

  it('record nothing, also for a context with a session', async () => {
    const events: string[] = [];
    const stop = app.get(ToolEvents).on('*', ({ type }) => void events.push(type));
    const context = { ...ACME, sessionId: 's1', runId: 'r1' };
    await preview('previews/search', { context, query: 'fax a letter to the moon' });
    await preview('previews/surface', { context, mode: 'deferred' });
    await preview('previews/diff', { left: context, right: GLOBEX });
    await preview('explain/states', { context, tools: ['billing.refund', 'billing.nothing'] });
    stop();
    expect(events).toEqual([]);
    expect(await app.get(SearchGaps).totals({}, { limit: 10 })).toEqual([]);
    expect((await app.get(TokenLedger).totals()).steps).toBe(0);
    expect((await admin('activations')).body.items).toEqual([]);
    expect((await admin('calls')).body.items).toEqual([]);
  });

  it('show what a switch would turn off, before it is engaged', async () => {
    const before = await preview('kill-switches/preview', { kind: 'glob', value: 'billing.*' });
    expect(before.body).toMatchObject({ matched: 3, sources: ['billing'], alreadyOff: 0, revision: 0, activations: 0 });
    expect(before.body.everything).toBe(false);
    expect((await preview('kill-switches/preview', { kind: 'glob', value: '*' })).body.everything).toBe(true);
    await admin('kill-switches', { body: { kind: 'tool', value: 'billing.list', reason: 'a test' } });
    const after = await preview('kill-switches/preview', { kind: 'glob', value: 'billing.*' });
    expect(after.body.alreadyOff).toBe(1);
    const same = await preview('kill-switches/preview', { kind: 'tool', value: 'billing.list' });
    expect(same.body).toMatchObject({ matched: 1, alreadyOff: 0, revision: expect.any(Number) });
    expect(same.body.revision).toBeGreaterThan(0);
  });

  it('show which recorded calls a policy would have refused', async () => {
    const acme = app.get(ToolSearchService).open({ ...ACME, agentId: 'chat', runId: 'r2' });
    const limit = { match: { tool: 'billing.refund' }, per: ['user'], rate: { calls: 2, windowMs: 3_600_000 } };
    await admin('limits/refunds', { method: 'PUT', body: { limit, reason: 'a test' } });
    for (const refused of [false, false, true]) {
      const { ok } = await acme.call('billing.refund', {});
      expect(ok).toBe(!refused);
    }
    await acme.call('billing.delete_all', {});
    const dryRun = async (body: object) => (await preview('dry-run/policies', body)).body;
    const policy = { deny: ['billing.refund'] };
    expect(await dryRun({ policy, tenantId: 'acme' })).toMatchObject({
      calls: 4,
      refused: 2,
      unchanged: 2,
      groups: [{ tenantId: 'acme', tool: 'billing.refund', becomes: 'refused', calls: 2 }],
    });
    expect(await dryRun({ policy, agentId: 'other' })).toMatchObject({ refused: 0, unchanged: 4 });
    expect(await dryRun({ policy: { deny: ['billing.list'] }, agentId: 'chat' })).toMatchObject({ refused: 0 });
    expect((await dryRun({ policy: { denny: [] }, agentId: 'chat' })).code).toBe('INVALID_REQUEST');
    const off = await preview('dry-run/kill-switches', { kind: 'glob', value: 'billing.*' });
    expect(off.body).toMatchObject({ calls: 4, refused: 2 });
  });

  it('show one definition, and find tools by a part of their texts', async () => {
    expect((await admin('catalog/billing.refund')).body).toMatchObject({
      name: 'billing.refund',
      source: 'billing',
      inputSchema: expect.any(Object),
    });
    expect((await admin('catalog/billing.nothing')).body).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    const found = await admin('catalog?contains=EFUN');
    expect(found.body.items.map(({ name }: { name: string }) => name)).toEqual(['billing.refund']);
  });

  it.each([
    ['previews/search', { context: {}, query: 'refund' }, 'INVALID_CONTEXT'],
    ['previews/search', { context: ACME, query: '' }, 'INVALID_REQUEST'],
    ['previews/diff', { left: ACME }, 'INVALID_REQUEST'],
    ['explain/states', { context: ACME, tools: [] }, 'INVALID_REQUEST'],
    ['explain/states', { context: ACME, tools: Array.from({ length: 101 }, () => 'a') }, 'INVALID_REQUEST'],
    ['explain/states', { context: ACME, tools: [1] }, 'INVALID_REQUEST'],
    ['explain/states', { context: {}, tools: ['a'] }, 'INVALID_CONTEXT'],
    ['kill-switches/preview', { kind: 'tool', value: '' }, 'INVALID_REQUEST'],
  ])('refuse a wrong body of %s', async (path, body, code) => {
    expect((await preview(path, body)).body.code).toBe(code);
  });
});
