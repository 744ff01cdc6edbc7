import { AsyncLocalStorage } from 'node:async_hooks';
import { ToolSearchError } from '@tool-search/core';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import { SqliteFile } from './sqlite-file.js';

type IsolationLevel = NonNullable<Parameters<QueryRunner['startTransaction']>[0]>;
type Query = BetterSqlite3QueryRunner['query'];
type Work<T> = (manager: EntityManager) => Promise<T>;

/** What the gate needs of a better-sqlite3 connection. */
interface Connection {
  readonly inTransaction: boolean;
  pragma(sql: string): unknown;
  exec(sql: string): unknown;
}

/**
 * Makes an initialized SQLite DataSource safe for concurrent requests.
 *
 * TypeORM gives all callers the one query runner of a better-sqlite3 DataSource, so whatever another request writes while
 * a transaction is open (a plain `save` opens one) becomes part of it: acknowledged, then rolled back with it. Here every
 * caller gets a runner of its own, and a gate lets one of them at a time touch the connection: for one statement, or
 * from the beginning of a transaction to its end. Nested transactions are savepoints. A statement that would wait for
 * the transaction it is called from is refused instead of waiting for ever. Once the file is lost, only reading goes on.
 */
export function gateSqlite(dataSource: DataSource): void {
  const { driver, manager } = dataSource;
  if (!(driver instanceof BetterSqlite3Driver)) throw new TypeError('only a better-sqlite3 DataSource can be gated');

  const gate = new Gate(new SqliteFile(String(dataSource.options.database)));
  const statements = new Map<string, unknown>();
  driver.createQueryRunner = () => new GatedQueryRunner(driver, gate, statements);

  const transaction = manager.transaction.bind(manager);
  const within =
    <T>(work: Work<T>): Work<T> =>
    (inner) =>
      gate.within(inner.queryRunner, () => work(inner));
  manager.transaction = <T>(first: IsolationLevel | Work<T>, second?: Work<T>): Promise<T> =>
    // TypeORM's own overloads: the work comes alone, or after an isolation level.
    typeof first === 'function' ? transaction(within(first)) : transaction(first, within(second as Work<T>));
}

/**
 * As `dataSource.transaction`, but what it commits is on the disk before it is acknowledged: a power cut cannot take it.
 * Takes a DataSource that is gated; about as slow as the disk, and nothing else runs meanwhile.
 */
export async function durableTransaction<T>(dataSource: DataSource, work: Work<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  if (!(runner instanceof GatedQueryRunner)) throw new TypeError('only a gated DataSource has durable transactions');
  try {
    return await runner.durably(work);
  } finally {
    await runner.release();
  }
}

/** The file of a DataSource that is gated. */
export function sqliteFileOf(dataSource: DataSource): SqliteFile {
  const runner = dataSource.createQueryRunner();
  if (!(runner instanceof GatedQueryRunner)) throw new TypeError('only a gated DataSource knows its file');
  return runner.file;
}

/** One holder at a time, first come, first served. */
class Gate {
  readonly #inside = new AsyncLocalStorage<object | undefined>();
  readonly #waiting: (() => void)[] = [];
  #within = 0;
  #holder: object | undefined;

  constructor(readonly file: SqliteFile) {}

  isHeldBy(holder: object): boolean {
    return this.#holder === holder;
  }

  /** Waits for its turn. The holder that called us, however indirectly, would never get to let us in. */
  async enter(holder: object): Promise<void> {
    const outer = this.#inside.getStore();
    if (outer && this.#holder === outer) {
      throw new ToolSearchError('INTERNAL', 'A statement would wait for the SQLite transaction it is called from.', {
        hint: "Inside a transaction use its own EntityManager, not the DataSource's.",
      });
    }
    if (this.#holder === undefined) this.#holder = holder;
    else {
      await new Promise<void>((resolve) => {
        this.#waiting.push(() => {
          this.#holder = holder;
          resolve();
        });
      });
    }
  }

  /** Hands the gate to whoever waits longest; nothing happens unless `holder` has it. */
  leave(holder: object): void {
    if (this.#holder !== holder) return;
    this.#holder = undefined;
    this.#waiting.shift()?.();
  }

  /** Runs work that belongs to a holder. */
  async within<T>(holder: object | undefined, work: () => Promise<T>): Promise<T> {
    this.#within += 1;
    try {
      return await this.#inside.run(holder, work);
    } finally {
      this.#within -= 1;
      // As long as a storage is in use every promise of the process is dearer; between transactions nobody needs it.
      if (this.#within === 0) this.#inside.disable();
    }
  }
}

/** Holds the gate exactly while the connection is in a transaction of its own, whoever ends it: caller, SQLite or release. */
class GatedQueryRunner extends BetterSqlite3QueryRunner {
  readonly #connection: Connection;
  #isDurable = false;

  constructor(
    driver: BetterSqlite3Driver,
    private readonly gate: Gate,
    statements: Map<string, unknown>,
  ) {
    super(driver);
    this.#connection = driver.databaseConnection as Connection;
    // Prepared statements belong to the connection; a private cache per runner would be cold every time.
    Reflect.set(this, 'stmtCache', statements);
  }

  /** One transaction for which SQLite waits until the disk has it. */
  async durably<T>(work: Work<T>): Promise<T> {
    this.#isDurable = true;
    const result = await this.manager.transaction((manager) => this.gate.within(this, () => work(manager)));
    // It may have been committed into a file that is gone.
    if (this.file.check()) throw this.file.lost('STORE_UNAVAILABLE');
    return result;
  }

  get file(): SqliteFile {
    return this.gate.file;
  }

  override async query(...[sql, ...rest]: Parameters<Query>): ReturnType<Query> {
    if (!this.gate.isHeldBy(this)) return this.#queryAlone(sql, ...rest);
    if (this.transactionDepth === 0) {
      // A deferred transaction that turns to writing after another process wrote fails at once, without waiting.
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
    // Not `this`: two statements of one runner at once must not pass on one ticket.
    const ticket = {};
    await this.gate.enter(ticket);
    try {
      return await super.query(...args);
    } finally {
      this.gate.leave(ticket);
    }
  }

  override async startTransaction(isolation?: IsolationLevel): Promise<void> {
    if (this.gate.isHeldBy(this)) return super.startTransaction(isolation);
    this.#checkFile();
    await this.gate.enter(this);
    try {
      // Inside a transaction it cannot be set any more.
      if (this.#isDurable) this.#connection.pragma('synchronous = FULL');
      await super.startTransaction(isolation);
    } finally {
      this.isTransactionActive = this.#connection.inTransaction;
      this.#leaveAfterTransaction();
    }
  }

  /** A runner that is let go with a transaction open takes it along, or nobody would ever enter again. */
  override async release(): Promise<void> {
    if (this.gate.isHeldBy(this) && this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
    this.#leaveAfterTransaction();
    await super.release();
  }

  #checkFile(): void {
    if (this.file.isLost) throw this.file.lost('STORE_UNAVAILABLE');
  }

  #leaveAfterTransaction(): void {
    if (this.#connection.inTransaction || !this.gate.isHeldBy(this)) return;
    try {
      if (this.#isDurable) this.#connection.pragma('synchronous = NORMAL');
    } finally {
      // The connection may have been closed meanwhile: those who wait have to get on, if only to fail.
      this.gate.leave(this);
    }
  }
}
