import type { DataSource, EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { durableTransaction } from './serialize-sqlite.js';

export type Parameter = string | number | Uint8Array | null;

/** A bigint as the driver returns it: PostgreSQL sends a string. */
export type BigInteger = number | string;

/** The rows of a statement, or the number of rows that it changed. */
export interface StatementResult<Row> {
  readonly records: Row[];
  readonly affected?: number;
}

/** Runs the statements that are written by hand: `docs/decisions/0016-hand-written-sql.md` gives the reason for each. */
export class Sql {
  readonly isPostgres: boolean;

  /** @param dataSource initialized */
  constructor(readonly dataSource: DataSource) {
    this.isPostgres = dataSource.options.type === 'postgres';
  }

  /** The database's clock as an expression, in milliseconds: the clocks of instances may differ. */
  get now(): string {
    return this.isPostgres
      ? 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)'
      : "CAST(round(unixepoch('subsec') * 1000) AS integer)";
  }

  /** Returns the quoted name of an entity's table, with its schema. */
  table(entity: EntityTarget<ObjectLiteral>): string {
    const { driver } = this.dataSource;
    return this.dataSource
      .getMetadata(entity)
      .tablePath.split('.')
      .map((part) => driver.escape(part))
      .join('.');
  }

  /** Runs one statement with `?` for each parameter, in the manager's transaction if there is one. */
  async run<Row>(
    sql: string,
    parameters: readonly Parameter[] = [],
    manager?: EntityManager,
  ): Promise<StatementResult<Row>> {
    let position = 0;
    const numbered = this.isPostgres ? sql.replaceAll('?', () => `$${++position}`) : sql;
    const runner = manager?.queryRunner ?? this.dataSource.createQueryRunner();
    try {
      // Of TypeORM's ways to run SQL, only this one returns the number of changed rows on every database.
      return (await runner.query(numbered, [...parameters], true)) as StatementResult<Row>;
    } finally {
      if (!manager) await runner.release();
    }
  }

  /** READ COMMITTED: every statement after a lock sees everything that the previous lock holder committed. */
  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(this.isPostgres ? 'READ COMMITTED' : 'SERIALIZABLE', work);
  }

  /** Like {@link transaction}, but the commit survives a power failure on SQLite as well. */
  durably<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.isPostgres ? this.transaction(work) : durableTransaction(this.dataSource, work);
  }

  /**
   * Bounds how long a disconnected instance can hold a lock of this transaction. Without it PostgreSQL keeps the lock
   * until it notices the dead connection, which may take hours, and waiting writers use up the connections for reads.
   */
  async boundLocks(manager: EntityManager): Promise<void> {
    if (!this.isPostgres) return;
    await this.run(
      "SELECT set_config('idle_in_transaction_session_timeout', '3s', true), set_config('lock_timeout', '6s', true)",
      [],
      manager,
    );
  }

  /** Locks the rows of a `find` until the transaction ends. On SQLite, BEGIN IMMEDIATE has already locked the database. */
  get lock(): { readonly lock?: { readonly mode: 'pessimistic_write' } } {
    return this.isPostgres ? { lock: { mode: 'pessimistic_write' } } : {};
  }
}
