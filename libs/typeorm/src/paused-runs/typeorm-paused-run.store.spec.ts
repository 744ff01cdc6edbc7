import { describePausedRunStore } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { TypeOrmPausedRunStore } from './typeorm-paused-run.store.js';

const inMemory = emptySqlite();

describePausedRunStore('TypeOrmPausedRunStore on SQLite', async () => ({
  store: new TypeOrmPausedRunStore(await inMemory()),
  close: async () => {},
}));

describeOnPostgres('TypeOrmPausedRunStore', (url) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await openPatiently(url());
  });
  afterAll(() => dataSource.destroy());

  describePausedRunStore('TypeOrmPausedRunStore', async () => {
    await dataSource.query('TRUNCATE tool_search_paused_runs');
    return { store: new TypeOrmPausedRunStore(dataSource), close: async () => {} };
  });
});
