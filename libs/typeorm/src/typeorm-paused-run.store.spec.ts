import { describePausedRunStore } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../test/describe-on-postgres.js';
import { createDataSource } from './create-data-source.js';
import { dataSourceOptions, type ToolSearchTypeOrmOptions } from './data-source-options.js';
import { TypeOrmPausedRunStore } from './typeorm-paused-run.store.js';

const open = (options: ToolSearchTypeOrmOptions) => createDataSource(dataSourceOptions(options));

describePausedRunStore('TypeOrmPausedRunStore on SQLite', async () => {
  const dataSource = await open({ database: ':memory:' });
  return { store: new TypeOrmPausedRunStore(dataSource), close: () => dataSource.destroy() };
});

describeOnPostgres('TypeOrmPausedRunStore', (url) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await open({ url: url() });
  });
  afterAll(() => dataSource.destroy());

  describePausedRunStore('TypeOrmPausedRunStore', async () => {
    await dataSource.query('TRUNCATE tool_search_paused_runs');
    return { store: new TypeOrmPausedRunStore(dataSource), close: async () => {} };
  });
});
