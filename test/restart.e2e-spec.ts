import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteDriver } from '@tool-search/typeorm';
import { build, type BuiltServer, startBuiltServer } from './support/built-server.js';
import { ACME } from './support/reference-server.js';

describe('a session', () => {
  const data = mkdtempSync(join(tmpdir(), 'tool-search-restart-'));
  const env = { DATA_DIR: data, DEMO_TOKENS: `${ACME}:acme:ada:business`, NODE_ENV: 'test' };
  const session = { 'x-session-id': 'survivor' };
  let server: BuiltServer;

  beforeAll(() => build(), 120_000);
  afterAll(async () => {
    await server?.kill();
    rmSync(data, { recursive: true, force: true });
  });

  const activeTools = async () => {
    const { body } = await server.request('/toolbox', { headers: session });
    return body.tools.filter((tool: { active: boolean }) => tool.active).map((tool: { name: string }) => tool.name);
  };

  it('keeps every acknowledged activation through kill -9 and a restart', async () => {
    const names = ['billing.get_invoice', 'files.read_text_file', 'memory.read_graph'];
    for (let round = 0; round < 2; round += 1) {
      server = await startBuiltServer(env);
      const name = names[round]!;
      const { body } = await server.request('/toolbox/activate', { body: { names: [name] }, headers: session });
      expect(body.activated).toEqual([name]);
      await server.kill();
    }
    server = await startBuiltServer(env);
    expect(await activeTools()).toEqual(names.slice(0, 2));
  }, 120_000);

  it('makes one activation of 200 parallel first calls', async () => {
    const folder = join(data, 'crowd');
    const crowded = await startBuiltServer({ ...env, DATA_DIR: folder });
    const fresh = { 'x-session-id': 'crowd' };
    try {
      const calls = await Promise.all(
        Array.from({ length: 200 }, () =>
          crowded.request('/toolbox/call', {
            body: { name: 'billing.get_invoice', arguments: { invoiceId: 'inv_1001' } },
            headers: fresh,
          }),
        ),
      );
      expect(calls.every(({ body }) => body.ok)).toBe(true);
      expect(calls.filter(({ body }) => body.activated)).toHaveLength(1);
      const { body } = await crowded.request('/toolbox', { headers: fresh });
      expect(body.tools.filter(({ active }: { active: boolean }) => active)).toHaveLength(1);
    } finally {
      await crowded.kill();
    }
    // The file itself, where a listing could hide that something is there twice.
    const file = new (sqliteDriver() as unknown as typeof import('better-sqlite3'))(
      join(folder, 'tool-search.sqlite'),
      { readonly: true, fileMustExist: true },
    );
    const rows = file.prepare('SELECT tenant_id, user_id, scope, scope_id, tool FROM tool_search_activations').all();
    file.close();
    expect(rows).toEqual([
      { tenant_id: 'acme', user_id: 'ada', scope: 'session', scope_id: 'crowd', tool: 'billing.get_invoice' },
    ]);
  }, 120_000);
});
