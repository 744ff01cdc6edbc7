import type { DataSource, EntityManager, QueryResult } from 'typeorm';

/** What a statement may be given. */
export type Parameter = string | number | Uint8Array | null;

/** The driver's number for a bigint: PostgreSQL sends a string. */
export type BigInteger = number | string;

/**
 * One statement, in the manager's transaction if it has one, else in one of its own. Of TypeORM's ways to run SQL only this
 * one tells on every database how many rows were changed.
 */
export async function runStatement<Row>(
  dataSource: DataSource,
  sql: string,
  parameters: readonly Parameter[],
  manager?: EntityManager,
): Promise<QueryResult<Row>> {
  const runner = manager?.queryRunner ?? dataSource.createQueryRunner();
  try {
    return (await runner.query(sql, [...parameters], true)) as QueryResult<Row>;
  } finally {
    if (!manager) await runner.release();
  }
}
