import type { AuditEntry } from '@tool-search/core/stores';
import {
  ACME,
  OPERATOR,
  type ReferenceServer,
  type RequestOptions,
  SECOND_OPERATOR,
  startReferenceServer,
} from '../support/reference-server.js';

const REFUND = 'billing.refund_invoice';

describe('two operators who decide about one approval over HTTP', () => {
  let server: ReferenceServer;
  const admin = (path: string, options: RequestOptions = {}) =>
    server.request(`/admin/tools/${path}`, { token: OPERATOR, ...options });
  const refund = (session: string) =>
    server.request('/toolbox/call', {
      body: { name: REFUND, arguments: { invoiceId: 'inv_1001', amount: 1 } },
      token: ACME,
      headers: { 'x-session-id': session },
    });

  beforeAll(async () => {
    server = await startReferenceServer();
  });
  afterAll(() => server?.close());

  it('the second one gets the name of the first, and changes that decision with its revision', async () => {
    const policy = { approval: [{ tools: REFUND, scope: 'session' }] };
    await admin('policies/tenants/acme', { method: 'PUT', body: { policy, reason: 'two people' } });
    const decide = (id: string, verb: 'approve' | 'refuse', body: object = {}, token = OPERATOR) =>
      admin(`approvals/${id}/${verb}`, { body: { reason: 'a test', ...body }, token });
    const asked = async (session: string) => {
      await refund(session);
      const { items } = (await admin('approvals?tenantId=acme&status=pending')).body;
      return items.find(({ scopeId }: { scopeId: string }) => scopeId === session).id as string;
    };
    const id = await asked('two-1');
    const atOnce = await Promise.all([decide(id, 'approve'), decide(id, 'refuse', {}, SECOND_OPERATOR)]);
    expect(atOnce.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const made = atOnce.find(({ status }) => status === 200)!.body;
    const { type, body: conflict } = atOnce.find(({ status }) => status === 409)!;
    expect(type).toContain('application/problem+json');
    expect(conflict).toMatchObject({
      code: 'REVISION_CONFLICT',
      detail: `${made.actor} has ${made.status} this already, at revision ${made.revision}.`,
      hint: expect.stringContaining('expectedRevision'),
    });
    const { items } = (await admin(`approvals?tenantId=acme&status=${made.status}`)).body;
    expect(items).toContainEqual(expect.objectContaining({ id, actor: made.actor, revision: made.revision }));
    const lines = (await admin('audit?action=approval.&limit=200')).body.items;
    expect(lines.filter(({ after }: AuditEntry) => after?.['id'] === id)).toHaveLength(1);

    const other = await asked('two-2');
    const approved = (await decide(other, 'approve', { expectedRevision: 0 })).body;
    for (const body of [{}, { expectedRevision: 0 }, { expectedRevision: approved.revision - 1 }]) {
      expect(await decide(other, 'refuse', body, SECOND_OPERATOR)).toMatchObject({
        status: 409,
        body: { code: 'REVISION_CONFLICT', detail: expect.stringMatching(/^olga@ops has approved this already/) },
      });
    }
    expect((await refund('two-2')).body.ok).toBe(true);
    const withdrawn = await decide(other, 'refuse', { expectedRevision: approved.revision }, SECOND_OPERATOR);
    expect(withdrawn).toMatchObject({ status: 200, body: { status: 'refused', actor: 'oscar@ops' } });
    expect((await refund('two-2')).body.code).toBe('APPROVAL_REFUSED');
    const again = { expectedRevision: withdrawn.body.revision };
    expect((await decide(other, 'approve', again)).body).toMatchObject({ status: 'approved', actor: 'olga@ops' });
    expect((await refund('two-2')).body.ok).toBe(true);
  });
});

describe('an operator who decides about one call over HTTP', () => {
  let server: ReferenceServer;
  const admin = (path: string, options: RequestOptions = {}) =>
    server.request(`/admin/tools/${path}`, { token: OPERATOR, ...options });
  const refund = async (given: object, session = 'one-1') => {
    const headers = { 'x-session-id': session };
    const body = { name: REFUND, arguments: given };
    return (await server.request('/toolbox/call', { body, token: ACME, headers })).body;
  };

  beforeAll(async () => {
    server = await startReferenceServer({ TOOL_SEARCH_RECORD_ARGUMENTS: 'billing.refund_*' });
    const policy = { approval: [REFUND] };
    await admin('policies/tenants/acme', { method: 'PUT', body: { policy, reason: 'each call' } });
  });
  afterAll(() => server?.close());

  it('sees all of its arguments, redacted, approves it with a note, and it runs once', async () => {
    const input = { invoiceId: 'inv_1001', amount: 1, reason: 'write to ada@example.com' };
    expect((await refund({ ...input, amount: 2 })).code).toBe('APPROVAL_REQUIRED');
    expect(await refund(input)).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      hint: expect.stringContaining('repeat exactly this call'),
    });
    const { items } = (await admin('approvals?tenantId=acme&status=pending')).body;
    expect(items).toMatchObject([{ covers: 'call', tool: REFUND, userId: 'ada', scopeId: 'one-1' }]);
    const [{ id, arguments: shown }] = items;
    expect(shown).toMatch(/^invoiceId: "inv_1001"\namount: 1\nreason: "write to (?!ada@).+"$/);
    const note = 'Tell her that it takes two days.';
    const approved = await admin(`approvals/${id}/approve`, { body: { reason: 'checked', note } });
    expect(approved).toMatchObject({ status: 200, body: { status: 'approved', note } });
    expect((await admin('approvals?status=approved')).body.items).toMatchObject([{ id, arguments: shown }]);
    expect((await refund({ ...input, amount: 2 }, 'one-2')).code).toBe('APPROVAL_REQUIRED');
    expect(await refund(input)).toMatchObject({ ok: true, note: expect.stringContaining(note) });
    expect((await refund(input)).code).toBe('APPROVAL_REQUIRED');
    const trail = JSON.stringify((await admin('audit?action=approval.')).body);
    expect([trail.includes(id), trail.includes('inv_1001')]).toEqual([true, false]);
    expect((await admin('audit/verify')).body).toMatchObject({ valid: true });
  });

  it('decides about a call that a rule on arguments asks about, and asks why it waits', async () => {
    const rule = {
      id: 'large',
      tools: ['billing.refund_*'],
      when: { required: ['amount'], properties: { amount: { exclusiveMinimum: 50 } } },
      then: 'approve',
      reason: 'somebody looks at refunds over 50',
      message: 'Refunds over 50 are looked at.',
    };
    const policies = (await admin('policies?tenantId=acme')).body.items;
    const put = (policy: object, expectedRevision: number) =>
      admin('policies/tenants/acme', { method: 'PUT', body: { policy, reason: 'a test', expectedRevision } });
    const set = await put({ arguments: [rule] }, policies[0].revision);
    expect(set).toMatchObject({ status: 200, body: { policy: { arguments: [rule] }, warnings: [] } });
    const input = { invoiceId: 'inv_1001', amount: 51 };
    expect((await refund({ ...input, amount: 50 }, 'rule')).code ?? 'ok').not.toMatch(/^APPROVAL_/);
    expect(await refund(input, 'rule')).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      message: expect.stringContaining(rule.message),
    });
    const context = { tenantId: 'acme', userId: 'ada', roles: ['finance'], plan: 'business' };
    const { outcome, layers } = (await admin('explain', { body: { tool: REFUND, context, arguments: input } })).body;
    expect([outcome, layers.find(({ verdict }: { verdict: string }) => verdict === 'approve')]).toMatchObject([
      'approve',
      { layer: 'approval', rule: 'stored-tenant:arguments:large', reason: rule.reason },
    ]);
    const { items } = (await admin('approvals?tenantId=acme&status=pending')).body;
    const [{ id, arguments: shown }] = items.filter(({ scopeId }: { scopeId: string }) => scopeId === 'rule');
    expect(shown).toBe('invoiceId: "inv_1001"\namount: 51');
    await admin(`approvals/${id}/approve`, { body: { reason: 'checked' } });
    expect((await refund({ ...input, amount: 52 }, 'rule')).code).toBe('APPROVAL_REQUIRED');
    expect((await refund(input, 'rule')).code ?? 'ok').not.toMatch(/^APPROVAL_/);
    expect((await refund(input, 'rule')).code).toBe('APPROVAL_REQUIRED');
    const wrong = await put({ arguments: [{ ...rule, then: 'deny', scope: 'session' }] }, set.body.revision);
    expect(wrong).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    expect((await put({ approval: [REFUND] }, set.body.revision)).status).toBe(200);
  });

  it("loses sight of the arguments when the user's calls are erased", async () => {
    await refund({ invoiceId: 'inv_1001', amount: 3 }, 'one-3');
    expect((await admin('approvals?status=pending')).body.items).not.toEqual([]);
    await admin('calls?tenantId=acme&userId=ada&reason=asked', { method: 'DELETE' });
    expect((await admin('approvals?status=pending')).body.items).toEqual([]);
  });
});
