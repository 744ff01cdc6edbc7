import { describeUserCredentialStore } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { TypeOrmUserCredentialStore } from './typeorm-user-credential.store.js';

const inMemory = emptySqlite();

describeUserCredentialStore('TypeOrmUserCredentialStore on SQLite', async () => {
  const dataSource = await inMemory();
  return {
    store: new TypeOrmUserCredentialStore(dataSource),
    sibling: new TypeOrmUserCredentialStore(dataSource),
    close: async () => {},
  };
});

describeOnPostgres('TypeOrmUserCredentialStore', (url) => {
  let dataSource: DataSource;
  let other: DataSource;
  beforeAll(async () => {
    [dataSource, other] = [await openPatiently(url()), await openPatiently(url())];
  });
  afterAll(() => Promise.all([dataSource.destroy(), other.destroy()]));

  describeUserCredentialStore('TypeOrmUserCredentialStore', async () => {
    await dataSource.query('TRUNCATE tool_search_user_credentials, tool_search_connect_attempts');
    return {
      store: new TypeOrmUserCredentialStore(dataSource),
      sibling: new TypeOrmUserCredentialStore(other),
      close: async () => {},
    };
  });
});
