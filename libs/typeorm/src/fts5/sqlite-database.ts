import { sqliteDriver } from '../database/sqlite-driver.js';

/** What can be bound to a statement. */
export type SqliteValue = string | number | null;

/** A prepared statement; rows are objects by column name. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown;
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
}

/** What the index needs of a synchronous SQLite connection; those of better-sqlite3 and `node:sqlite` fit. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/**
 * Opens a database with better-sqlite3.
 *
 * @param database a path, or `:memory:`
 * @throws ToolSearchError `INVALID_CONFIGURATION` where no driver can be loaded
 */
export function openSqlite(database: string): SqliteDatabase {
  const Driver = sqliteDriver() as new (path: string) => SqliteDatabase;
  return new Driver(database);
}

/**
 * Runs work in one transaction of its own; it is rolled back when the work throws.
 *
 * @param kind `IMMEDIATE` to write: it waits for other writers before it reads anything
 */
export function inTransaction<T>(db: SqliteDatabase, kind: 'DEFERRED' | 'IMMEDIATE', work: () => T): T {
  db.exec(`BEGIN ${kind}`);
  let result: T;
  try {
    result = work();
    db.exec('COMMIT');
  } catch (error) {
    try {
      db.exec('ROLLBACK');
    } catch {
      // SQLite rolls some failures back by itself.
    }
    throw error;
  }
  return result;
}
