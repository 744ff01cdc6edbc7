import type { DataSource } from 'typeorm';
import { dialectOf } from '../database/dialect.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { ControlHeadEntity } from './control-head.entity.js';
import { ControlInstanceEntity } from './control-instance.entity.js';
import { ControlRecordEntity } from './control-record.entity.js';

const RECORD = 'kind, key, tenant_id, value, expires_at, revision';
const ENTRY =
  'seq, revision, at, actor, action, subject, tenant_id, reason, before, after, idempotency_key, prev_hash, hash';

/** The NOTIFY channel on which PostgreSQL announces a new revision. */
export const CONTROL_CHANNEL = 'tool_search_control';

/**
 * The SQL of the control store. SQLite and PostgreSQL differ only in placeholders, a lock, the clock and a sort order.
 */
export function controlStatements(dataSource: DataSource) {
  const { isPostgres, table, numbered } = dialectOf(dataSource);
  const records = table(ControlRecordEntity);
  const head = table(ControlHeadEntity);
  const audit = table(AuditEntryEntity);
  const instances = table(ControlInstanceEntity);
  // The database's clock, in milliseconds, because the clocks of instances may differ.
  const now = isPostgres
    ? 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)'
    : "CAST(round(unixepoch('subsec') * 1000) AS integer)";
  // Sorted by bytes, as SQLite does; all other collations differ between servers.
  const key = isPostgres ? 'key COLLATE "C"' : 'key';

  return {
    revision: `SELECT revision FROM ${head} WHERE id = 1`,
    head: `SELECT revision, seq, hash FROM ${head} WHERE id = 1`,
    /**
     * Revision and records in one statement, so that both are of the same moment. Without records: one row of nulls.
     */
    state:
      `SELECT head.revision AS head_revision, record.* FROM ${head} AS head LEFT JOIN ` +
      `(SELECT ${RECORD} FROM ${records} WHERE kind IN ('kill_switch', 'policy', 'quarantine')) AS record ON true ` +
      'WHERE head.id = 1',
    /**
     * PostgreSQL only. Bounds how long a disconnected instance can hold the lock. Without this bound the server keeps
     * the lock until it notices the dead connection, which may take hours, and waiting writers use up the connections
     * that reads need.
     */
    bound:
      "SELECT set_config('idle_in_transaction_session_timeout', '3s', true), set_config('lock_timeout', '6s', true)",
    /** Locks the head row until the transaction ends. On SQLite, BEGIN IMMEDIATE has already taken the lock. */
    lock: `SELECT revision, seq, hash FROM ${head} WHERE id = 1${isPostgres ? ' FOR UPDATE' : ''}`,
    /** Parameters: revision, seq, hash. */
    advance: numbered(`UPDATE ${head} SET revision = ?, seq = ?, hash = ? WHERE id = 1`),
    /** Parameters: kind, key. */
    find: numbered(`SELECT ${RECORD} FROM ${records} WHERE kind = ? AND key = ?`),
    /** Parameters: kind, the values of the conditions, limit. */
    list: (isAfter: boolean, isOfTenant: boolean) =>
      numbered(
        `SELECT ${RECORD} FROM ${records} WHERE kind = ?${isAfter ? ` AND ${key} > ?` : ''}` +
          `${isOfTenant ? ' AND tenant_id = ?' : ''} ORDER BY ${key} LIMIT ?`,
      ),
    /** Parameters: kind, key, tenant, value, expiry, revision. */
    put: numbered(
      `INSERT INTO ${records} (${RECORD}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET ` +
        'tenant_id = excluded.tenant_id, value = excluded.value, expires_at = excluded.expires_at, revision = excluded.revision',
    ),
    /** Parameters: kind, key. */
    remove: numbered(`DELETE FROM ${records} WHERE kind = ? AND key = ?`),
    /** Parameters: now. */
    dropExpired: numbered(`DELETE FROM ${records} WHERE kind = 'approval' AND expires_at > 0 AND expires_at <= ?`),
    /** Parameters: tenant. */
    open: numbered(`SELECT ${RECORD} FROM ${records} WHERE kind = 'approval' AND tenant_id = ? AND revision = 0`),
    /** Parameters: idempotencyKey. */
    replay: numbered(`SELECT ${ENTRY} FROM ${audit} WHERE idempotency_key = ? AND idempotency_key <> ''`),
    /** Parameters: the fields of an entry. */
    append: numbered(`INSERT INTO ${audit} (${ENTRY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    /** Parameters: the values of the conditions, limit. */
    audit: (conditions: readonly string[], order: 'ASC' | 'DESC') =>
      numbered(
        `SELECT ${ENTRY} FROM ${audit} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')} ` : ''}` +
          `ORDER BY seq ${order} LIMIT ?`,
      ),
    /** Parameters: channel, revision. */
    notify: 'SELECT pg_notify($1, $2)',
    /** Parameters: id, appliedRevision. */
    beat: numbered(
      `INSERT INTO ${instances} (id, applied_revision, seen_at) VALUES (?, ?, ${now}) ON CONFLICT (id) DO UPDATE SET ` +
        'applied_revision = excluded.applied_revision, seen_at = excluded.seen_at RETURNING seen_at',
    ),
    /** Parameters: withinMs. */
    instances: numbered(
      `SELECT id, applied_revision, ${now} - seen_at AS silent_ms FROM ${instances} WHERE seen_at >= ${now} - ? ORDER BY id`,
    ),
    /** Parameters: id. */
    leave: numbered(`DELETE FROM ${instances} WHERE id = ?`),
    /** Parameters: silentMs. */
    forgetSilent: numbered(`DELETE FROM ${instances} WHERE seen_at < ${now} - ?`),
  };
}
