import { AsyncLocalStorage } from 'node:async_hooks';
import { ToolSearchError } from '@tool-search/core';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import { SqliteFile } from './sqlite-file.js';

type IsolationLevel = NonNullable<Parameters<QueryRunner['startTransaction']>[0]>;
type Query = BetterSqlite3QueryRunner['query'];
type Work<T> = (manager: EntityManager) => Promise<T>;

const mutexes = new WeakMap<DataSource, SqliteMutex>();

/** The used part of a better-sqlite3 connection. */
interface Connection {
  readonly inTransaction: boolean;
  pragma(sql: string): unknown;
  exec(sql: string): unknown;
  prepare(sql: string): unknown;
}

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
  keepStatements(driver.databaseConnection as Connection);
  driver.createQueryRunner = () => new SerializedQueryRunner(driver, mutex);

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

/** A FIFO mutex: one holder at a time. */
class SqliteMutex {
  readonly #inside = new AsyncLocalStorage<object | undefined>();
  readonly #waiting: (() => void)[] = [];
  #within = 0;
  #holder: object | undefined;

  constructor(
    readonly file: SqliteFile,
    private readonly maxWaitMs: number,
  ) {}

  isHeldBy(holder: object): boolean {
    return this.#holder === holder;
  }

  /**
   * Waits for the mutex. @throws ToolSearchError `INTERNAL` if called, also indirectly, from the current holder: a
   * deadlock; `STORE_UNAVAILABLE` after `maxWaitMs`
   */
  async enter(holder: object): Promise<void> {
    this.assertOutside();
    if (this.#holder === undefined) this.#holder = holder;
    else await this.#wait(holder);
  }

  /** @throws ToolSearchError `INTERNAL` if called, also indirectly, from the current holder */
  assertOutside(hint = "Inside a transaction use its own EntityManager, not the DataSource's."): void {
    const outer = this.#inside.getStore();
    if (!outer || this.#holder !== outer) return;
    throw new ToolSearchError('INTERNAL', 'A statement would wait for the SQLite transaction it is called from.', {
      hint,
    });
  }

  #wait(holder: object): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const granted = (): void => {
        clearTimeout(timer);
        this.#holder = holder;
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(granted), 1);
        reject(
          new ToolSearchError('STORE_UNAVAILABLE', `SQLite was busy for ${this.maxWaitMs} ms.`, {
            hint: 'A transaction of the application is open for too long: end it, or do its slow work outside it.',
          }),
        );
      }, this.maxWaitMs);
      this.#waiting.push(granted);
    });
  }

  /** Passes the mutex to the caller that has waited longest. No effect unless `holder` holds it. */
  leave(holder: object): void {
    if (this.#holder !== holder) return;
    this.#holder = undefined;
    this.#waiting.shift()?.();
  }

  /** Runs work on behalf of a holder. */
  async within<T>(holder: object | undefined, work: () => Promise<T>): Promise<T> {
    this.#within += 1;
    try {
      return await this.#inside.run(holder, work);
    } finally {
      this.#within -= 1;
      // An enabled AsyncLocalStorage slows every promise of the process; it is needed only during transactions.
      if (this.#within === 0) this.#inside.disable();
    }
  }
}

/**
 * Holds the mutex exactly while the connection is in a transaction of this runner, also when SQLite or `release` ends
 * it.
 */
class SerializedQueryRunner extends BetterSqlite3QueryRunner {
  readonly #connection: Connection;
  #isDurable = false;

  constructor(
    driver: BetterSqlite3Driver,
    private readonly mutex: SqliteMutex,
  ) {
    super(driver);
    this.#connection = driver.databaseConnection as Connection;
  }

  /** Runs one transaction for which SQLite waits until the data is on disk. */
  async durably<T>(work: Work<T>): Promise<T> {
    this.#isDurable = true;
    const result = await this.manager.transaction((manager) => this.mutex.within(this, () => work(manager)));
    // The commit may have gone to a file that was deleted.
    if (this.file.check()) throw this.file.lost('STORE_UNAVAILABLE');
    return result;
  }

  get file(): SqliteFile {
    return this.mutex.file;
  }

  override async query(...[sql, ...rest]: Parameters<Query>): ReturnType<Query> {
    if (!this.mutex.isHeldBy(this)) return this.#queryAlone(sql, ...rest);
    if (this.transactionDepth === 0) {
      // A deferred transaction that starts to write after another process wrote fails at once, without waiting.
      return super.query(sql === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE TRANSACTION' : sql, ...rest);
    }
    try {
      return await super.query(sql, ...rest);
    } finally {
      this.#leaveAfterTransaction();
    }
  }

  async #queryAlone(...args: Parameters<Query>): ReturnType<Query> {
    if (this.transactionDepth > 0) {
      throw new ToolSearchError('INTERNAL', 'The SQLite transaction this statement belongs to is over.');
    }
    if (!/^\s*(SELECT|PRAGMA)\b/i.test(args[0])) this.#checkFile();
    // Not `this`: two concurrent statements of one runner must not share one ticket.
    const ticket = {};
    await this.mutex.enter(ticket);
    try {
      const result = await super.query(...args);
      if (!this.#connection.inTransaction) return result;
      this.#connection.exec('ROLLBACK');
    } finally {
      this.mutex.leave(ticket);
    }
    throw new ToolSearchError('INTERNAL', 'A statement began a SQLite transaction, which was rolled back.', {
      hint: 'Use dataSource.transaction() or startTransaction() of a query runner.',
    });
  }

  override async startTransaction(isolation?: IsolationLevel): Promise<void> {
    if (this.mutex.isHeldBy(this)) return super.startTransaction(isolation);
    this.#checkFile();
    await this.mutex.enter(this);
    try {
      // `synchronous` cannot be set inside a transaction.
      if (this.#isDurable) this.#connection.pragma('synchronous = FULL');
      await super.startTransaction(isolation);
    } finally {
      this.isTransactionActive = this.#connection.inTransaction;
      this.#leaveAfterTransaction();
    }
  }

  /** Rolls back an open transaction on release; otherwise the mutex would stay locked forever. */
  override async release(): Promise<void> {
    try {
      if (this.mutex.isHeldBy(this) && this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
    } finally {
      this.#leaveAfterTransaction();
      await super.release();
    }
  }

  #checkFile(): void {
    if (this.file.isLost) throw this.file.lost('STORE_UNAVAILABLE');
  }

  #leaveAfterTransaction(): void {
    if (this.#connection.inTransaction || !this.mutex.isHeldBy(this)) return;
    try {
      if (this.#isDurable) this.#connection.pragma('synchronous = NORMAL');
    } finally {
      // The connection may have been closed meanwhile. Waiting callers must proceed, even if they then fail.
      this.mutex.leave(this);
    }
  }
}
