import { dirname } from 'node:path';
import { ToolSearchError } from '@tool-search/core';
import { DataSource, type DataSourceOptions, MigrationExecutor } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';
import { dropDeadConnections } from './drop-dead-connections.js';
import { codeOf } from './error-code.js';
import { makeDirectory } from './make-directory.js';
import { gateSqlite } from './sqlite-gate.js';

/** Any number, as long as every instance takes the same: "tool" in ASCII. */
const MIGRATION_LOCK = 0x746f6f6c;

/**
 * Connects and migrates, also when many instances start at once. The result is safe for concurrent requests: a SQLite
 * connection is gated. A PostgreSQL connection that does not answer is dropped.
 *
 * @param options as made by `dataSourceOptions`
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a SQLite file that cannot be opened or written,
 *   `STORE_UNAVAILABLE` for a PostgreSQL that does not let us in
 */
export async function createDataSource(options: DataSourceOptions = dataSourceOptions()): Promise<DataSource> {
  const dataSource = new DataSource(options);
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
  return new ToolSearchError('STORE_UNAVAILABLE', `PostgreSQL cannot be used (${code}).`, {
    hint: 'Check that the server runs, and address, password and the right to create tables.',
    cause,
  });
}
