import { sqliteDriver } from '../database/sqlite-driver.js';

/** A value that can be bound to a statement. */
export type SqliteValue = string | number | null;

/** A prepared statement. Rows are objects by column name. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown;
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
}

/**
 * The part of a synchronous SQLite connection that the index uses. Connections of better-sqlite3 and `node:sqlite` fit.
 */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/**
 * Opens a database with better-sqlite3.
 *
 * @param database a path, or `:memory:`
 * @throws ToolSearchError `INVALID_CONFIGURATION` if no driver can be loaded
 */
export function openSqlite(database: string): SqliteDatabase {
  const Driver = sqliteDriver() as new (path: string) => SqliteDatabase;
  return new Driver(database);
}

/**
 * Runs work in its own transaction, which is rolled back if the work throws.
 *
 * @param kind `IMMEDIATE` to write: it waits for other writers before it reads
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
      // SQLite has already rolled back after some errors.
    }
    throw error;
  }
  return result;
}
