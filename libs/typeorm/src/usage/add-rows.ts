import type { Dialect } from '../database/dialect.js';
import type { Parameter } from '../database/run-statement.js';

/** A table of counters: its key columns and its count columns. */
export interface CountTable {
  readonly table: string;
  readonly keys: readonly string[];
  readonly counts: readonly string[];
  /** A column that keeps the larger value. */
  readonly latest?: string;
}

/**
 * Builds one atomic statement that adds rows to the stored counts. Rows are sorted by key, so that two instances that
 * update the same rows wait for each other instead of deadlocking.
 *
 * @param rows values of keys, counts and `latest`, in this order; each key at most once
 */
export function addRows(
  { numbered, isPostgres }: Dialect,
  { table, keys, counts, latest }: CountTable,
  rows: readonly (readonly Parameter[])[],
): { readonly sql: string; readonly parameters: readonly Parameter[] } {
  const columns = [...keys, ...counts, ...(latest === undefined ? [] : [latest])];
  const keyOf = (row: readonly Parameter[]) => JSON.stringify(row.slice(0, keys.length));
  const sorted = rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((left, right) => (left.key < right.key ? -1 : Number(left.key > right.key)));
  const larger = isPostgres ? 'GREATEST' : 'MAX';
  const updates = [
    ...counts.map((count) => `${count} = known.${count} + excluded.${count}`),
    ...(latest === undefined ? [] : [`${latest} = ${larger}(known.${latest}, excluded.${latest})`]),
  ];
  const places = `(${columns.map(() => '?').join(', ')})`;
  return {
    sql: numbered(
      `INSERT INTO ${table} AS known (${columns.join(', ')}) VALUES ${sorted.map(() => places).join(', ')} ` +
        `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${updates.join(', ')}`,
    ),
    parameters: sorted.flatMap(({ row }) => row),
  };
}
