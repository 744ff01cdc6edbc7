import { join } from 'node:path';
import { dataSourceOptions } from '@tool-search/typeorm';
import { DataSource } from 'typeorm';

const { DATABASE_URL, SQLITE_PATH, DATA_DIR = '.tool-search' } = process.env;

/** What the TypeORM CLI works on: the database that the reference server uses under the same environment. */
export const dataSource = new DataSource(
  dataSourceOptions(
    DATABASE_URL ? { url: DATABASE_URL } : { database: SQLITE_PATH || join(DATA_DIR, 'tool-search.sqlite') },
  ),
);
