import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { Parameter, Sql } from './sql.js';

/** Rows added to counters: each key at most once. `latest` is a column that keeps the larger value. */
export interface AddedRows<Row> {
  readonly rows: readonly Row[];
  readonly counts: readonly (keyof Row & string)[];
  readonly latest?: keyof Row & string;
}

/**
 * Adds rows to the stored counts in one atomic statement. Rows are sorted by key, so that two instances that update the
 * same rows wait for each other instead of deadlocking.
 */
export async function addRows<Row extends ObjectLiteral>(
  sql: Sql,
  entity: EntityTarget<ObjectLiteral>,
  { rows, counts, latest }: AddedRows<Row>,
): Promise<void> {
  if (rows.length === 0) return;
  const { columns, primaryColumns } = sql.dataSource.getMetadata(entity);
  const named = (property: string | undefined) =>
    columns.flatMap(({ propertyName, databaseName }) => (propertyName === property ? [databaseName] : []));
  const keyOf = (row: Row) => JSON.stringify(primaryColumns.map(({ propertyName }) => row[propertyName] as Parameter));
  const sorted = rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((left, right) => (left.key < right.key ? -1 : Number(left.key > right.key)));
  const larger = sql.isPostgres ? 'GREATEST' : 'MAX';
  const updates = [
    ...counts.flatMap(named).map((count) => `${count} = known.${count} + excluded.${count}`),
    ...named(latest).map((time) => `${time} = ${larger}(known.${time}, excluded.${time})`),
  ];
  await sql.run(
    `INSERT INTO ${sql.table(entity)} AS known (${columns.map(({ databaseName }) => databaseName).join(', ')}) ` +
      `VALUES ${valueRows(rows.length, columns.length)} ON CONFLICT (${keysOf(sql, entity)}) DO UPDATE SET ` +
      updates.join(', '),
    sorted.flatMap(({ row }) => columns.map(({ propertyName }) => row[propertyName] as Parameter)),
  );
}

/**
 * Removes up to `batch` of the oldest rows. Materialized, because PostgreSQL may run a plain subquery again for every
 * row and exceed the batch. Skips locked rows.
 *
 * @param at the column with the row's time
 * @returns the number of removed rows
 */
export async function sweepRows(
  sql: Sql,
  entity: EntityTarget<ObjectLiteral>,
  at: string,
  before: number,
  batch: number,
): Promise<number> {
  const [table, keys] = [sql.table(entity), keysOf(sql, entity)];
  const { affected = 0 } = await sql.run(
    `WITH old AS MATERIALIZED (SELECT ${keys} FROM ${table} WHERE ${at} < ? ORDER BY ${at} LIMIT ?${skipLocked(sql)}) ` +
      `DELETE FROM ${table} WHERE (${keys}) IN (SELECT ${keys} FROM old)`,
    [before, batch],
  );
  return affected;
}

/**
 * Removes the matching rows beyond the `limit` most recently used ones. Reads without a lock, and skips locked rows, so
 * that two trims never wait for each other. A row that was used since it was read no longer matches and is kept.
 *
 * @param where the columns that must equal these values
 */
export async function trimRows(
  sql: Sql,
  entity: EntityTarget<ObjectLiteral>,
  where: Readonly<Record<string, string>>,
  limit: number,
): Promise<void> {
  const [table, keys] = [sql.table(entity), keysOf(sql, entity)];
  const read = `${keys}, last_used_at`;
  const gone = sql.isPostgres ? `${table} WHERE (${read}) IN (SELECT ${read} FROM beyond)${skipLocked(sql)}` : 'beyond';
  const matches = Object.keys(where).map((column) => `${column} = ?`);
  // SQLite has no OFFSET without LIMIT.
  await sql.run(
    `WITH beyond AS (SELECT ${read} FROM ${table} WHERE ${matches.join(' AND ')} ` +
      `ORDER BY last_used_at DESC, ${keys} LIMIT 1000 OFFSET ?), gone AS (SELECT ${read} FROM ${gone}) ` +
      `DELETE FROM ${table} WHERE (${keys}) IN (SELECT ${keys} FROM gone)`,
    [...Object.values(where), limit],
  );
}

/** Items for one statement each: SQLite blocks other requests while a statement runs. */
export function batchesOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

/** Placeholders for rows of values: `(?, ?), (?, ?)`. */
export function valueRows(count: number, width: number): string {
  const row = `(${Array.from({ length: width }, () => '?').join(', ')})`;
  return Array.from({ length: count }, () => row).join(', ');
}

function keysOf(sql: Sql, entity: EntityTarget<ObjectLiteral>): string {
  const { primaryColumns } = sql.dataSource.getMetadata(entity);
  return primaryColumns.map(({ databaseName }) => databaseName).join(', ');
}

function skipLocked({ isPostgres }: Sql): string {
  return isPostgres ? ' FOR UPDATE SKIP LOCKED' : '';
}
