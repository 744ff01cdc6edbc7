import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describeOnPostgres } from '../../libs/typeorm/test/describe-on-postgres.js';
import { build, type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { ACME } from '../support/reference-server.js';

const OPERATOR = 'operator-token-1';
const TOKENS = `${ACME}:acme:ada:business:finance,${OPERATOR}:acme:olga:business:admin`;
const CALL = { body: { name: 'billing.list_invoices', arguments: {} } };
const OFF = { kind: 'tool', value: 'billing.list_invoices', reason: 'it answers nonsense' };

describeOnPostgres('two instances of the built server', (url) => {
  const data = mkdtempSync(join(tmpdir(), 'tool-search-instances-'));
  const servers: BuiltServer[] = [];
  const admin = (server: BuiltServer, path: string, body?: unknown) =>
    server.request(`/admin/tools/${path}`, { token: OPERATOR, ...(body !== undefined && { body }) });

  beforeAll(async () => {
    build();
    for (const name of ['one', 'two']) {
      const env = { DATABASE_URL: url(), DATA_DIR: join(data, name), DEMO_TOKENS: TOKENS, TOOL_SEARCH_INSTANCES: '2' };
      servers.push(await startBuiltServer(env));
    }
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    rmSync(data, { recursive: true, force: true });
  });

  it('obey a switch that was thrown at one of them, once it has waited for the other', async () => {
    const [one, two] = servers as [BuiltServer, BuiltServer];
    expect((await two.request('/toolbox/call', CALL)).body.ok).toBe(true);
    const engaged = await admin(one, 'kill-switches?waitMs=30000', OFF);
    expect(engaged.body).toMatchObject({ matched: 1, pending: [] });
    expect(engaged.body.instances).toHaveLength(2);
    const refused = await two.request('/toolbox/call', CALL);
    expect(refused.body).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });

    const { id, revision } = engaged.body.killSwitch;
    const released = await admin(two, `kill-switches/${id}/release?waitMs=30000`, {
      expectedRevision: revision,
      reason: 'it was mended',
    });
    expect(released.body).toMatchObject({ pending: [] });
    expect((await one.request('/toolbox/call', CALL)).body.ok).toBe(true);
  });

  it('go on to hear of changes when the database has ended their listeners', async () => {
    const [one, two] = servers as [BuiltServer, BuiltServer];
    const database = new Client(url());
    await database.connect();
    const { rowCount } = await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'tool-search-listener'`,
    );
    expect(rowCount).toBe(2);
    const engaged = await admin(two, 'kill-switches?waitMs=30000', OFF);
    expect(engaged.body.pending).toEqual([]);
    expect((await one.request('/toolbox/call', CALL)).body).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    await database.end();
  });

  it('share one audit trail, which is whole', async () => {
    for (const server of servers) {
      const { body } = await admin(server, 'audit/verify');
      expect(body).toMatchObject({ valid: true, entries: 3, revision: 3 });
      expect(body.broken).toBeUndefined();
    }
  });
});
