import { ToolSearchError } from '@tool-search/core';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import type { BusyFile } from './busy-file.js';
import type { SqliteFile } from './sqlite-file.js';
import type { SqliteMutex } from './sqlite-mutex.js';

export type IsolationLevel = NonNullable<Parameters<QueryRunner['startTransaction']>[0]>;
type Query = BetterSqlite3QueryRunner['query'];
/** The work of one transaction. */
export type Work<T> = (manager: EntityManager) => Promise<T>;

/** The used part of a better-sqlite3 connection. */
export interface Connection {
  readonly inTransaction: boolean;
  pragma(sql: string): unknown;
  exec(sql: string): unknown;
  prepare(sql: string): { readonly readonly: boolean };
}

/** How the connection is set during and after a transaction. SQLite does not change these settings inside one. */
interface Settings {
  readonly during: string;
  readonly after: string;
}

const DURABLE: Settings = { during: 'synchronous = FULL', after: 'synchronous = NORMAL' };
const REBUILDING: Settings = { during: 'foreign_keys = OFF', after: 'foreign_keys = ON' };

/**
 * Holds the mutex exactly while the connection is in a transaction of this runner, also when SQLite or `release` ends
 * it.
 */
export class SerializedQueryRunner extends BetterSqlite3QueryRunner {
  readonly #connection: Connection;
  #settings: Settings | undefined;

  constructor(
    driver: BetterSqlite3Driver,
    private readonly mutex: SqliteMutex,
    private readonly busy: BusyFile,
  ) {
    super(driver);
    this.#connection = driver.databaseConnection as Connection;
  }

  /** Runs one transaction for which SQLite waits until the data is on disk. */
  async durably<T>(work: Work<T>): Promise<T> {
    const result = await this.#transaction(DURABLE, work);
    // The commit may have gone to a file that was deleted.
    if (this.file.check()) throw this.file.lost('STORE_UNAVAILABLE');
    return result;
  }

  /**
   * Runs one transaction in which tables can be dropped without the rows of other tables that refer to them: TypeORM
   * changes a table by building it anew. Whoever uses it looks for rows that refer to missing ones.
   */
  rebuilding<T>(work: Work<T>): Promise<T> {
    return this.#transaction(REBUILDING, work);
  }

  #transaction<T>(settings: Settings, work: Work<T>): Promise<T> {
    this.#settings = settings;
    return this.manager.transaction((manager) => this.mutex.within(this, () => work(manager)));
  }

  get file(): SqliteFile {
    return this.mutex.file;
  }

  override async query(...[sql, ...rest]: Parameters<Query>): ReturnType<Query> {
    if (!this.mutex.isHeldBy(this)) return this.#queryAlone(sql, ...rest);
    if (this.transactionDepth === 0) {
      // A deferred transaction that starts to write after another process wrote fails at once, without waiting.
      const first = sql === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE TRANSACTION' : sql;
      return this.#patiently(first, ...rest);
    }
    try {
      return await super.query(sql, ...rest);
    } finally {
      this.#leaveAfterTransaction();
    }
  }

  #patiently(...[sql, ...rest]: Parameters<Query>): ReturnType<Query> {
    const takesLock = () => !this.#connection.prepare(sql).readonly;
    return this.busy.patiently(() => super.query(sql, ...rest), takesLock);
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
      const result = await this.#patiently(...args);
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
      if (this.#settings) this.#connection.pragma(this.#settings.during);
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
      if (this.#settings) this.#connection.pragma(this.#settings.after);
    } finally {
      // The connection may have been closed meanwhile. Waiting callers must proceed, even if they then fail.
      this.mutex.leave(this);
    }
  }
}
