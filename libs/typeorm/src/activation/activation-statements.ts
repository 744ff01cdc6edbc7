import { valueRows } from '../database/row-statements.js';
import type { Sql } from '../database/sql.js';
import { ActivationScopeEntity } from './activation-scope.entity.js';
import { ActivationEntity } from './activation.entity.js';

const KEY = 'tenant_id, user_id, scope, scope_id';
const RECORD = `${KEY}, tool`;
const SCOPE = 'tenant_id AS "tenantId", user_id AS "userId", scope, scope_id AS "scopeId"';
const TIMES = 'activated_at AS "activatedAt", last_used_at AS "lastUsedAt"';
const IS_KEY = 'tenant_id = ? AND user_id = ? AND scope = ? AND scope_id = ?';

/** The SQL of the activation store. In the parameter lists below, `…` stands for the four parts of the key. */
export function activationStatements(sql: Sql) {
  const scopes = sql.table(ActivationScopeEntity);
  const activations = sql.table(ActivationEntity);
  const lock = sql.isPostgres ? ' FOR UPDATE' : '';
  const isEmpty =
    `NOT EXISTS (SELECT 1 FROM ${activations} AS a WHERE a.tenant_id = held.tenant_id AND a.user_id = held.user_id ` +
    'AND a.scope = held.scope AND a.scope_id = held.scope_id)';

  return {
    /** Parameters: …, staleBefore. */
    list: `SELECT tool, reason, ${TIMES} FROM ${activations} JOIN ${scopes} USING (${KEY}) WHERE ${IS_KEY} AND used_at >= ?`,
    /** Parameters: …, staleBefore. Removes an idle scope; its activations are removed by cascade. */
    expire: `DELETE FROM ${scopes} WHERE ${IS_KEY} AND used_at < ?`,
    /** Parameters: …, now. Creates the scope or updates its last use. Locks its row until the transaction ends. */
    claim:
      `INSERT INTO ${scopes} AS held (${KEY}, used_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (${KEY}) DO UPDATE ` +
      'SET used_at = CASE WHEN held.used_at < excluded.used_at THEN excluded.used_at ELSE held.used_at END',
    /** Parameters: …. */
    held: `SELECT tool, reason, tokens, ${TIMES} FROM ${activations} WHERE ${IS_KEY}`,
    /** Parameters: …, tool, reason, tokens, activatedAt, lastUsedAt (equal to activatedAt). */
    add: `INSERT INTO ${activations} (${KEY}, tool, reason, tokens, activated_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    /** Parameters: now; then …, tool for each record. */
    use: (count: number) =>
      `UPDATE ${activations} SET last_used_at = ? WHERE (${RECORD}) IN (VALUES ${valueRows(count, 5)})`,
    /** Parameters: …, staleBefore. */
    lastUse: `SELECT used_at FROM ${scopes} WHERE ${IS_KEY} AND used_at >= ?`,
    /** Parameters: …, tool, limit. Returns the records after this one, in primary key order. */
    after:
      `SELECT ${SCOPE}, tool, reason, tokens, ${TIMES}, used_at AS "scopeUsedAt" FROM ${activations} JOIN ${scopes} USING (${KEY}) ` +
      `WHERE (${RECORD}) > (?, ?, ?, ?, ?) ORDER BY ${RECORD} LIMIT ?`,
    /** Parameters: … for each scope. Locks the existing scopes until the transaction ends, always in the same order. */
    lockAll: (count: number) =>
      `SELECT ${SCOPE} FROM ${scopes} WHERE (${KEY}) IN (VALUES ${valueRows(count, 4)}) ORDER BY ${KEY}${lock}`,
    /** Parameters: …, tool for each record. */
    removeEach: (count: number) => `DELETE FROM ${activations} WHERE (${RECORD}) IN (VALUES ${valueRows(count, 5)})`,
    /** Parameters: … for each scope. Removes the scopes without activations. */
    dropEmpty: (count: number) =>
      `DELETE FROM ${scopes} AS held WHERE (${KEY}) IN (VALUES ${valueRows(count, 4)}) AND ${isEmpty}`,
  };
}
