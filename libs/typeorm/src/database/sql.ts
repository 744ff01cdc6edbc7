import type { DataSource, EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { durableTransaction, runnerOfStatements } from './serialize-sqlite.js';

export type Parameter = string | number | Uint8Array | null;

/** A bigint as the driver returns it: PostgreSQL sends a string. */
export type BigInteger = number | string;

/** The rows of a statement, or the number of rows that it changed. */
export interface StatementResult<Row> {
  readonly records: Row[];
  readonly affected?: number;
}

type Entity = EntityTarget<ObjectLiteral>;

/** What is known of a DataSource. Repositories are created for each transaction, so it is kept outside them. */
class Known {
  readonly isPostgres: boolean;
  readonly tables = new Map<Entity, string>();
  readonly texts = new Map<Entity, Map<string, string>>();

  constructor({ options }: DataSource) {
    this.isPostgres = options.type === 'postgres';
  }
}

const known = new WeakMap<DataSource, Known>();

/**
 * Runs the statements that are written by hand: `docs/decisions/0016-hand-written-sql.md` gives the reason for each.
 * They belong to the transaction of the manager if it has one; otherwise each is alone.
 */
export class Sql {
  readonly dataSource: DataSource;
  readonly #known: Known;

  constructor(private readonly manager: EntityManager) {
    // TypeORM 0.3 has no other name for it.
    this.dataSource = manager.connection;
    this.#known = known.get(this.dataSource) ?? new Known(this.dataSource);
    known.set(this.dataSource, this.#known);
  }

  get isPostgres(): boolean {
    return this.#known.isPostgres;
  }

  /** The database's clock as an expression, in milliseconds: the clocks of instances may differ. */
  get now(): string {
    return this.isPostgres
      ? 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)'
      : "CAST(round(unixepoch('subsec') * 1000) AS integer)";
  }

  /** Returns the quoted name of an entity's table, with its schema. */
  table(entity: Entity): string {
    const { tables } = this.#known;
    let name = tables.get(entity);
    if (name === undefined) tables.set(entity, (name = quotedTable(this.dataSource, entity)));
    return name;
  }

  /**
   * Returns the text of a statement that is always the same, built at its first use. Joining its parts again would take
   * a tenth of the time of a short statement on SQLite.
   *
   * @param entity whose table `build` gets, with its quoted name
   * @param name of the statement, for this entity
   */
  text(entity: Entity, name: string, build: (table: string) => string): string {
    const { texts } = this.#known;
    let ofEntity = texts.get(entity);
    if (!ofEntity) texts.set(entity, (ofEntity = new Map()));
    let text = ofEntity.get(name);
    if (text === undefined) ofEntity.set(name, (text = build(this.table(entity))));
    return text;
  }

  /** Runs one statement with `?` for each parameter. */
  async run<Row>(
    sql: string,
    parameters: readonly Parameter[] = [],
    manager: EntityManager = this.manager,
  ): Promise<StatementResult<Row>> {
    let position = 0;
    const numbered = this.isPostgres ? sql.replaceAll('?', () => `$${++position}`) : sql;
    const kept = manager.queryRunner ?? runnerOfStatements(this.dataSource);
    const runner = kept ?? this.dataSource.createQueryRunner();
    try {
      // Of TypeORM's ways to run SQL, only this one returns the number of changed rows on every database.
      return (await runner.query(numbered, [...parameters], true)) as StatementResult<Row>;
    } finally {
      if (runner !== kept) await runner.release();
    }
  }

  /** READ COMMITTED: every statement after a lock sees everything that the previous lock holder committed. */
  transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.manager.transaction(this.isPostgres ? 'READ COMMITTED' : 'SERIALIZABLE', work);
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

function quotedTable(dataSource: DataSource, entity: Entity): string {
  return dataSource
    .getMetadata(entity)
    .tablePath.split('.')
    .map((part) => dataSource.driver.escape(part))
    .join('.');
}
