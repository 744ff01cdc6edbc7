import { setTimeout as later } from 'node:timers/promises';
import { AuditTrail, ControlPlane, StoredPolicies, ToolEvents } from '@tool-search/core';
import { type ControlChange, type ControlStore, NO_AUDIT } from '@tool-search/core/stores';
import { describeControlStore } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptied, emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { TcpProxy } from '../../test/tcp-proxy.js';
import { createDataSource } from '../database/create-data-source.js';
import { dataSourceOptions, type ToolSearchTypeOrmOptions } from '../database/data-source-options.js';
import { TypeOrmControlStore } from './typeorm-control.store.js';
import { CONTROL_KINDS } from '@tool-search/core/operators';
import { brokenLink } from '@tool-search/core/internal';

const open = (options: ToolSearchTypeOrmOptions) => createDataSource(dataSourceOptions(options));

const engage = (key: string): ControlChange => ({
  action: 'kill_switch.engaged',
  actor: 'ada',
  reason: 'it pays twice',
  tenantId: '',
  subject: key,
  at: 1,
  put: { kind: 'kill_switch', key, tenantId: '', value: { glob: key }, expiresAt: 0 },
  idempotencyKey: '',
});

const inMemory = emptySqlite();
const inFile = emptySqlite('file');
const storeOn = async (dataSource: DataSource) => ({
  store: new TypeOrmControlStore(dataSource),
  close: async () => {},
});

describeControlStore('TypeOrmControlStore on SQLite in memory', async () => storeOn(await inMemory()));
describeControlStore('TypeOrmControlStore on a SQLite file', async () => storeOn(await inFile()));

describe('records whose tenant was changed by SQL', () => {
  it('are named by the check of the audit trail', async () => {
    const dataSource = await inMemory();
    const [store, events] = [new TypeOrmControlStore(dataSource), new ToolEvents()];
    const plane = new ControlPlane(store, CONTROL_KINDS, events);
    await plane.refresh();
    const olga = { actor: 'olga', reason: 'incident 7' };
    for (const tenantId of ['acme', 'globex']) {
      await new StoredPolicies(plane, events).set({ tenantId }, { deny: ['billing.*'] }, olga);
    }
    const trail = new AuditTrail(plane);
    expect(await trail.verify()).toMatchObject({ valid: true });
    await dataSource.query("UPDATE tool_search_control_records SET tenant_id = 'initech' WHERE tenant_id = 'acme'");
    expect(await trail.verify()).toMatchObject({
      valid: false,
      records: [{ kind: 'policy', key: '["acme",""]', revision: 1, reason: 'the record was changed' }],
    });
  });
});

/** Guarantees that hold under each fault below. */
function describeFaults(of: () => { store: ControlStore; dataSource: DataSource }, failing: readonly string[]): void {
  it('writes neither record nor entry nor revision when one of them fails, and goes on afterwards', async () => {
    const { store, dataSource } = of();
    await store.change(engage('a.*'));
    const before = [await store.read(), await store.audit({}, { limit: 9 })];
    for (const sql of failing) await dataSource.query(sql);
    await expect(store.change(engage('b.*'))).rejects.toThrow('the disk is full');
    const removal = { ...engage('a.*'), put: undefined, remove: { kind: 'kill_switch', key: 'a.*' } as const };
    await expect(store.change(removal)).rejects.toThrow('the disk is full');
    expect([await store.read(), await store.audit({}, { limit: 9 })]).toEqual(before);
    await dataSource.query(
      `DROP TRIGGER failing${dataSource.options.type === 'postgres' ? ' ON tool_search_audit' : ''}`,
    );
    expect(await store.change(engage('b.*'))).toMatchObject({ outcome: 'changed', entry: { seq: 2, revision: 2 } });
    expect(brokenLink(NO_AUDIT, await store.audit({}, { limit: 9 }))).toBeUndefined();
  });

  it('reads 10,000 records', async () => {
    const { store, dataSource } = of();
    const numbers =
      dataSource.options.type === 'postgres'
        ? 'generate_series(1, 10000) AS i'
        : '(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT i FROM n)';
    await dataSource.query(
      `INSERT INTO tool_search_control_records (kind, key, tenant_id, value, expires_at, revision) SELECT 'policy', 'tenant' || i, 'tenant' || i, '{"deny":["a.*"]}', 0, 1 FROM ${numbers}`,
    );
    await store.change(engage('a.*'));
    const state = await store.read();
    expect(state?.records).toHaveLength(10_001);
    expect(state?.revision).toBe(1);
  });

  it('has no row of an instance whose application has shut down', async () => {
    const { dataSource } = of();
    const store = new TypeOrmControlStore(dataSource);
    const other = new TypeOrmControlStore(dataSource);
    await other.beat('sibling', 1);
    await store.beat('a', 1);
    const beating = [store.beat('a', 2), store.beat('b', 2)];
    await store.beforeApplicationShutdown();
    await store.beat('a', 3);
    await Promise.all(beating);
    expect((await other.instances(60_000)).map(({ id }) => id)).toEqual(['sibling']);
  });

  it('fails instead of returning no decisions if its head row is missing', async () => {
    const { store, dataSource } = of();
    await dataSource.query('DELETE FROM tool_search_control_head');
    await expect(store.read()).rejects.toThrow('head');
    await expect(store.read(0)).rejects.toThrow('head');
    await expect(store.change(engage('a.*'))).rejects.toThrow('head');
    expect(await store.find('kill_switch', 'a.*')).toBeUndefined();
  });
}

describe('TypeOrmControlStore on SQLite', () => {
  let dataSource: DataSource;
  let store: TypeOrmControlStore;
  beforeEach(async () => {
    dataSource = await open({ database: ':memory:' });
    store = new TypeOrmControlStore(dataSource);
  });
  afterEach(() => dataSource.destroy());

  describeFaults(
    () => ({ store, dataSource }),
    ["CREATE TRIGGER failing BEFORE INSERT ON tool_search_audit BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"],
  );

  it('does not offer to watch', () => expect(store.watch).toBeUndefined());

  it('lets its application shut down when the database is gone', async () => {
    await store.beat('a', 1);
    await dataSource.query('DROP TABLE tool_search_instances');
    await expect(store.beforeApplicationShutdown()).resolves.toBeUndefined();
  });

  it('forgets instances that were silent for a day when another one starts', async () => {
    await dataSource.query("INSERT INTO tool_search_instances VALUES ('dead', 1, 5)");
    await store.beat('alive', 1);
    expect(await dataSource.query('SELECT id FROM tool_search_instances')).toEqual([{ id: 'alive' }]);
  });
});

describeOnPostgres('TypeOrmControlStore', (url) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await openPatiently(url());
  });
  afterAll(() => dataSource.destroy());

  const isHeld = async () => {
    const query = "SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()";
    return (await dataSource.query(query)).length > 0;
  };

  describeControlStore('TypeOrmControlStore', async () => storeOn(await emptied(dataSource)));

  describe('beneath', () => {
    let store: TypeOrmControlStore;
    beforeEach(async () => {
      store = new TypeOrmControlStore(await emptied(dataSource));
    });
    describeFaults(
      () => ({ store, dataSource }),
      [
        "CREATE OR REPLACE FUNCTION fail() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$ LANGUAGE plpgsql",
        'CREATE TRIGGER failing BEFORE INSERT ON tool_search_audit FOR EACH ROW EXECUTE FUNCTION fail()',
      ],
    );

    it('goes on when an instance is cut off in the middle of a change', async () => {
      const proxy = new TcpProxy(new URL(url()), (sent) => {
        if (sent.includes('FOR UPDATE')) setTimeout(() => proxy.fallSilent(), 0);
        return sent;
      });
      const cutOff = await open({ url: (await proxy.open()).href });
      const lost = new TypeOrmControlStore(cutOff).change(engage('lost')).catch((error: unknown) => error);
      try {
        while (!(await isHeld())) await later(5);
        expect(await store.change(engage('a.*'))).toMatchObject({ outcome: 'changed', entry: { seq: 1 } });
      } finally {
        await proxy.close();
      }
      expect(await lost).toBeInstanceOf(Error);
      await cutOff.destroy();
    });
  });
});
