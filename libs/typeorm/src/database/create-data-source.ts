import { dirname } from 'node:path';
import { ToolSearchError } from '@tool-search/core';
import { DataSource, type DataSourceOptions, MigrationExecutor } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';
import { dropDeadConnections } from './drop-dead-connections.js';
import { codeOf } from './error-code.js';
import { makeDirectory } from './make-directory.js';
import { sqliteDriver } from './sqlite-driver.js';
import { gateSqlite } from './sqlite-gate.js';

/** Any number, as long as every instance takes the same: "tool" in ASCII. */
const MIGRATION_LOCK = 0x746f6f6c;

/**
 * Connects and migrates, also when many instances start at once. The result is safe for concurrent requests: a SQLite
 * connection is gated. A PostgreSQL connection that does not answer is dropped.
 *
 * @param options as made by `dataSourceOptions`; SQLite without a `driver` gets the one that works on this Node.js
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a SQLite file that cannot be opened or written and for a PostgreSQL
 *   address that is wrong (database, user, password or host name), `STORE_UNAVAILABLE` for a PostgreSQL that cannot be reached
 */
export async function createDataSource(options: DataSourceOptions = dataSourceOptions()): Promise<DataSource> {
  const dataSource = new DataSource(withDriver(options));
  try {
    if (options.type === 'better-sqlite3') await makeDirectory(dirname(options.database));
    await dataSource.initialize();
    if (options.type === 'better-sqlite3') gateSqlite(dataSource);
    else dropDeadConnections(dataSource);
    await migrate(dataSource);
    return dataSource;
  } catch (cause) {
    if (dataSource.isInitialized) await dataSource.destroy();
    throw bootError(options, cause);
  }
}

// TypeORM on its own loads the installed better-sqlite3, even one that cannot run on this Node.js.
function withDriver(options: DataSourceOptions): DataSourceOptions {
  if (options.type !== 'better-sqlite3' || options.driver !== undefined) return options;
  return { ...options, driver: sqliteDriver() };
}

const CREDENTIALS = 'Check user and password of the address, and pg_hba.conf of the server.';

/** What trying again does not mend. The address is not repeated: it may hold a password. */
const MISTAKES: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  '3D000': ['the database does not exist', 'Create it (CREATE DATABASE …), or correct its name in the address.'],
  '28P01': ['the password is wrong', CREDENTIALS],
  '28000': ['the user may not log in', CREDENTIALS],
  ENOTFOUND: ['its host name is unknown', 'Correct the host name in the address.'],
};

/**
 * All pending migrations in one transaction on one connection. On PostgreSQL the lock lives as long as the transaction,
 * so it works through a transaction pooler and dies with its process; on SQLite beginning is the lock.
 */
async function migrate(dataSource: DataSource): Promise<void> {
  const isPostgres = dataSource.options.type === 'postgres';
  // Whoever waited for the lock must see what its holder committed.
  await dataSource.transaction(isPostgres ? 'READ COMMITTED' : 'SERIALIZABLE', async (manager) => {
    if (isPostgres) await manager.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await new MigrationExecutor(dataSource, manager.queryRunner).executePendingMigrations();
  });
}

function bootError(options: DataSourceOptions, cause: unknown): ToolSearchError {
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
