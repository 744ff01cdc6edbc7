import { describeHeldResultStore } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { TypeOrmHeldResultStore } from './typeorm-held-result.store.js';

const inMemory = emptySqlite();

describeHeldResultStore('TypeOrmHeldResultStore on SQLite', async () => {
  const dataSource = await inMemory();
  return {
    store: new TypeOrmHeldResultStore(dataSource),
    sibling: new TypeOrmHeldResultStore(dataSource),
    close: async () => {},
  };
});

describeOnPostgres('TypeOrmHeldResultStore', (url) => {
  let dataSource: DataSource;
  let other: DataSource;
  beforeAll(async () => {
    [dataSource, other] = [await openPatiently(url()), await openPatiently(url())];
  });
  afterAll(() => Promise.all([dataSource.destroy(), other.destroy()]));

  describeHeldResultStore('TypeOrmHeldResultStore', async () => {
    await dataSource.query('TRUNCATE tool_search_held_results, tool_search_held_result_parts');
    return {
      store: new TypeOrmHeldResultStore(dataSource),
      sibling: new TypeOrmHeldResultStore(other),
      close: async () => {},
    };
  });

  it('removes what a process left that died while it wrote, once it has expired', async () => {
    await dataSource.query('TRUNCATE tool_search_held_results, tool_search_held_result_parts');
    const store = new TypeOrmHeldResultStore(dataSource);
    const holder = { tenantId: 'acme', userId: 'ada', agent: '' };
    await dataSource.query(
      "INSERT INTO tool_search_held_results VALUES ('r_dead', 'acme', 'ada', '', 'a.b', 9, false, 1, 2)",
    );
    await dataSource.query("INSERT INTO tool_search_held_result_parts VALUES ('r_dead', 0, 'x')");
    expect(await store.find('r_dead', holder)).toBeUndefined();
    expect(await store.sweep(10)).toBe(1);
    expect(await dataSource.query('SELECT * FROM tool_search_held_result_parts')).toEqual([]);
  });
});
