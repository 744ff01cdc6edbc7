import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeActivationStore, describeMessageActivations } from '@tool-search/core/testing';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { describeOnPostgres } from '../test/describe-on-postgres.js';
import { createDataSource } from './create-data-source.js';
import { dataSourceOptions, type ToolSearchTypeOrmOptions } from './data-source-options.js';
import { TypeOrmActivationStore } from './typeorm-activation.store.js';

const open = (options: ToolSearchTypeOrmOptions) => createDataSource(dataSourceOptions(options));

describeActivationStore('TypeOrmActivationStore on SQLite in memory', async () => {
  const dataSource = await open({ database: ':memory:' });
  return { store: new TypeOrmActivationStore(dataSource), close: () => dataSource.destroy() };
});

describeActivationStore('TypeOrmActivationStore on a SQLite file', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tool-search-'));
  const dataSource = await open({ database: join(directory, 'activations.sqlite') });
  return {
    store: new TypeOrmActivationStore(dataSource),
    close: async () => {
      await dataSource.destroy();
      await rm(directory, { recursive: true });
    },
  };
});

describeOnPostgres('TypeOrmActivationStore', (url) => {
  let dataSource: DataSource;
  beforeAll(async () => {
    // On a busy machine the last of 200 parallel calls waits longer for a connection.
    const patient = { ...dataSourceOptions({ url: url() }), connectTimeoutMS: 60_000 } as DataSourceOptions;
    dataSource = await createDataSource(patient);
  });
  afterAll(() => dataSource.destroy());

  describeActivationStore('TypeOrmActivationStore', async () => {
    await dataSource.query('TRUNCATE tool_search_activation_scopes CASCADE');
    return { store: new TypeOrmActivationStore(dataSource), close: async () => {} };
  });
});

describeMessageActivations('TypeOrmActivationStore on SQLite', async () => {
  const dataSource = await open({ database: ':memory:' });
  return { store: new TypeOrmActivationStore(dataSource), close: () => dataSource.destroy() };
});
