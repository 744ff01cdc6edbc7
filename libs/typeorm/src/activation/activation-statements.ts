import type { DataSource } from 'typeorm';
import { ActivationScopeEntity } from './activation-scope.entity.js';
import { ActivationEntity } from './activation.entity.js';
import { dialectOf } from '../database/dialect.js';

const KEY = 'tenant_id, user_id, scope, scope_id';
const RECORD = `${KEY}, tool`;
const IS_KEY = 'tenant_id = ? AND user_id = ? AND scope = ? AND scope_id = ?';

/**
 * The SQL of the activation store, the same for SQLite and PostgreSQL but for placeholders and one locking clause.
 * `…` stands for the four parts of the key among the parameters.
 */
export function activationStatements(dataSource: DataSource) {
  const { isPostgres, table, numbered } = dialectOf(dataSource);
  const scopes = table(ActivationScopeEntity);
  const activations = table(ActivationEntity);
  const isEmpty =
    `NOT EXISTS (SELECT 1 FROM ${activations} AS a WHERE a.tenant_id = held.tenant_id AND a.user_id = held.user_id ` +
    'AND a.scope = held.scope AND a.scope_id = held.scope_id)';

  return {
    /** …, staleBefore */
    list: numbered(
      `SELECT tool, reason, activated_at, last_used_at FROM ${activations} JOIN ${scopes} USING (${KEY}) WHERE ${IS_KEY} AND used_at >= ?`,
    ),
    /** …, staleBefore. Removes the scope if it is idle; its activations go with it. */
    expire: numbered(`DELETE FROM ${scopes} WHERE ${IS_KEY} AND used_at < ?`),
    /** …, now. Makes the scope or marks it as used, and in either case locks its row until the transaction ends. */
    claim: numbered(
      `INSERT INTO ${scopes} AS held (${KEY}, used_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (${KEY}) DO UPDATE ` +
        'SET used_at = CASE WHEN held.used_at < excluded.used_at THEN excluded.used_at ELSE held.used_at END',
    ),
    /** … */
    held: numbered(`SELECT tool, reason, tokens, activated_at, last_used_at FROM ${activations} WHERE ${IS_KEY}`),
    /** …, tool, reason, tokens, activatedAt, the same as last use */
    add: numbered(
      `INSERT INTO ${activations} (${KEY}, tool, reason, tokens, activated_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    /** now; …, tool of each record */
    use: (count: number) =>
      numbered(`UPDATE ${activations} SET last_used_at = ? WHERE (${RECORD}) IN (${rows(count, 5)})`),
    /** …, staleBefore */
    lastUse: numbered(`SELECT used_at FROM ${scopes} WHERE ${IS_KEY} AND used_at >= ?`),
    /** …, staleBefore. Locks the scope, if it is in use, until the transaction ends. */
    lockUsed: numbered(
      `SELECT used_at FROM ${scopes} WHERE ${IS_KEY} AND used_at >= ?${isPostgres ? ' FOR UPDATE' : ''}`,
    ),
    /** now, …, now. Never brings the last use forward. */
    touch: numbered(`UPDATE ${scopes} SET used_at = ? WHERE ${IS_KEY} AND used_at < ?`),
    /** … */
    lock: numbered(`UPDATE ${scopes} SET used_at = used_at WHERE ${IS_KEY}`),
    /** …, tool */
    removeOne: numbered(`DELETE FROM ${activations} WHERE ${IS_KEY} AND tool = ?`),
    /** … */
    removeAll: numbered(`DELETE FROM ${activations} WHERE ${IS_KEY}`),
    /** … Removes the scope if it holds nothing. */
    dropEmpty: numbered(`DELETE FROM ${scopes} AS held WHERE ${IS_KEY} AND ${isEmpty}`),
    /**
     * staleBefore, batch. Materialized, because PostgreSQL may run a plain subquery again for every row and pass the
     * batch; scopes that someone is just using are passed over.
     */
    sweep: numbered(
      `WITH idle AS MATERIALIZED (SELECT ${KEY} FROM ${scopes} WHERE used_at < ? ORDER BY used_at LIMIT ?` +
        `${isPostgres ? ' FOR UPDATE SKIP LOCKED' : ''}) ` +
        `DELETE FROM ${scopes} WHERE (${KEY}) IN (SELECT ${KEY} FROM idle)`,
    ),
    /** …, tool, limit. Records after this one, in the order of the primary key. */
    after: numbered(
      `SELECT ${RECORD}, reason, tokens, activated_at, last_used_at, used_at FROM ${activations} JOIN ${scopes} USING (${KEY}) ` +
        `WHERE (${RECORD}) > (?, ?, ?, ?, ?) ORDER BY ${RECORD} LIMIT ?`,
    ),
    /** … of each scope. Locks those that are there, always in one order, until the transaction ends. */
    lockAll: (count: number) =>
      numbered(
        `SELECT ${KEY} FROM ${scopes} WHERE (${KEY}) IN (${rows(count, 4)}) ORDER BY ${KEY}${isPostgres ? ' FOR UPDATE' : ''}`,
      ),
    /** …, tool of each record */
    removeEach: (count: number) => numbered(`DELETE FROM ${activations} WHERE (${RECORD}) IN (${rows(count, 5)})`),
    /** … of each scope. Removes those that hold nothing. */
    dropAllEmpty: (count: number) =>
      numbered(`DELETE FROM ${scopes} AS held WHERE (${KEY}) IN (${rows(count, 4)}) AND ${isEmpty}`),
  };
}

function rows(count: number, width: number): string {
  const row = `(${Array.from({ length: width }, () => '?').join(', ')})`;
  return `VALUES ${Array.from({ length: count }, () => row).join(', ')}`;
}
