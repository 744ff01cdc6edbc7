import type { Dialect } from '../database/dialect.js';

/**
 * Builds a statement that removes the oldest rows. Its parameters: the time before which rows are removed, and the
 * maximum number. Materialized, because PostgreSQL may run a plain subquery again for every row and exceed the batch.
 * Skips locked rows.
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
