import type { DataSource } from 'typeorm';
import { dialectOf } from '../database/dialect.js';
import { DefinitionSourceEntity } from './definition-source.entity.js';
import { DefinitionEntity } from './definition.entity.js';

const PIN = 'tool, fingerprint, volatile, listed, accepted_at';
const ROW = `source_id, tool_id, ${PIN}, origin`;

/** The SQL of the definition store, the same for SQLite and PostgreSQL but for placeholders. */
export function definitionStatements(dataSource: DataSource) {
  const { table, numbered } = dialectOf(dataSource);
  const sources = table(DefinitionSourceEntity);
  const definitions = table(DefinitionEntity);
  const updates = `${PIN}, origin`.split(', ').map((column) => `${column} = excluded.${column}`);

  return {
    /**
     * PostgreSQL only. An instance that is cut off in the middle of a change would keep the lock for as long as the server
     * believes in its connection.
     */
    bound:
      "SELECT set_config('idle_in_transaction_session_timeout', '3s', true), set_config('lock_timeout', '6s', true)",
    /** sourceId */
    revision: numbered(`SELECT revision FROM ${sources} WHERE id = ?`),
    /** sourceId. Revision and pins in one statement, which sees one moment. Without pins there is one row, of nulls. */
    pins: numbered(
      `SELECT known.revision, ${PIN.split(', ')
        .map((column) => `pin.${column}`)
        .join(', ')} ` +
        `FROM ${sources} AS known LEFT JOIN ${definitions} AS pin ON pin.source_id = known.id WHERE known.id = ?`,
    ),
    /** sourceId, after this toolId, limit */
    listedOrigins: numbered(
      `SELECT tool_id, tool, origin FROM ${definitions} WHERE source_id = ? AND listed AND tool_id > ? ORDER BY tool_id LIMIT ?`,
    ),
    /** sourceId, toolId of each */
    origins: (count: number) =>
      numbered(
        `SELECT tool_id, tool, origin FROM ${definitions} WHERE source_id = ? AND tool_id IN (${list('?', count)})`,
      ),
    /** sourceId, owner, source, revision. Answers with a row unless it is there already, or somebody else is just making it. */
    register: numbered(
      `INSERT INTO ${sources} (id, owner, source, revision) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`,
    ),
    /** sourceId, owner, source, revision if there is none. Locks the source until the transaction ends. */
    advance: numbered(
      `INSERT INTO ${sources} AS known (id, owner, source, revision) VALUES (?, ?, ?, ?) ` +
        'ON CONFLICT (id) DO UPDATE SET revision = known.revision + 1',
    ),
    /** sourceId, toolId, tool, fingerprint, volatile, listed, acceptedAt, origin of each */
    put: (count: number) =>
      numbered(
        `INSERT INTO ${definitions} (${ROW}) VALUES ${list('(?, ?, ?, ?, ?, ?, ?, ?)', count)} ` +
          `ON CONFLICT (source_id, tool_id) DO UPDATE SET ${updates.join(', ')}`,
      ),
    /** sourceId, toolId of each */
    unlist: (count: number) =>
      numbered(
        `UPDATE ${definitions} SET listed = FALSE WHERE source_id = ? AND listed AND tool_id IN (${list('?', count)})`,
      ),
    /** sourceId, sourceId, keepGone. SQLite takes no OFFSET without a LIMIT. */
    trim: numbered(
      `DELETE FROM ${definitions} WHERE source_id = ? AND tool_id IN (` +
        `SELECT tool_id FROM ${definitions} WHERE source_id = ? AND NOT listed ` +
        'ORDER BY accepted_at DESC, tool_id LIMIT 1000000000 OFFSET ?)',
    ),
    /** sourceId. Its definitions go with it. */
    forget: numbered(`DELETE FROM ${sources} WHERE id = ?`),
  };
}

function list(item: string, count: number): string {
  return Array.from({ length: count }, () => item).join(', ');
}
