import type { Dialect } from '../database/dialect.js';
import type { Parameter } from '../database/run-statement.js';

/** A table of counts: what a row is known by, and what is added to. */
export interface CountTable {
  readonly table: string;
  readonly keys: readonly string[];
  readonly counts: readonly string[];
  /** A column of which the larger value stays. */
  readonly latest?: string;
}

/**
 * One statement that adds rows to what is there; done at once or not at all. Rows go in the order of their keys, so that two
 * instances that add to the same rows wait for each other instead of both being stopped.
 *
 * @param rows values of keys, counts and `latest`, in this order; no two with the same key
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
