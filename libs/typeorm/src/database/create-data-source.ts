import { Logger } from '@nestjs/common';
import { isToolSearchError, ToolSearchError } from '@tool-search/core';
import { makePrivateFile, rightsOfOthers } from '@tool-search/core/internal';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';
import { dropDeadConnections } from './drop-dead-connections.js';
import { codeOf } from './error-code.js';
import { runMigrations } from './run-migrations.js';
import { sqliteDriver } from './sqlite-driver.js';
import { countAsOwn } from './sole-connection.js';
import { rebuildingTransaction, serializeSqlite } from './serialize-sqlite.js';

/** Advisory lock number, the same for every instance: "tool" in ASCII. */
const MIGRATION_LOCK = 0x746f6f6c;

/**
 * Connects and migrates. Several instances may start at the same time. The result is safe for concurrent requests:
 * access to a SQLite connection is serialized, and a PostgreSQL connection that does not answer is dropped. A new SQLite
 * file and its new folders belong to the user of this process alone; rights of others on an existing one are logged.
 *
 * @param options as made by `dataSourceOptions`; SQLite without a `driver` gets the one that works on this Node.js
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a SQLite file that cannot be opened or written, for a wrong
 *   PostgreSQL address (database, user, password or host name) and for a migration that fails, `STORE_UNAVAILABLE` for
 *   an unreachable PostgreSQL
 */
export async function createDataSource(options: DataSourceOptions = dataSourceOptions()): Promise<DataSource> {
  const dataSource = new DataSource(withDriver(options));
  const file = fileOf(options);
  try {
    if (file !== undefined) await makePrivateFile(file);
    await dataSource.initialize();
    if (options.type === 'better-sqlite3') {
      serializeSqlite(dataSource);
      countAsOwn(dataSource);
    } else dropDeadConnections(dataSource);
    await migrate(dataSource);
    if (file !== undefined) await warnOfOthers(file);
    return dataSource;
  } catch (cause) {
    if (dataSource.isInitialized) await dataSource.destroy();
    throw bootError(options, cause);
  }
}

function fileOf(options: DataSourceOptions): string | undefined {
  return options.type === 'better-sqlite3' && options.database !== ':memory:' ? options.database : undefined;
}

// TypeORM alone would load the installed better-sqlite3, even one that cannot run on this Node.js.
function withDriver(options: DataSourceOptions): DataSourceOptions {
  if (options.type !== 'better-sqlite3' || options.driver !== undefined) return options;
  return { ...options, driver: sqliteDriver() };
}

async function warnOfOthers(file: string): Promise<void> {
  const logger = new Logger('ToolSearch');
  for (const sentence of await rightsOfOthers(file)) logger.warn(sentence);
}

const CREDENTIALS = 'Check user and password of the address, and pg_hba.conf of the server.';

/** Errors that a retry cannot fix. The messages omit the address, because it may contain a password. */
const MISTAKES: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  '3D000': ['the database does not exist', 'Create it (CREATE DATABASE …), or correct its name in the address.'],
  '28P01': ['the password is wrong', CREDENTIALS],
  '28000': ['the user may not log in', CREDENTIALS],
  ENOTFOUND: ['its host name is unknown', 'Correct the host name in the address.'],
};

/**
 * Runs all pending migrations in one transaction on one connection. On PostgreSQL the lock lasts as long as the
 * transaction, so it works behind a transaction pooler and is released when its process dies. On SQLite, beginning the
 * transaction takes the lock.
 */
async function migrate(dataSource: DataSource): Promise<void> {
  if (dataSource.options.type !== 'postgres') {
    return rebuildingTransaction(dataSource, (runner) => runMigrations(dataSource, runner));
  }
  const runner = dataSource.createQueryRunner();
  try {
    // After waiting for the lock, the statements must see what the previous holder committed.
    await runner.manager.transaction('READ COMMITTED', async () => {
      await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await runMigrations(dataSource, runner);
    });
  } finally {
    await runner.release();
  }
}

function bootError(options: DataSourceOptions, cause: unknown): ToolSearchError {
  if (isToolSearchError(cause) && cause.code === 'INVALID_CONFIGURATION') return cause;
  const code = codeOf(cause) ?? 'unknown reason';
  if (options.type === 'better-sqlite3') {
    return new ToolSearchError(
      'INVALID_CONFIGURATION',
      `${options.database} cannot be used as SQLite file (${code}).`,
      {
        hint: 'Name a file in a directory that this process may create and write, or use PostgreSQL.',
        cause,
      },
    );
  }
  const mistake = Object.hasOwn(MISTAKES, code) ? MISTAKES[code] : undefined;
  if (mistake) {
    const [message, hint] = mistake;
    return new ToolSearchError('INVALID_CONFIGURATION', `PostgreSQL cannot be used: ${message} (${code}).`, {
      hint,
      cause,
    });
  }
  return new ToolSearchError('STORE_UNAVAILABLE', `PostgreSQL cannot be used (${code}).`, {
    hint: 'Check that the server runs, and address, password and the right to create tables.',
    cause,
  });
}
