import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataSourceOptions } from '@tool-search/typeorm';
import { build, type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { ACME, type Answer, type RequestOptions } from '../support/reference-server.js';

const SESSION = { 'x-session-id': 'survivor' };
const CROWD = { 'x-session-id': 'crowd' };
const RUN = { 'x-run-id': 'report-7' };
const ACTIVATED = ['files.read_text_file', 'memory.read_graph'];
const CALL = { name: 'billing.get_invoice', arguments: { invoiceId: 'inv_1001' } };

describe('the reference server, killed twice with kill -9', () => {
  const data = mkdtempSync(join(tmpdir(), 'tool-search-restart-'));
  const env = {
    DATA_DIR: data,
    DEMO_TOKENS: `${ACME}:acme:ada:business:finance`,
    NODE_ENV: 'test',
    TOOL_SEARCH_EXPOSURE: 'deferred',
  };
  let server: BuiltServer;
  const post = (path: string, body: unknown, headers: RequestOptions['headers']) =>
    server.request(`/toolbox/${path}`, { body, headers });
  const toolsOf = async (headers: RequestOptions['headers']): Promise<{ name: string; active: boolean }[]> =>
    (await server.request('/toolbox', { headers })).body.tools;
  const namesOf = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

  // Responses of the server's three runs.
  const activations: Answer[] = [];
  let calls: Answer[];
  let paused: Answer;
  let before: { name: string; active: boolean }[];
  let resumed: Answer;
  let after: { name: string; active: boolean }[];
  let narrower: Answer;

  beforeAll(async () => {
    build();
    server = await startBuiltServer(env);
    calls = await Promise.all(Array.from({ length: 200 }, () => post('call', CALL, CROWD)));
    activations.push(await post('activate', { names: [ACTIVATED[0]] }, SESSION));
    await post('search', { query: 'refund an invoice', limit: 3 }, RUN);
    await post('get', { names: ['files.read_text_file', CALL.name] }, RUN);
    expect((await post('call', CALL, RUN)).body.ok).toBe(true);
    before = await toolsOf(RUN);
    paused = await post('pause', {}, RUN);
    await server.kill();

    server = await startBuiltServer(env);
    activations.push(await post('activate', { names: [ACTIVATED[1]] }, SESSION));
    resumed = await post('resume', {}, RUN);
    after = await toolsOf(RUN);
    await server.kill();

    server = await startBuiltServer({ ...env, TOOL_SEARCH_DENY: CALL.name });
    narrower = await post('resume', {}, RUN);
  });
  afterAll(async () => {
    await server?.kill();
    rmSync(data, { recursive: true, force: true });
  });

  it('keeps every acknowledged activation through kill -9 and a restart', async () => {
    expect(activations.map(({ body }) => body.activated)).toEqual(ACTIVATED.map((name) => [name]));
    expect(namesOf((await toolsOf(SESSION)).filter(({ active }) => active))).toEqual(ACTIVATED);
  });

  it('has made one activation of 200 parallel first calls', () => {
    expect(calls.every(({ body }) => body.ok)).toBe(true);
    expect(calls.filter(({ body }) => body.activated)).toHaveLength(1);
    // Reads the file itself, because a listing could hide duplicates.
    const { driver } = dataSourceOptions({ database: join(data, 'tool-search.sqlite') }) as { driver?: unknown };
    const file = new (driver as typeof import('better-sqlite3'))(join(data, 'tool-search.sqlite'), {
      readonly: true,
      fileMustExist: true,
    });
    const columns = 'tenant_id, user_id, scope, scope_id, tool';
    const rows = file.prepare(`SELECT ${columns} FROM tool_search_activations WHERE scope_id = 'crowd'`).all();
    file.close();
    expect(rows).toEqual([{ tenant_id: 'acme', user_id: 'ada', scope: 'session', scope_id: 'crowd', tool: CALL.name }]);
  });

  it('lists the same for a run that was paused, as soon as it is resumed', () => {
    expect(paused).toMatchObject({ status: 200, body: { runId: 'report-7', pausedAt: expect.any(Number) } });
    expect(paused.body.tools).toContainEqual({ name: CALL.name, state: 'activated' });
    expect(resumed).toMatchObject({ status: 200, body: { runId: 'report-7', policyChanged: false } });
    expect(new Set(resumed.body.tools.map(({ drift }: { drift: string }) => drift))).toEqual(new Set(['same']));
    expect(after).toEqual(before);
    expect(after.length).toBeGreaterThan(3);
  });

  it('does not list for that run what is denied by then', async () => {
    expect(narrower.body).toMatchObject({ catalogChanged: true });
    expect(narrower.body.tools).toContainEqual({ name: CALL.name, drift: 'gone' });
    expect(namesOf(await toolsOf(RUN))).toEqual(namesOf(before).filter((name) => name !== CALL.name));
  });
});
