import { type INestApplication, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { KillSwitches, type ToolContext, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { ToolCallRecords } from '@tool-search/core/operators';
import { FakeSource } from '@tool-search/core/testing';
import { ToolAdminModule } from '../tool-admin.module.js';

const OLGA = { tenantId: 'ops', userId: 'olga', admin: true };

@Module({
  imports: [
    ToolSearchModule.forRoot({
      context: ({ headers }: { headers: Record<string, string> }): ToolContext => JSON.parse(headers['x-user'] ?? ''),
      sources: [
        new FakeSource('files', [
          { name: 'read_file', run: () => 'content' },
          {
            name: 'write_file',
            run: () => {
              throw new Error('the disk is full');
            },
          },
        ]),
      ],
      exposure: 'deferred',
      policy: { deny: ['files.write_*'] },
    }),
    ToolAdminModule.forRoot({ path: 'admin/tools', guards: [] }),
  ],
})
class Application {}

describe('what operators read of the record', () => {
  let app: INestApplication;
  const send = async (path: string, method = 'GET', user: ToolContext = OLGA) => {
    const headers = { 'x-user': JSON.stringify(user) };
    return fetch(`${await app.getUrl()}/admin/tools/${path}`, { method, headers });
  };
  const ask = async (path: string, method?: string, user?: ToolContext) => {
    const response = await send(path, method, user);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const toolboxOf = (tenantId: string, runId: string, userId = 'ada') =>
    app.get(ToolSearchService).open({ tenantId, userId, runId });

  beforeAll(async () => {
    const module = await Test.createTestingModule({ imports: [Application] }).compile();
    app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    const acme = toolboxOf('acme', 'r1');
    await acme.surface();
    await acme.search({ query: 'read a file' });
    await acme.get(['files.read_file']);
    await acme.surface();
    await acme.call('files.read_file', { path: 'a' });
    await acme.call('files.write_file', {});
    await acme.call('files.nothing', {});
    await toolboxOf('globex', 'r2', 'bob').call('files.read_file', {});
    await app.get(KillSwitches).engage({ kind: 'tool', value: 'files.read_file', actor: 'olga', reason: 'incident' });
    await acme.call('files.read_file', { path: 'a' });
  });
  afterAll(() => app?.close());

  it('refuses callers who are not operators', async () => {
    const ada = { tenantId: 'acme', userId: 'ada' };
    for (const path of ['calls', 'calls/summary', 'calls/overview', 'calls/costs', 'calls/export', 'runs/r1']) {
      expect((await ask(path, 'GET', ada)).status).toBe(403);
    }
    expect((await ask('calls?tenantId=acme&userId=ada&reason=x', 'DELETE', ada)).status).toBe(403);
  });

  it('returns who called what, when, and which rule decided', async () => {
    const { body } = await ask('calls?tenantId=acme&kind=call');
    const [killed, unknown, denied, called] = body.items;
    expect(called).toMatchObject({
      userId: 'ada',
      runId: 'r1',
      step: 2,
      tool: 'files.read_file',
      decision: 'allow',
      outcome: 'ok',
      argumentBytes: 12,
      resultBytes: 7,
      controlRevision: 0,
      definitionHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      callId: expect.stringMatching(/./),
    });
    expect(called).not.toHaveProperty('arguments');
    expect(called).not.toHaveProperty('result');
    const refused = { decision: 'deny', outcome: 'TOOL_NOT_AVAILABLE', argumentBytes: 0, callId: '' };
    expect(denied).toMatchObject({ ...refused, layer: 'policy', rule: 'deny:files.write_*', tool: 'files.write_file' });
    expect(unknown).toMatchObject({ ...refused, layer: 'source', rule: 'unknown', definitionHash: '' });
    expect(killed).toMatchObject({ ...refused, layer: 'kill_switch', reason: 'incident', controlRevision: 1 });
  });

  it('filters, and pages through everything once', async () => {
    const count = async (query: string) => (await ask(`calls?${query}`)).body.items.length;
    expect(await count('kind=call')).toBe(5);
    expect(await count('tool=files.read_file')).toBe(3);
    expect(await count('outcome=ok&kind=call')).toBe(2);
    expect(await count('layer=kill_switch')).toBe(1);
    expect(await count('runId=r2&tenantId=globex&userId=bob')).toBe(1);
    expect(await count('since=1&until=2')).toBe(0);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await ask(`calls?limit=3${cursor}`);
      seen.push(...body.items.map(({ id }: { id: string }) => id));
      if (body.next === undefined) break;
      cursor = `&cursor=${body.next}`;
    }
    expect(seen).toEqual([...new Set(seen)].sort().toReversed());
    expect(seen).toHaveLength(9);
    for (const wrong of ['outcome=none', 'layer=nope', 'kind=what', 'cursor=AAAA', 'since=-1', 'who=ada']) {
      expect((await ask(`calls?${wrong}`)).body.code).toBe('INVALID_REQUEST');
    }
  });

  it('says what cost most tokens, by tenant and tool', async () => {
    const { body } = await ask('calls/costs?by=tool');
    expect(body.items.map(({ tool, calls }: { tool: string; calls: number }) => [tool, calls])).toContainEqual([
      'files.read_file',
      2,
    ]);
    expect(body).toMatchObject({ records: 9, isComplete: true });
    const ofGlobex = (await ask('calls/costs?tenantId=globex')).body;
    expect(ofGlobex.items).toEqual([
      {
        tenantId: 'globex',
        tool: 'files.read_file',
        shown: 0,
        definitionTokens: 0,
        calls: 1,
        resultTokens: ofGlobex.resultTokens,
      },
    ]);
    expect(ofGlobex.resultTokens).toBeGreaterThan(0);
    for (const wrong of ['by=user', 'records=50001', 'limit=0', 'tool=crm.find']) {
      expect((await ask(`calls/costs?${wrong}`)).body.code).toBe('INVALID_REQUEST');
    }
  });

  it('says how calls went, by time, layer, source and tenant', async () => {
    let { body } = await ask('calls/overview');
    // A busy process answers before all hours are read.
    while (!body.isComplete) ({ body } = await ask('calls/overview'));
    expect(body).toMatchObject({
      stepMs: 3_600_000,
      total: { calls: 5, refused: 3, failed: 0, p50Ms: expect.any(Number), p95Ms: expect.any(Number) },
      sources: [{ prefix: 'files', source: 'files', calls: 5 }],
      tenants: [
        { tenantId: 'acme', calls: 4, refused: 3 },
        { tenantId: 'globex', calls: 1, refused: 0 },
      ],
    });
    expect(body.refusals).toHaveLength(3);
    expect(body.refusals).toContainEqual({ layer: 'kill_switch', calls: 1 });
    const calls = body.spans.map(({ calls: each }: { calls: number }) => each);
    expect(calls.reduce((sum: number, each: number) => sum + each, 0)).toBe(5);
    const hour = await ask(`calls/overview?tenantId=globex&since=${Date.now() - 3_600_000}`);
    expect(hour.body).toMatchObject({ stepMs: 60_000, total: { calls: 1 }, tenants: [{ tenantId: 'globex' }] });
    expect((await ask('calls/overview?since=0')).body.code).toBe('INVALID_REQUEST');
    expect((await ask('calls/overview?tool=files.read_file')).body.code).toBe('INVALID_REQUEST');
  });

  it('says what a run was shown and did at each step', async () => {
    const { body } = await ask('runs/r1?tenantId=acme');
    const kinds = body.items.map(({ step, shown, did }: { step: number; shown: object; did: { kind: string }[] }) => [
      step,
      shown,
      did.map(({ kind }) => kind),
    ]);
    const shown = (tools: readonly string[]) => expect.objectContaining({ kind: 'shown', reason: 'deferred', tools });
    expect(kinds).toEqual([
      [1, shown([]), ['searched', 'described']],
      [2, shown(['files.read_file']), ['call', 'call', 'call', 'call']],
    ]);
    expect(body.items[0].did[0].tools).toEqual(['files.read_file']);
    expect((await ask('runs/nobody')).body.items).toEqual([]);
  });

  it('counts by hour, layer and outcome', async () => {
    const { body } = await ask('calls/summary?tenantId=acme');
    const counts = body.items.map(({ layer, decision, calls }: Record<string, unknown>) => [layer, decision, calls]);
    expect(counts.sort()).toEqual([
      ['approval', 'allow', 1],
      ['kill_switch', 'deny', 1],
      ['policy', 'deny', 1],
      ['source', 'deny', 1],
    ]);
    expect((await ask('calls/summary?since=0')).body.code).toBe('INVALID_REQUEST');
  });

  it('exports JSON lines and CSV, the oldest first', async () => {
    const lines = await send('calls/export?kind=call');
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson');
    const records = (await lines.text()).trim().split('\n');
    expect(records.map((line) => JSON.parse(line).tenantId)).toEqual(['acme', 'acme', 'acme', 'globex', 'acme']);
    const csv = await send('calls/export?format=csv&tenantId=globex');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="calls.csv"');
    const [head, row, end] = (await csv.text()).split('\r\n');
    expect([head?.startsWith('id,at,kind,'), row?.includes('"globex","bob"'), end]).toEqual([true, true, '']);
    expect((await ask('calls/export?format=xml')).body.code).toBe('INVALID_REQUEST');
  });

  it('reads no further than the reader of an export takes', async () => {
    const list = jest.spyOn(app.get(ToolCallRecords), 'list');
    const page = Array.from({ length: 200 }, (_, index) => ({ id: `${index}`, reason: 'x'.repeat(5_000) }));
    list.mockResolvedValue(page as never);
    const abort = new AbortController();
    const headers = { 'x-user': JSON.stringify(OLGA) };
    const response = await fetch(`${await app.getUrl()}/admin/tools/calls/export`, { headers, signal: abort.signal });
    await response.body?.getReader().read();
    const calls: number[] = [];
    // The endless export stands still once the buffers of the connection are full.
    while (calls.length < 3 || calls.at(-1) !== calls.at(-3)) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      calls.push(list.mock.calls.length);
    }
    abort.abort();
    list.mockRestore();
    expect(calls.at(-1)).toBeLessThan(100);
  });

  it('erases a user, and a tenant only when that is confirmed, with an audit entry', async () => {
    expect((await ask('calls?reason=asked', 'DELETE')).body.code).toBe('INVALID_REQUEST');
    expect((await ask('calls?tenantId=acme&reason=asked', 'DELETE')).body.code).toBe('CONFIRMATION_REQUIRED');
    expect((await ask('calls?tenantId=globex&userId=bob&reason=asked', 'DELETE')).body).toEqual({ removed: 1 });
    expect((await ask('calls?tenantId=acme&confirm=all&reason=gone', 'DELETE')).body).toEqual({ removed: 8 });
    expect((await ask('calls')).body.items).toEqual([]);
    const { body } = await ask('audit?action=calls.erased');
    expect(body.items.map(({ tenantId }: { tenantId: string }) => tenantId)).toEqual(['acme', 'globex']);
  });
});
