import type { DataSource, EntityManager } from 'typeorm';

/** The type of a statement's parameter. */
export type Parameter = string | number | Uint8Array | null;

/** A bigint as the driver returns it: PostgreSQL sends a string. */
export type BigInteger = number | string;

/** Result of a statement. TypeORM 0.3's own type has no type parameter. */
export interface StatementResult<Row> {
  readonly records: Row[];
  readonly affected?: number;
}

/**
 * Runs one statement, in the manager's transaction if there is one, otherwise in its own. Of TypeORM's ways to run SQL,
 * only this one returns the number of changed rows on every database.
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
