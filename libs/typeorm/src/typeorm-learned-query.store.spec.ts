import { describeLearnedQueryStore } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../test/describe-on-postgres.js';
import { createDataSource } from './create-data-source.js';
import { dataSourceOptions, type ToolSearchTypeOrmOptions } from './data-source-options.js';
import { TypeOrmLearnedQueryStore } from './typeorm-learned-query.store.js';

const open = (options: ToolSearchTypeOrmOptions) => createDataSource(dataSourceOptions(options));

describeLearnedQueryStore('TypeOrmLearnedQueryStore on SQLite', async () => {
  const dataSource = await open({ database: ':memory:' });
  return { store: new TypeOrmLearnedQueryStore(dataSource), close: () => dataSource.destroy() };
});

describeOnPostgres('TypeOrmLearnedQueryStore', (url) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await open({ url: url() });
  });
  afterAll(() => dataSource.destroy());

  describeLearnedQueryStore('TypeOrmLearnedQueryStore', async () => {
    await dataSource.query('TRUNCATE tool_search_learned_queries');
    return { store: new TypeOrmLearnedQueryStore(dataSource), close: async () => {} };
  });
});
