import type { DataSource, EntityManager } from 'typeorm';

/** What a statement may be given. */
export type Parameter = string | number | Uint8Array | null;

/** The driver's number for a bigint: PostgreSQL sends a string. */
export type BigInteger = number | string;

/** What a statement gave and changed; TypeORM's own type of it has no type parameter in 0.3. */
export interface StatementResult<Row> {
  readonly records: Row[];
  readonly affected?: number;
}

/**
 * One statement, in the manager's transaction if it has one, else in one of its own. Of TypeORM's ways to run SQL only this
 * one tells on every database how many rows were changed.
 */
export async function runStatement<Row>(
  dataSource: DataSource,
  sql: string,
  parameters: readonly Parameter[],
  manager?: EntityManager,
): Promise<StatementResult<Row>> {
  const runner = manager?.queryRunner ?? dataSource.createQueryRunner();
  try {
    return (await runner.query(sql, [...parameters], true)) as StatementResult<Row>;
  } finally {
    if (!manager) await runner.release();
  }
}
