import { describeToolCallStore } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { TypeOrmToolCallStore } from './typeorm-tool-call.store.js';

const inMemory = emptySqlite();

describeToolCallStore('TypeOrmToolCallStore on SQLite', async () => ({
  store: new TypeOrmToolCallStore(await inMemory()),
  close: async () => {},
}));

describeOnPostgres('TypeOrmToolCallStore', (url) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await openPatiently(url());
  });
  afterAll(() => dataSource.destroy());

  describeToolCallStore('TypeOrmToolCallStore', async () => {
    await dataSource.query('TRUNCATE tool_search_calls');
    return { store: new TypeOrmToolCallStore(dataSource), close: async () => {} };
  });
});
