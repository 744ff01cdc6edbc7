import { describeActivationStore, describeMessageActivations } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptied, emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { TypeOrmActivationStore } from './typeorm-activation.store.js';

const inMemory = emptySqlite();
const inFile = emptySqlite('file');
const storeOn = async (dataSource: DataSource) => ({
  store: new TypeOrmActivationStore(dataSource),
  close: async () => {},
});

describeActivationStore('TypeOrmActivationStore on SQLite in memory', async () => storeOn(await inMemory()));
describeActivationStore('TypeOrmActivationStore on a SQLite file', async () => storeOn(await inFile()));

describeOnPostgres('TypeOrmActivationStore', (url) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await openPatiently(url());
  });
  afterAll(() => dataSource.destroy());

  describeActivationStore('TypeOrmActivationStore', async () => storeOn(await emptied(dataSource)));
});

describeMessageActivations('TypeOrmActivationStore on SQLite', async () => storeOn(await inMemory()));
