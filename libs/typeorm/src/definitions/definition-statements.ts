import type { DataSource } from 'typeorm';
import { dialectOf } from '../database/dialect.js';
import { DefinitionSourceEntity } from './definition-source.entity.js';
import { DefinitionEntity } from './definition.entity.js';

const PIN = 'tool, fingerprint, volatile, listed, accepted_at';
const ROW = `source_id, tool_id, ${PIN}, origin`;

/** The SQL of the definition store. SQLite and PostgreSQL differ only in placeholders and locking. */
export function definitionStatements(dataSource: DataSource) {
  const { table, numbered } = dialectOf(dataSource);
  const sources = table(DefinitionSourceEntity);
  const definitions = table(DefinitionEntity);
  const updates = `${PIN}, origin`.split(', ').map((column) => `${column} = excluded.${column}`);

  return {
    /** PostgreSQL only. Bounds how long a disconnected instance can hold the lock in the middle of a change. */
    bound:
      "SELECT set_config('idle_in_transaction_session_timeout', '3s', true), set_config('lock_timeout', '6s', true)",
    /** Parameters: sourceId. */
    revision: numbered(`SELECT revision FROM ${sources} WHERE id = ?`),
    /**
     * Parameters: sourceId. Revision and pins in one statement, so that both are of the same moment. Without pins: one
     * row of nulls.
     */
    pins: numbered(
      `SELECT known.revision, ${PIN.split(', ')
        .map((column) => `pin.${column}`)
        .join(', ')} ` +
        `FROM ${sources} AS known LEFT JOIN ${definitions} AS pin ON pin.source_id = known.id WHERE known.id = ?`,
    ),
    /** Parameters: sourceId, the last toolId of the page before, limit. */
    listedOrigins: numbered(
      `SELECT tool_id, tool, origin FROM ${definitions} WHERE source_id = ? AND listed AND tool_id > ? ORDER BY tool_id LIMIT ?`,
    ),
    /** Parameters: sourceId, then each toolId. */
    origins: (count: number) =>
      numbered(
        `SELECT tool_id, tool, origin FROM ${definitions} WHERE source_id = ? AND tool_id IN (${list('?', count)})`,
      ),
    /**
     * Parameters: sourceId, owner, source, revision. Returns a row unless the source exists or is just being created.
     */
    register: numbered(
      `INSERT INTO ${sources} (id, owner, source, revision) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`,
    ),
    /** Parameters: sourceId, owner, source, initial revision. Locks the source until the transaction ends. */
    advance: numbered(
      `INSERT INTO ${sources} AS known (id, owner, source, revision) VALUES (?, ?, ?, ?) ` +
        'ON CONFLICT (id) DO UPDATE SET revision = known.revision + 1',
    ),
    /** Parameters: sourceId, toolId, tool, fingerprint, volatile, listed, acceptedAt, origin of each. */
    put: (count: number) =>
      numbered(
        `INSERT INTO ${definitions} (${ROW}) VALUES ${list('(?, ?, ?, ?, ?, ?, ?, ?)', count)} ` +
          `ON CONFLICT (source_id, tool_id) DO UPDATE SET ${updates.join(', ')}`,
      ),
    /** Parameters: sourceId, then each toolId. */
    unlist: (count: number) =>
      numbered(
        `UPDATE ${definitions} SET listed = FALSE WHERE source_id = ? AND listed AND tool_id IN (${list('?', count)})`,
      ),
    /** Parameters: sourceId, sourceId, keepGone. SQLite has no OFFSET without LIMIT. */
    trim: numbered(
      `DELETE FROM ${definitions} WHERE source_id = ? AND tool_id IN (` +
        `SELECT tool_id FROM ${definitions} WHERE source_id = ? AND NOT listed ` +
        'ORDER BY accepted_at DESC, tool_id LIMIT 1000000000 OFFSET ?)',
    ),
    /** Parameters: sourceId. Its definitions are removed by cascade. */
    forget: numbered(`DELETE FROM ${sources} WHERE id = ?`),
  };
}

function list(item: string, count: number): string {
  return Array.from({ length: count }, () => item).join(', ');
}
