import { setTimeout } from 'node:timers/promises';
import { ToolSearchError } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';

/**
 * The better-sqlite3 that runs on this Node.js: version 12 aborts the process at the first garbage collection of Node.js
 * 24, version 13 needs Node-API functions that Node.js 20 lacks. Both are optional dependencies of this package.
 */
export const SQLITE_DRIVER =
  Number(process.versions.node.split('.')[0]) < 22 ? '@tool-search/sqlite-node20' : 'better-sqlite3-13';

const PATIENCE_MS = 10_000;

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
  let Driver: new (path: string) => SqliteDatabase;
  try {
    Driver = require(SQLITE_DRIVER) as typeof Driver;
  } catch (cause) {
    const message = `SQLite cannot be loaded on Node.js ${process.versions.node}.`;
    throw new ToolSearchError('INVALID_CONFIGURATION', message, {
      hint:
        `Reinstall @tool-search/fts5 with its optional dependencies (${SQLITE_DRIVER} is missing or was installed for ` +
        'another version of Node.js), or set the option `open`.',
      cause,
    });
  }
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

/**
 * Retries for up to 10 s while another process has locked the database. Waits asynchronously: SQLite's busy timeout
 * would block the event loop.
 */
export async function retryWhileBusy<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!codeOf(error)?.startsWith('SQLITE_BUSY') || performance.now() > end) throw error;
    }
    // Random delay, so that waiting processes do not retry at the same time.
    await setTimeout(5 + Math.random() * 20);
    signal?.throwIfAborted();
  }
}

/** Returns the code of an error of the system or of SQLite, for example `EACCES` or `SQLITE_BUSY`. */
export function codeOf(error: unknown): string | undefined {
  return isObject(error) && typeof error.code === 'string' ? error.code : undefined;
}
