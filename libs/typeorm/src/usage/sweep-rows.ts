import type { Dialect } from '../database/dialect.js';

/**
 * A statement that removes the oldest rows: parameters are the time before which they go, and how many at most. Materialized,
 * because PostgreSQL may run a plain subquery again for every row and pass the batch; rows in use are passed over.
 */
export function sweepRows(
  { isPostgres }: Pick<Dialect, 'isPostgres'>,
  table: string,
  keys: readonly string[],
  at: string,
): string {
  const key = keys.join(', ');
  return (
    `WITH old AS MATERIALIZED (SELECT ${key} FROM ${table} WHERE ${at} < ? ORDER BY ${at} LIMIT ?` +
    `${isPostgres ? ' FOR UPDATE SKIP LOCKED' : ''}) DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM old)`
  );
}
