import {
  ACME,
  OPERATOR,
  type ReferenceServer,
  type RequestOptions,
  startReferenceServer,
} from '../support/reference-server.js';

const TOOL = 'billing.list_invoices';

describe('deprecations over HTTP', () => {
  let server: ReferenceServer;
  const admin = (path: string, options: RequestOptions = {}) =>
    server.request(`/admin/tools/${path}`, { token: OPERATOR, ...options });
  const call = async (name: string) => {
    const options = { body: { name, arguments: {} }, token: ACME, headers: { 'x-session-id': 's1' } };
    return (await server.request('/toolbox/call', options)).body;
  };
  const deprecate = (deprecation: object, tool = TOOL) =>
    admin(`deprecations/${tool}`, { method: 'PUT', body: { deprecation, reason: 'the new provider' } });

  beforeAll(async () => {
    server = await startReferenceServer();
  });
  afterAll(() => server?.close());

  it('are set, listed, obeyed, explained, audited and removed', async () => {
    const set = await deprecate({ since: '2026-01-01', successor: 'memory.read_graph' });
    expect([set.status, set.body]).toMatchObject([200, { tool: TOOL, since: '2026-01-01' }]);
    expect(set.controlRevision).toBe(String(set.body.revision));
    expect(await call(TOOL)).toMatchObject({
      ok: true,
      note: `${TOOL} is deprecated since 2026-01-01. Use memory.read_graph instead.`,
    });

    await deprecate({ sunset: '2026-02-02', successor: 'memory.read_graph' });
    expect(await call(TOOL)).toMatchObject({ ok: false, code: 'TOOL_RETIRED', hint: 'Use memory.read_graph instead.' });
    const explained = await admin('explain', { body: { tool: TOOL, context: { tenantId: 'acme', roles: ['admin'] } } });
    const layers = explained.body.layers as { layer: string; verdict: string }[];
    expect(layers.find(({ layer }) => layer === 'lifecycle')).toMatchObject({ verdict: 'deny', rule: 'sunset' });

    expect((await admin('deprecations')).body.items).toMatchObject([{ tool: TOOL, sunset: '2026-02-02' }]);
    const entries = (await admin('audit?action=deprecation.')).body.items as { action: string }[];
    expect(entries.map(({ action }) => action)).toEqual(['deprecation.set', 'deprecation.set']);
    expect((await admin('audit/verify')).body).toMatchObject({ valid: true });

    const stale = await admin(`deprecations/${TOOL}?reason=over&expectedRevision=99`, { method: 'DELETE' });
    expect([stale.status, stale.body.code]).toEqual([409, 'REVISION_CONFLICT']);
    expect((await admin(`deprecations/${TOOL}?reason=over`, { method: 'DELETE' })).status).toBe(200);
    expect((await admin(`deprecations/${TOOL}?reason=over`, { method: 'DELETE' })).status).toBe(404);
    expect(await call(TOOL)).not.toHaveProperty('note');
  });

  it('list who still calls the tool', async () => {
    await call(TOOL);
    const { status, body } = await admin(`deprecations/${TOOL}/callers`);
    expect([status, body]).toMatchObject([200, { isComplete: true, callers: [{ tenantId: 'acme', userId: 'ada' }] }]);
    expect(body.callers[0].calls).toBe(body.calls);
    expect((await admin(`deprecations/${TOOL}/callers?since=${Date.now() + 60_000}`)).body).toEqual({
      callers: [],
      calls: 0,
      isComplete: true,
    });
  });

  it('come in pages', async () => {
    for (const tool of ['a.a', 'b.b', 'c.c']) await deprecate({}, tool);
    const first = (await admin('deprecations?limit=2')).body;
    const second = (await admin(`deprecations?limit=2&cursor=${first.next}`)).body;
    expect([first, second].map(({ items }) => items.map(({ tool }: { tool: string }) => tool))).toEqual([
      ['a.a', 'b.b'],
      ['c.c'],
    ]);
  });

  it.each([[{ sunset: 'soon' }], [{ successor: 'a b' }], [{ until: '2026-01-01' }], ['text'], [null]])(
    'refuses %j',
    async (deprecation) => {
      const { status, body } = await deprecate(deprecation as object);
      expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
    },
  );

  it('is for operators only', async () => {
    expect((await admin('deprecations', { token: ACME })).status).toBe(403);
  });
});
