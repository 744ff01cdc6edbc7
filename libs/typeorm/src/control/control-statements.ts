import type { DataSource } from 'typeorm';
import { dialectOf } from '../database/dialect.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { ControlHeadEntity } from './control-head.entity.js';
import { ControlInstanceEntity } from './control-instance.entity.js';
import { ControlRecordEntity } from './control-record.entity.js';

const RECORD = 'kind, key, tenant_id, value, expires_at, revision';
const ENTRY =
  'seq, revision, at, actor, action, subject, tenant_id, reason, before, after, idempotency_key, prev_hash, hash';

/** The channel on which PostgreSQL tells of a new revision. */
export const CONTROL_CHANNEL = 'tool_search_control';

/** The SQL of the control store, the same for SQLite and PostgreSQL but for placeholders, a lock, the clock and an order. */
export function controlStatements(dataSource: DataSource) {
  const { isPostgres, table, numbered } = dialectOf(dataSource);
  const records = table(ControlRecordEntity);
  const head = table(ControlHeadEntity);
  const audit = table(AuditEntryEntity);
  const instances = table(ControlInstanceEntity);
  // The database's clock, in milliseconds: the clocks of instances need not agree.
  const now = isPostgres
    ? 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)'
    : "CAST(round(unixepoch('subsec') * 1000) AS integer)";
  // By bytes, as SQLite does; every other order differs between servers.
  const key = isPostgres ? 'key COLLATE "C"' : 'key';

  return {
    revision: `SELECT revision FROM ${head} WHERE id = 1`,
    head: `SELECT revision, seq, hash FROM ${head} WHERE id = 1`,
    /** Revision and records in one statement, which sees one moment. Without records there is one row, of nulls. */
    state:
      `SELECT head.revision AS head_revision, record.* FROM ${head} AS head LEFT JOIN ` +
      `(SELECT ${RECORD} FROM ${records} WHERE kind IN ('kill_switch', 'policy', 'quarantine')) AS record ON true ` +
      'WHERE head.id = 1',
    /**
     * PostgreSQL only. An instance that is cut off in the middle of a change would keep the lock for as long as the server
     * believes in its connection, which may be hours; and those who wait for it would use up the connections that reads need.
     */
    bound:
      "SELECT set_config('idle_in_transaction_session_timeout', '3s', true), set_config('lock_timeout', '6s', true)",
    /** Whoever runs it changes alone until the transaction ends. On SQLite, beginning was the lock already. */
    lock: `SELECT revision, seq, hash FROM ${head} WHERE id = 1${isPostgres ? ' FOR UPDATE' : ''}`,
    /** revision, seq, hash */
    advance: numbered(`UPDATE ${head} SET revision = ?, seq = ?, hash = ? WHERE id = 1`),
    /** kind, key */
    find: numbered(`SELECT ${RECORD} FROM ${records} WHERE kind = ? AND key = ?`),
    /** kind, then what the conditions ask for, limit */
    list: (isAfter: boolean, isOfTenant: boolean) =>
      numbered(
        `SELECT ${RECORD} FROM ${records} WHERE kind = ?${isAfter ? ` AND ${key} > ?` : ''}` +
          `${isOfTenant ? ' AND tenant_id = ?' : ''} ORDER BY ${key} LIMIT ?`,
      ),
    /** kind, key, tenant, value, expiry, revision */
    put: numbered(
      `INSERT INTO ${records} (${RECORD}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET ` +
        'tenant_id = excluded.tenant_id, value = excluded.value, expires_at = excluded.expires_at, revision = excluded.revision',
    ),
    /** kind, key */
    remove: numbered(`DELETE FROM ${records} WHERE kind = ? AND key = ?`),
    /** now */
    dropExpired: numbered(`DELETE FROM ${records} WHERE kind = 'approval' AND expires_at > 0 AND expires_at <= ?`),
    /** tenant */
    open: numbered(`SELECT ${RECORD} FROM ${records} WHERE kind = 'approval' AND tenant_id = ? AND revision = 0`),
    /** idempotencyKey */
    replay: numbered(`SELECT ${ENTRY} FROM ${audit} WHERE idempotency_key = ? AND idempotency_key <> ''`),
    /** The fields of an entry. */
    append: numbered(`INSERT INTO ${audit} (${ENTRY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    /** What the conditions ask for, limit */
    audit: (conditions: readonly string[], order: 'ASC' | 'DESC') =>
      numbered(
        `SELECT ${ENTRY} FROM ${audit} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')} ` : ''}` +
          `ORDER BY seq ${order} LIMIT ?`,
      ),
    /** channel, revision */
    notify: 'SELECT pg_notify($1, $2)',
    /** id, appliedRevision */
    beat: numbered(
      `INSERT INTO ${instances} (id, applied_revision, seen_at) VALUES (?, ?, ${now}) ON CONFLICT (id) DO UPDATE SET ` +
        'applied_revision = excluded.applied_revision, seen_at = excluded.seen_at RETURNING seen_at',
    ),
    /** withinMs */
    instances: numbered(
      `SELECT id, applied_revision, ${now} - seen_at AS silent_ms FROM ${instances} WHERE seen_at >= ${now} - ? ORDER BY id`,
    ),
    /** id */
    leave: numbered(`DELETE FROM ${instances} WHERE id = ?`),
    /** silentMs */
    forgetSilent: numbered(`DELETE FROM ${instances} WHERE seen_at < ${now} - ?`),
  };
}
