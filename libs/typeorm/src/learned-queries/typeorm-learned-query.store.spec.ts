import { describeLearnedQueryStore } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { createDataSource } from '../database/create-data-source.js';
import { dataSourceOptions, type ToolSearchTypeOrmOptions } from '../database/data-source-options.js';
import { SerializedQueryRunner } from '../database/serialized-query-runner.js';
import { TypeOrmLearnedQueryStore } from './typeorm-learned-query.store.js';

const open = (options: ToolSearchTypeOrmOptions) => createDataSource(dataSourceOptions(options));

const inMemory = emptySqlite();

describeLearnedQueryStore('TypeOrmLearnedQueryStore on SQLite', async () => ({
  store: new TypeOrmLearnedQueryStore(await inMemory()),
  close: async () => {},
}));

it('trims only after a query that is new', async () => {
  const dataSource = await open({ database: ':memory:' });
  const store = new TypeOrmLearnedQueryStore(dataSource);
  const statements = jest.spyOn(SerializedQueryRunner.prototype, 'query');
  const counts: number[] = [];
  for (const query of ['money back', 'money back', 'cash']) {
    statements.mockClear();
    await store.learn('acme', 'billing.refund', query, 1, { perTool: 3, perTenant: 5 });
    counts.push(statements.mock.calls.length);
  }
  statements.mockRestore();
  expect(counts).toEqual([3, 1, 3]);
  await dataSource.destroy();
});

describeOnPostgres('TypeOrmLearnedQueryStore', (url) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await openPatiently(url());
  });
  afterAll(() => dataSource.destroy());

  describeLearnedQueryStore('TypeOrmLearnedQueryStore', async () => {
    await dataSource.query('TRUNCATE tool_search_learned_queries');
    return { store: new TypeOrmLearnedQueryStore(dataSource), close: async () => {} };
  });

  it('neither locks nor miscounts under simultaneous use', async () => {
    await dataSource.query('TRUNCATE tool_search_learned_queries');
    const store = new TypeOrmLearnedQueryStore(dataSource);
    const learn = (query: string, now: number) =>
      store.learn('acme', 'billing.refund', query, now, { perTool: 2, perTenant: 5 });
    await learn('first', 1);
    await learn('second', 2);
    await dataSource.transaction(async (manager) => {
      await manager.query("SELECT * FROM tool_search_learned_queries WHERE query = 'second' FOR UPDATE");
      await learn('third', 3);
    });
    expect((await store.list('acme')).map(({ query }) => query)).toEqual(['third', 'second']);
  });
});
