import type { ToolSearchTypeOrmOptions } from '@tool-search/typeorm';
import { dataFile } from './data-file.js';
import type { Environment } from './environment.js';

/**
 * The files of variables, which the server and the TypeORM CLI read. Variables of the process count first, then the first
 * file that has them. `.env.example` contains published demo tokens, so production does not read it.
 */
export const ENV_FILES = process.env['NODE_ENV'] === 'production' ? ['.env'] : ['.env', '.env.example'];

/** The database of the server. Creates the folder of a SQLite file in the data directory. */
export function databasePlace(
  env: Pick<Environment, 'DATABASE_URL' | 'SQLITE_PATH' | 'DATA_DIR'>,
): ToolSearchTypeOrmOptions {
  if (env.DATABASE_URL !== undefined) return { url: env.DATABASE_URL };
  return { database: env.SQLITE_PATH ?? dataFile(env, 'tool-search.sqlite') };
}
