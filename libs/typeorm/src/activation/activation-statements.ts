import type { DataSource } from 'typeorm';
import { ActivationScopeEntity } from './activation-scope.entity.js';
import { ActivationEntity } from './activation.entity.js';
import { dialectOf } from '../database/dialect.js';

const KEY = 'tenant_id, user_id, scope, scope_id';
const RECORD = `${KEY}, tool`;
const IS_KEY = 'tenant_id = ? AND user_id = ? AND scope = ? AND scope_id = ?';

/**
 * The SQL of the activation store. SQLite and PostgreSQL differ only in placeholders and one locking clause.
 * In the parameter lists below, `…` stands for the four parts of the key.
 */
export function activationStatements(dataSource: DataSource) {
  const { isPostgres, table, numbered } = dialectOf(dataSource);
  const scopes = table(ActivationScopeEntity);
  const activations = table(ActivationEntity);
  const isEmpty =
    `NOT EXISTS (SELECT 1 FROM ${activations} AS a WHERE a.tenant_id = held.tenant_id AND a.user_id = held.user_id ` +
    'AND a.scope = held.scope AND a.scope_id = held.scope_id)';

  return {
    /** Parameters: …, staleBefore. */
    list: numbered(
      `SELECT tool, reason, activated_at, last_used_at FROM ${activations} JOIN ${scopes} USING (${KEY}) WHERE ${IS_KEY} AND used_at >= ?`,
    ),
    /** Parameters: …, staleBefore. Removes an idle scope; its activations are removed by cascade. */
    expire: numbered(`DELETE FROM ${scopes} WHERE ${IS_KEY} AND used_at < ?`),
    /**
     * Parameters: …, now. Creates the scope or updates its time of last use. Locks its row until the transaction ends.
     */
    claim: numbered(
      `INSERT INTO ${scopes} AS held (${KEY}, used_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (${KEY}) DO UPDATE ` +
        'SET used_at = CASE WHEN held.used_at < excluded.used_at THEN excluded.used_at ELSE held.used_at END',
    ),
    /** Parameters: …. */
    held: numbered(`SELECT tool, reason, tokens, activated_at, last_used_at FROM ${activations} WHERE ${IS_KEY}`),
    /** Parameters: …, tool, reason, tokens, activatedAt, lastUsedAt (equal to activatedAt). */
    add: numbered(
      `INSERT INTO ${activations} (${KEY}, tool, reason, tokens, activated_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    /** Parameters: now; then …, tool for each record. */
    use: (count: number) =>
      numbered(`UPDATE ${activations} SET last_used_at = ? WHERE (${RECORD}) IN (${rows(count, 5)})`),
    /** Parameters: …, staleBefore. */
    lastUse: numbered(`SELECT used_at FROM ${scopes} WHERE ${IS_KEY} AND used_at >= ?`),
    /** Parameters: …, staleBefore. Locks the scope until the transaction ends, unless it is idle. */
    lockUsed: numbered(
      `SELECT used_at FROM ${scopes} WHERE ${IS_KEY} AND used_at >= ?${isPostgres ? ' FOR UPDATE' : ''}`,
    ),
    /** Parameters: now, …, now. Never sets the last use to an earlier time. */
    touch: numbered(`UPDATE ${scopes} SET used_at = ? WHERE ${IS_KEY} AND used_at < ?`),
    /** Parameters: …. */
    lock: numbered(`UPDATE ${scopes} SET used_at = used_at WHERE ${IS_KEY}`),
    /** Parameters: …, tool. */
    removeOne: numbered(`DELETE FROM ${activations} WHERE ${IS_KEY} AND tool = ?`),
    /** Parameters: …. */
    removeAll: numbered(`DELETE FROM ${activations} WHERE ${IS_KEY}`),
    /** Parameters: …. Removes the scope if it has no activations. */
    dropEmpty: numbered(`DELETE FROM ${scopes} AS held WHERE ${IS_KEY} AND ${isEmpty}`),
    /**
     * Parameters: staleBefore, batch. Materialized, because PostgreSQL may run a plain subquery again for every row and
     * exceed the batch. Skips scopes that are locked.
     */
    sweep: numbered(
      `WITH idle AS MATERIALIZED (SELECT ${KEY} FROM ${scopes} WHERE used_at < ? ORDER BY used_at LIMIT ?` +
        `${isPostgres ? ' FOR UPDATE SKIP LOCKED' : ''}) ` +
        `DELETE FROM ${scopes} WHERE (${KEY}) IN (SELECT ${KEY} FROM idle)`,
    ),
    /** Parameters: …, tool, limit. Returns the records after this one, in primary key order. */
    after: numbered(
      `SELECT ${RECORD}, reason, tokens, activated_at, last_used_at, used_at FROM ${activations} JOIN ${scopes} USING (${KEY}) ` +
        `WHERE (${RECORD}) > (?, ?, ?, ?, ?) ORDER BY ${RECORD} LIMIT ?`,
    ),
    /** Parameters: … for each scope. Locks the existing scopes until the transaction ends, always in the same order. */
    lockAll: (count: number) =>
      numbered(
        `SELECT ${KEY} FROM ${scopes} WHERE (${KEY}) IN (${rows(count, 4)}) ORDER BY ${KEY}${isPostgres ? ' FOR UPDATE' : ''}`,
      ),
    /** Parameters: …, tool for each record. */
    removeEach: (count: number) => numbered(`DELETE FROM ${activations} WHERE (${RECORD}) IN (${rows(count, 5)})`),
    /** Parameters: … for each scope. Removes the scopes without activations. */
    dropAllEmpty: (count: number) =>
      numbered(`DELETE FROM ${scopes} AS held WHERE (${KEY}) IN (${rows(count, 4)}) AND ${isEmpty}`),
  };
}

function rows(count: number, width: number): string {
  const row = `(${Array.from({ length: width }, () => '?').join(', ')})`;
  return `VALUES ${Array.from({ length: count }, () => row).join(', ')}`;
}
