import type { DataSource, QueryRunner } from 'typeorm';
import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BusyFile } from './busy-file.js';
import { type Connection, type IsolationLevel, SerializedQueryRunner, type Work } from './serialized-query-runner.js';
import { SqliteFile } from './sqlite-file.js';
import { SqliteMutex } from './sqlite-mutex.js';

const mutexes = new WeakMap<DataSource, SqliteMutex>();
const runners = new WeakMap<DataSource, QueryRunner>();

/** Statements whose number of parameters varies would otherwise fill the memory. */
const MAX_STATEMENTS = 200;

/** How long a statement waits for the transaction of another caller, which itself has no time limit. */
const MAX_WAIT_MS = 30_000;

/**
 * Makes an initialized SQLite DataSource safe for concurrent requests.
 *
 * TypeORM shares one query runner of a better-sqlite3 DataSource among all callers. A write of another request during
 * an open transaction (a plain `save` opens one) becomes part of that transaction: it is acknowledged, then rolled
 * back. Here each caller gets its own runner, and a mutex grants one of them at a time access to the connection, for
 * one statement or for a whole transaction. Nested transactions are savepoints. A statement that would wait for the
 * transaction it is called from throws instead of deadlocking, and a wait for another caller ends after `maxWaitMs`
 * (default 30,000) with `STORE_UNAVAILABLE`. Once the file is lost, only reads are allowed.
 */
export function serializeSqlite(dataSource: DataSource, maxWaitMs = MAX_WAIT_MS): void {
  const { driver, manager } = dataSource;
  if (!(driver instanceof BetterSqlite3Driver))
    throw new TypeError('only a better-sqlite3 DataSource can be serialized');

  const mutex = new SqliteMutex(new SqliteFile(String(dataSource.options.database)), maxWaitMs);
  mutexes.set(dataSource, mutex);
  const busy = new BusyFile();
  const connection = driver.databaseConnection as Connection;
  keepStatements(connection);
  // The driver would wait without letting the event loop run: `BusyFile` waits instead.
  connection.pragma('busy_timeout = 0');
  driver.createQueryRunner = () => new SerializedQueryRunner(driver, mutex, busy);
  runners.set(dataSource, dataSource.createQueryRunner());

  const transaction = manager.transaction.bind(manager);
  const within =
    <T>(work: Work<T>): Work<T> =>
    (inner) =>
      mutex.within(inner.queryRunner, () => work(inner));
  manager.transaction = <T>(first: IsolationLevel | Work<T>, second?: Work<T>): Promise<T> =>
    // TypeORM's overloads: the work alone, or after an isolation level.
    typeof first === 'function' ? transaction(within(first)) : transaction(first, within(second as Work<T>));
}

/**
 * Like `dataSource.transaction`, but the commit is on disk before it is acknowledged, so it survives a power failure.
 * Requires a serialized DataSource. As slow as the disk; other requests wait meanwhile.
 */
export async function durableTransaction<T>(dataSource: DataSource, work: Work<T>): Promise<T> {
  const runner = serializedRunner(dataSource);
  try {
    return await runner.durably(work);
  } finally {
    await runner.release();
  }
}

/**
 * Refuses work that is called, also indirectly, from an open transaction of a serialized DataSource and that would wait
 * for its end. For work that leaves its caller's asynchronous context before it reaches the database. A transaction of
 * `queryRunner.startTransaction()` is not recognized: what waits for it is refused after its own deadline.
 *
 * @param hint what the application has to change
 * @throws ToolSearchError `INTERNAL`
 */
export function assertOutsideTransaction(dataSource: DataSource, hint: string): void {
  mutexes.get(dataSource)?.assertOutside(hint);
}

/**
 * The runner of a serialized DataSource for single statements outside a transaction, which may run at the same time: each has
 * the connection to itself. To make and release a runner takes as long as a short statement. It is never released.
 */
export function runnerOfStatements(dataSource: DataSource): QueryRunner | undefined {
  return runners.get(dataSource);
}

export function sqliteFileOf(dataSource: DataSource): SqliteFile {
  return serializedRunner(dataSource).file;
}

function serializedRunner(dataSource: DataSource): SerializedQueryRunner {
  const runner = dataSource.createQueryRunner();
  if (!(runner instanceof SerializedQueryRunner)) throw new TypeError('the DataSource is not serialized');
  return runner;
}

/**
 * Prepares each statement of a connection once. TypeORM would do so for each query runner, and here every operation has
 * its own.
 */
function keepStatements(connection: Connection): void {
  const prepare = connection.prepare.bind(connection);
  const statements = new Map<string, unknown>();
  connection.prepare = (sql) => {
    const known = statements.get(sql) ?? prepare(sql);
    statements.set(sql, known);
    if (statements.size > MAX_STATEMENTS) statements.delete(statements.keys().next().value ?? '');
    return known;
  };
}
