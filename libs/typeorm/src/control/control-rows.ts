import type { AuditEntry, AuditFilter, ControlKind, ControlRecord, JsonObject } from '@tool-search/core';
import type { BigInteger, Parameter } from '../database/run-statement.js';

/** A record as the driver returns it. */
export interface RecordRow {
  readonly kind: ControlKind;
  readonly key: string;
  readonly tenant_id: string;
  readonly value: string;
  readonly expires_at: BigInteger;
  readonly revision: BigInteger;
}

/** An audit entry as the driver returns it. */
export interface EntryRow {
  readonly seq: BigInteger;
  readonly revision: BigInteger;
  readonly at: BigInteger;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly tenant_id: string;
  readonly reason: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly idempotency_key: string;
  readonly prev_hash: string;
  readonly hash: string;
}

/** Converts a row to a record. */
export function recordOf({ kind, key, tenant_id, value, expires_at, revision }: RecordRow): ControlRecord {
  return {
    kind,
    key,
    tenantId: tenant_id,
    value: JSON.parse(value) as JsonObject,
    expiresAt: Number(expires_at),
    revision: Number(revision),
  };
}

/** Converts a row to an audit entry. */
export function entryOf({ seq, revision, at, actor, action, subject, reason, hash, ...row }: EntryRow): AuditEntry {
  return {
    seq: Number(seq),
    revision: Number(revision),
    at: Number(at),
    actor,
    action,
    subject,
    tenantId: row.tenant_id,
    reason,
    before: objectOf(row.before),
    after: objectOf(row.after),
    idempotencyKey: row.idempotency_key,
    prevHash: row.prev_hash,
    hash,
  };
}

/** The parameters of an INSERT of an audit entry, in column order. */
export function entryParameters(entry: AuditEntry): readonly Parameter[] {
  const { seq, revision, at, actor, action, subject, tenantId, reason } = entry;
  const { idempotencyKey, prevHash, hash } = entry;
  const [before, after] = [entry.before, entry.after].map((value) => value && JSON.stringify(value));
  const said = [seq, revision, at, actor, action, subject, tenantId, reason];
  return [...said, before ?? null, after ?? null, idempotencyKey, prevHash, hash];
}

/** Converts a filter to SQL conditions, each with its parameters. */
export function conditionsOf(filter: AuditFilter): readonly (readonly [string, ...Parameter[]])[] {
  const { tenantId, actor, action, since, until } = filter;
  const conditions: (readonly [string, ...Parameter[]])[] = [];
  if (tenantId !== undefined) conditions.push(['tenant_id = ?', tenantId]);
  if (actor !== undefined) conditions.push(['actor = ?', actor]);
  // Not LIKE: it ignores case on SQLite and treats % and _ as wildcards.
  if (action?.endsWith('.')) conditions.push(['substr(action, 1, length(CAST(? AS text))) = ?', action, action]);
  else if (action !== undefined) conditions.push(['action = ?', action]);
  if (since !== undefined) conditions.push(['at >= ?', since]);
  if (until !== undefined) conditions.push(['at < ?', until]);
  return conditions;
}

function objectOf(text: string | null): JsonObject | null {
  return text === null ? null : (JSON.parse(text) as JsonObject);
}
