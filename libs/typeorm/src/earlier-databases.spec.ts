import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { describeOnPostgres } from '../test/describe-on-postgres.js';
import { TypeOrmControlStore } from './control/typeorm-control.store.js';
import { createDataSource } from './database/create-data-source.js';
import { dataSourceOptions, type ToolSearchTypeOrmOptions } from './database/data-source-options.js';
import { TypeOrmActivationStore } from './activation/typeorm-activation.store.js';
import { TypeOrmPausedRunStore } from './paused-runs/typeorm-paused-run.store.js';

// Written by complete applications with `npm run check:compat -- --keep VERSION`; `check:compat` also opens them that
// way.
const EARLIER = join(__dirname, '../../../test/compat/databases');

describe.each(readdirSync(EARLIER))('a database that %s wrote', (version) => {
  const file = (name: string) => readFileSync(join(EARLIER, version, name));

  async function opens(options: ToolSearchTypeOrmOptions): Promise<void> {
    const dataSource = await createDataSource(dataSourceOptions(options));
    try {
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      expect(upQueries.map(({ query }) => query)).toEqual([]);
      const session = { tenantId: 'acme', userId: '', scope: 'session', scopeId: 's1' } as const;
      const [activation] = await new TypeOrmActivationStore(dataSource).list(session, 0);
      expect(activation).toMatchObject({ tool: 'billing.refund', reason: 'first_use' });
      const run = await new TypeOrmPausedRunStore(dataSource).find({ tenantId: 'acme', userId: '', runId: 'r1' });
      expect(run?.tools.map(({ name }) => name)).toEqual(['billing.pay_out', 'billing.refund']);
      const control = new TypeOrmControlStore(dataSource);
      const entries = await control.audit({}, { limit: 10 });
      expect(entries).toMatchObject([{ action: 'kill_switch.engaged', subject: 'tool:billing.pay_out' }]);
      expect(await control.head()).toEqual({ revision: 1, seq: 1, hash: entries[0]?.hash });
      expect((await control.read())?.records).toMatchObject([{ kind: 'kill_switch', revision: 1 }]);
    } finally {
      await dataSource.destroy();
    }
  }

  it('opens on SQLite with all its rows, and with the schema of today', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tool-search-'));
    try {
      const database = join(folder, 'tools.sqlite');
      writeFileSync(database, gunzipSync(file('sqlite.gz')));
      await opens({ database });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  describeOnPostgres('opens with all that it held, and with the schema of today,', (url) => {
    it('as on SQLite', async () => {
      const client = new Client(url());
      await client.connect();
      await client.query(file('postgres.sql').toString());
      await client.end();
      await opens({ url: url() });
    });
  });
});
