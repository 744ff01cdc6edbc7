import type { NestExpressApplication } from '@nestjs/platform-express';
import { AuditTrail } from '@tool-search/core';
import { type FragileStore, startAdminServer } from '../support/admin-server.js';
import { type RequestOptions, send } from '../support/reference-server.js';

const YEAR_MS = 366 * 86_400_000;
const KILL = { kind: 'tool', value: 'billing.list', reason: 'a test' };
const POLICY = { policy: { deny: ['billing.list'] }, reason: 'a test' };
const ACME = 'policies/tenants/acme';
const cursorOf = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url');
const nested = (depth: number): object => (depth === 1 ? {} : { a: nested(depth - 1) });

describe('what operators get wrong', () => {
  let app: NestExpressApplication;
  let url: string;
  let store: FragileStore;
  let id: string;
  let revision: number;
  const admin = (path: string, options: RequestOptions = {}) =>
    send(url, `/admin/tools/${path}`, { token: 'olga:admin', ...options });
  const state = async () => {
    const { body } = await admin('status');
    const lists = await Promise.all(
      ['kill-switches', 'policies', 'approvals', 'quarantine', 'audit/export'].map((path) => admin(path)),
    );
    return [body.revision, body.counts, ...lists.map(({ status, text }) => `${status} ${text}`)];
  };

  beforeAll(async () => {
    ({ app, url, store } = await startAdminServer());
    const refund = { kind: 'tool', value: 'billing.refund', reason: 'first' };
    ({
      killSwitch: { id },
      revision,
    } = (await admin('kill-switches', { body: refund, headers: { 'idempotency-key': 'used' } })).body);
    expect((await admin(ACME, { method: 'PUT', body: { policy: { deny: ['x.*'] }, reason: 'first' } })).status).toBe(
      200,
    );
  });
  afterAll(() => app?.close());

  type Row = [
    what: string,
    path: string,
    options: RequestOptions | (() => RequestOptions),
    status: number,
    code: string,
    words: RegExp,
  ];

  it.each<Row>([
    // an unknown field
    [
      'a typo in a policy',
      ACME,
      { method: 'PUT', body: { ...POLICY, policy: { denied_tool: ['x'] } } },
      400,
      'INVALID_REQUEST',
      /denied_tool/,
    ],
    [
      'a typo beside a policy',
      ACME,
      { method: 'PUT', body: { ...POLICY, denied_tool: ['x'] } },
      400,
      'INVALID_REQUEST',
      /denied_tool/,
    ],
    [
      'a typo in a switch',
      'kill-switches',
      { body: { ...KILL, tennantId: 'acme' } },
      400,
      'INVALID_REQUEST',
      /tennantId/,
    ],
    ['a typo in a query', 'kill-switches?wait=5', { body: KILL }, 400, 'INVALID_REQUEST', /wait/],
    [
      'a typo in a release',
      `kill-switches/x/release`,
      { body: { reason: 'x', revision: 1 } },
      400,
      'INVALID_REQUEST',
      /revision/,
    ],
    // an invalid policy
    ['no policy', ACME, { method: 'PUT', body: { reason: 'x' } }, 400, 'INVALID_REQUEST', /policy/],
    [
      'a policy that is a list',
      ACME,
      { method: 'PUT', body: { ...POLICY, policy: [] } },
      400,
      'INVALID_REQUEST',
      /policy/,
    ],
    [
      'a list that is null',
      ACME,
      { method: 'PUT', body: { ...POLICY, policy: { allow: null } } },
      400,
      'INVALID_REQUEST',
      /allow/,
    ],
    [
      'a list that is a text',
      ACME,
      { method: 'PUT', body: { ...POLICY, policy: { allow: 'a.*' } } },
      400,
      'INVALID_REQUEST',
      /allow/,
    ],
    [
      'a glob that is none',
      ACME,
      { method: 'PUT', body: { ...POLICY, policy: { deny: ['a b'] } } },
      400,
      'INVALID_REQUEST',
      /deny/,
    ],
    [
      'too many globs',
      ACME,
      { method: 'PUT', body: { ...POLICY, policy: { deny: Array(1001).fill('a') } } },
      400,
      'INVALID_REQUEST',
      /1000/,
    ],
    [
      'a tenant with a long name',
      `policies/tenants/${'a'.repeat(257)}`,
      { method: 'PUT', body: POLICY },
      400,
      'INVALID_REQUEST',
      /256/,
    ],
    // an invalid switch
    ['no kind', 'kill-switches', { body: { ...KILL, kind: undefined } }, 400, 'INVALID_REQUEST', /kind/],
    ['an unknown kind', 'kill-switches', { body: { ...KILL, kind: 'tools' } }, 400, 'INVALID_REQUEST', /kind/],
    ['no value', 'kill-switches', { body: { ...KILL, value: '' } }, 400, 'INVALID_REQUEST', /value/],
    [
      'a glob as a name',
      'kill-switches',
      { body: { ...KILL, value: 'billing.*' } },
      400,
      'INVALID_REQUEST',
      /kind "glob"/,
    ],
    [
      'an unknown class',
      'kill-switches',
      { body: { ...KILL, kind: 'side_effects', value: 'bad' } },
      400,
      'INVALID_REQUEST',
      /value/,
    ],
    ['an empty tenant', 'kill-switches', { body: { ...KILL, tenantId: '' } }, 400, 'INVALID_REQUEST', /tenantId/],
    [
      'a tenant that is null',
      'kill-switches',
      { body: { ...KILL, tenantId: null } },
      400,
      'INVALID_REQUEST',
      /tenantId/,
    ],
    [
      'a flag that is a text',
      'kill-switches',
      { body: { ...KILL, abortRunning: 'yes' } },
      400,
      'INVALID_REQUEST',
      /abortRunning/,
    ],
    ['a long wait', 'kill-switches?waitMs=30001', { body: KILL }, 400, 'INVALID_REQUEST', /waitMs/],
    // everything, unconfirmed
    [
      'everything',
      'kill-switches',
      { body: { ...KILL, kind: 'glob', value: '*' } },
      428,
      'CONFIRMATION_REQUIRED',
      /every tool/,
    ],
    [
      'everything, spelled otherwise',
      'kill-switches',
      { body: { ...KILL, kind: 'glob', value: '*.*' } },
      428,
      'CONFIRMATION_REQUIRED',
      /every tool/,
    ],
    [
      'everything, half confirmed',
      'kill-switches',
      { body: { ...KILL, kind: 'glob', value: '**', confirm: 'yes' } },
      428,
      'CONFIRMATION_REQUIRED',
      /every tool/,
    ],
    ['all activations', 'activations?reason=x', { method: 'DELETE' }, 428, 'CONFIRMATION_REQUIRED', /everybody/],
    // an outdated revision
    [
      'an old revision of a switch',
      'kill-switches',
      () => ({ body: { ...KILL, value: 'billing.refund', expectedRevision: 0 } }),
      409,
      'REVISION_CONFLICT',
      /revision 1\b/,
    ],
    [
      'an old revision of a policy',
      ACME,
      { method: 'PUT', body: { ...POLICY, expectedRevision: 1 } },
      409,
      'REVISION_CONFLICT',
      /revision 2\b/,
    ],
    [
      'an old revision to remove',
      `${ACME}?reason=x&expectedRevision=1`,
      { method: 'DELETE' },
      409,
      'REVISION_CONFLICT',
      /revision 2\b/,
    ],
    [
      'a revision that is a text',
      ACME,
      { method: 'PUT', body: { ...POLICY, expectedRevision: '2' } },
      400,
      'INVALID_REQUEST',
      /expectedRevision/,
    ],
    [
      'a release without a revision',
      'kill-switches/x/release',
      { body: { reason: 'x' } },
      400,
      'INVALID_REQUEST',
      /: expectedRevision must be given: the revision as you saw it, a whole number\.$/,
    ],
    [
      'a release of what is not there',
      'kill-switches/ks_none/release',
      { body: { reason: 'x', expectedRevision: 1 } },
      404,
      'NOT_FOUND',
      /kill switch/,
    ],
    // no reason
    ['no reason', 'kill-switches', { body: { ...KILL, reason: undefined } }, 400, 'INVALID_REQUEST', /reason/],
    ['an empty reason', 'kill-switches', { body: { ...KILL, reason: '' } }, 400, 'INVALID_REQUEST', /reason/],
    [
      'a blank reason',
      ACME,
      { method: 'PUT', body: { ...POLICY, reason: ' \u00a0' } },
      400,
      'INVALID_REQUEST',
      /reason/,
    ],
    ['a reason of two lines', 'kill-switches', { body: { ...KILL, reason: 'a\nb' } }, 400, 'INVALID_REQUEST', /reason/],
    [
      'a long reason',
      'kill-switches',
      { body: { ...KILL, reason: 'a'.repeat(1001) } },
      400,
      'INVALID_REQUEST',
      /reason/,
    ],
    ['no reason to remove', ACME, { method: 'DELETE' }, 400, 'INVALID_REQUEST', /reason/],
    [
      'a blank reason to revoke',
      'activations?tenantId=a&reason=%20',
      { method: 'DELETE' },
      400,
      'INVALID_REQUEST',
      /reason/,
    ],
    [
      'a reason of two lines to revoke',
      'activations?tenantId=a&reason=a%0Ab',
      { method: 'DELETE' },
      400,
      'INVALID_REQUEST',
      /reason/,
    ],
    // an invalid end
    [
      'an end in the past',
      'kill-switches',
      () => ({ body: { ...KILL, expiresAt: Date.now() - 1 } }),
      400,
      'INVALID_REQUEST',
      /expiresAt/,
    ],
    [
      'an end in two years',
      'kill-switches',
      () => ({ body: { ...KILL, expiresAt: Date.now() + 2 * YEAR_MS } }),
      400,
      'INVALID_REQUEST',
      /expiresAt/,
    ],
    [
      'an end that is a date',
      'kill-switches',
      { body: { ...KILL, expiresAt: '2030-01-01' } },
      400,
      'INVALID_REQUEST',
      /expiresAt/,
    ],
    [
      'an end that is null',
      'kill-switches',
      { body: { ...KILL, expiresAt: null } },
      400,
      'INVALID_REQUEST',
      /expiresAt/,
    ],
    // too much
    [
      'a large body',
      ACME,
      { method: 'PUT', body: { ...POLICY, policy: { deny: Array(700).fill('a'.repeat(100)) } } },
      413,
      'ARGUMENTS_TOO_LARGE',
      /64 KiB/,
    ],
    [
      'a huge body',
      ACME,
      { method: 'PUT', body: { ...POLICY, reason: 'a'.repeat(600_000) } },
      413,
      'ARGUMENTS_TOO_LARGE',
      /too large/,
    ],
    ['a deep body', 'explain', { body: { tool: 'x', context: nested(16) } }, 400, 'INVALID_REQUEST', /16 levels/],
    [
      'a very deep body',
      'explain',
      { body: `{"tool":"x","context":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_001)}` },
      413,
      'ARGUMENTS_TOO_LARGE',
      /40 levels/,
    ],
    // static policies that only code can change
    [
      'a release of what the code denies',
      'kill-switches/release',
      { body: { kind: 'tool', value: 'billing.delete_all', reason: 'x', expectedRevision: 0 } },
      409,
      'STATIC_POLICY',
      /denies billing\.delete_\*/,
    ],
    [
      'a release of what nothing keeps off',
      'kill-switches/release',
      { body: { ...KILL, expectedRevision: 0 } },
      404,
      'NOT_FOUND',
      /kill switch/,
    ],
    // an idempotency key of another request
    [
      'a key of another request',
      'kill-switches',
      { body: KILL, headers: { 'idempotency-key': 'used' } },
      400,
      'INVALID_REQUEST',
      /idempotency key/,
    ],
    [
      'a key of another tenant',
      'kill-switches',
      { body: { ...KILL, value: 'billing.refund', tenantId: 'acme' }, headers: { 'idempotency-key': 'used' } },
      400,
      'INVALID_REQUEST',
      /idempotency key/,
    ],
    [
      'a long key',
      'kill-switches',
      { body: KILL, headers: { 'idempotency-key': 'a'.repeat(201) } },
      400,
      'INVALID_REQUEST',
      /idempotency key/,
    ],
    // not JSON, or not an object
    ['broken JSON', 'kill-switches', { body: '{"kind":' }, 400, 'INVALID_REQUEST', /JSON/],
    [
      'a key twice',
      'kill-switches',
      { body: '{"kind":"tool","kind":"glob"}' },
      400,
      'INVALID_REQUEST',
      /same key twice/,
    ],
    [
      'a charset nobody reads',
      'kill-switches',
      { body: KILL, headers: { 'content-type': 'application/json; charset=klingon' } },
      415,
      'INVALID_REQUEST',
      /charset/,
    ],
    [
      'an encoding nobody reads',
      'kill-switches',
      { body: KILL, headers: { 'content-encoding': 'zip' } },
      415,
      'INVALID_REQUEST',
      /encoding/,
    ],
    ['a bad % in a path', 'policies/tenants/%zz', {}, 400, 'INVALID_REQUEST', /path has a %/],
    ['a list', 'kill-switches', { body: [KILL] }, 400, 'INVALID_REQUEST', /object/],
    [
      'a reach for the prototype',
      'kill-switches',
      { body: '{"__proto__":{"admin":true}}' },
      400,
      'INVALID_REQUEST',
      /__proto__/,
    ],
    ['no body', 'kill-switches', { method: 'POST' }, 400, 'INVALID_REQUEST', /kind/],
    // pages
    ['a limit of zero', 'catalog?limit=0', {}, 400, 'INVALID_REQUEST', /limit/],
    ['a limit of 201', 'audit?limit=201', {}, 400, 'INVALID_REQUEST', /limit/],
    ['an empty limit', 'policies?limit=', {}, 400, 'INVALID_REQUEST', /limit/],
    ['a limit twice', 'policies?limit=1&limit=2', {}, 400, 'INVALID_REQUEST', /limit/],
    ['a cursor of nobody', 'audit?cursor=abc', {}, 400, 'INVALID_REQUEST', /cursor/],
    ['a cursor of another list', `catalog?cursor=${cursorOf(['audit', 3])}`, {}, 400, 'INVALID_REQUEST', /cursor/],
    ['a cursor of activations', 'activations?cursor=abc', {}, 400, 'INVALID_REQUEST', /cursor/],
    ['an action that is none', 'audit?action=DROP+TABLE', {}, 400, 'INVALID_REQUEST', /action/],
    ['a time that is none', 'audit/export?since=yesterday', {}, 400, 'INVALID_REQUEST', /since/],
    // characters that stores reject
    ['a NUL in a path', 'policies/tenants/a%00b', {}, 400, 'INVALID_REQUEST', /tenantId has a control character/],
    [
      'a NUL in an id',
      'approvals/ap%00/approve',
      { body: { reason: 'x' } },
      400,
      'INVALID_REQUEST',
      /id has a control character/,
    ],
    ['a NUL in a query', 'audit?actor=a%00b', {}, 400, 'INVALID_REQUEST', /actor has a control character/],
    [
      'half a character',
      'kill-switches',
      { body: { ...KILL, tenantId: '\ud800' } },
      400,
      'INVALID_REQUEST',
      /tenantId/,
    ],
    [
      'a NUL deep in a body',
      'explain',
      { body: { tool: 'billing.refund', context: { tenantId: 'a', roles: ['a\u0000'] } } },
      400,
      'INVALID_REQUEST',
      /context\.roles\.0 has/,
    ],
    [
      'a NUL in a key',
      'explain',
      { body: { tool: 'billing.refund', context: { tenantId: 'a', 'a\u0000': 1 } } },
      400,
      'INVALID_REQUEST',
      /a key of context/,
    ],
    [
      'a NUL in a cursor',
      `approvals?cursor=${cursorOf(['approvals', 'a\u0000'])}`,
      {},
      400,
      'INVALID_REQUEST',
      /cursor/,
    ],
    [
      'a NUL in a cursor of activations',
      `activations?cursor=${cursorOf(['acme', '', 'run', 'a\u0000', 'x'])}`,
      {},
      400,
      'INVALID_REQUEST',
      /cursor/,
    ],
    // the other topics
    [
      'a context without a tenant',
      'explain',
      { body: { tool: 'billing.refund', context: {} } },
      400,
      'INVALID_CONTEXT',
      /tenantId/,
    ],
    [
      'a session that is none',
      'explain',
      { body: { tool: 'billing.refund', context: { tenantId: 'a', sessionId: 'a'.repeat(257) } } },
      400,
      'INVALID_SESSION',
      /sessionId/,
    ],
    [
      'half a comparison',
      'explain/diff',
      { body: { tool: 'billing.refund', left: { tenantId: 'a' } } },
      400,
      'INVALID_REQUEST',
      /right/,
    ],
    [
      'an approval nobody asked for',
      'approvals/ap_none/approve',
      { body: { reason: 'x' } },
      404,
      'NOT_FOUND',
      /approval/,
    ],
    [
      'an approval for a year',
      'approvals/ap_none/approve',
      { body: { reason: 'x', forMs: YEAR_MS } },
      400,
      'INVALID_REQUEST',
      /forMs/,
    ],
    [
      'an approval of all of a source that names none',
      'quarantine/approve',
      { body: { source: 'files', reason: 'x', confirm: [] } },
      400,
      'INVALID_REQUEST',
      /confirm/,
    ],
    [
      'an approval of all of a source by their number',
      'quarantine/approve',
      { body: { source: 'files', reason: 'x', confirm: 3 } },
      400,
      'INVALID_REQUEST',
      /confirm/,
    ],
    [
      'an approval of what does not wait',
      'quarantine/approve',
      { body: { source: 'files', reason: 'x', confirm: ['qt_none'] } },
      409,
      'REVISION_CONFLICT',
      /not what you saw/,
    ],
    [
      'queries that are no list',
      'example-queries/eq_none',
      { method: 'PUT', body: { queries: 'x', reason: 'x' } },
      400,
      'INVALID_REQUEST',
      /queries/,
    ],
    [
      'too many queries',
      'example-queries/eq_none/add',
      { body: { queries: Array(21).fill('x'), reason: 'x' } },
      400,
      'INVALID_REQUEST',
      /queries/,
    ],
    [
      'queries for nothing',
      'example-queries/eq_none',
      { method: 'PUT', body: { queries: ['x y'], reason: 'x' } },
      404,
      'NOT_FOUND',
      /id/,
    ],
    ['a verdict on nothing', 'quarantine/qt_none/reject', { body: { reason: 'x' } }, 404, 'NOT_FOUND', /quarantine/],
  ])('%s', async (_, path, options, status, code, words) => {
    const before = await state();
    const answer = await admin(path, typeof options === 'function' ? options() : options);
    expect(answer).toMatchObject({
      status,
      body: { status, code, detail: expect.stringMatching(words) },
    });
    expect(answer.type).toContain('application/problem+json');
    expect(answer.text).not.toMatch(/node_modules|at \w+ \(|Error:/);
    expect(await state()).toEqual(before);
  });

  it('a time that is none comes with a hint', async () => {
    const answer = await admin('approvals/ap_none/approve', { body: { reason: 'x', forMs: 0 } });
    expect(answer.body).toMatchObject({ code: 'INVALID_REQUEST', hint: expect.any(String) });
  });

  it('a release of the first switch with its revision still works after all of that', async () => {
    const body = { reason: 'over', expectedRevision: revision };
    expect((await admin(`kill-switches/${id}/release`, { body })).status).toBe(200);
  });

  describe('while the store is down', () => {
    let before: unknown;
    beforeAll(async () => {
      before = await state();
      store.answersLeft = 0;
    });
    afterAll(() => (store.answersLeft = Infinity));

    it.each<[path: string, options: RequestOptions]>([
      ['kill-switches', { body: KILL }],
      ['kill-switches/ks_x/release', { body: { reason: 'x', expectedRevision: 1 } }],
      ['kill-switches/release', { body: { ...KILL, expectedRevision: 1 } }],
      ['kill-switches/history', {}],
      [ACME, { method: 'PUT', body: POLICY }],
      [`${ACME}?reason=x`, { method: 'DELETE' }],
      ['policies', {}],
      [ACME, {}],
      ['approvals', {}],
      ['approvals/ap_x/approve', { body: { reason: 'x' } }],
      ['approvals/ap_x/refuse', { body: { reason: 'x' } }],
      ['activations?reason=x&tenantId=acme', { method: 'DELETE' }],
      ['activations/sweep', { method: 'POST' }],
      ['audit', {}],
      ['audit/verify', {}],
      ['audit/export', {}],
    ])('%s answers STORE_UNAVAILABLE and changes nothing', async (path, options) => {
      const answer = await admin(path, options);
      expect(answer).toMatchObject({ status: 503, body: { code: 'STORE_UNAVAILABLE' } });
      expect(answer.text).not.toMatch(/ECONNREFUSED|10\.0\.0|SELECT/);
    });

    it('operators still read the state, and other callers are refused', async () => {
      expect((await admin('status')).status).toBe(200);
      expect((await admin('kill-switches')).body).toEqual({ items: [] });
      expect((await admin('status', { token: 'mallory:user' })).body.code).toBe('FORBIDDEN');
    });

    it('no change was applied once it is back', async () => {
      store.answersLeft = Infinity;
      expect(await state()).toEqual(before);
    });
  });

  it('an export that breaks off does not look whole', async () => {
    const trail = app.get(AuditTrail);
    const what = { action: 'test.noted', actor: 'olga', reason: 'x'.repeat(1000), tenantId: '' };
    for (let n = 0; n < 1500; n++) await trail.note({ ...what, subject: `note ${n}` });
    // Two batches of three, or one if the poll consumes an answer.
    store.answersLeft = 2;
    await expect(admin('audit/export')).rejects.toThrow();
    store.answersLeft = Infinity;
    expect((await admin('audit/export')).text.trimEnd().split('\n').length).toBeGreaterThan(1500);
  });
});
