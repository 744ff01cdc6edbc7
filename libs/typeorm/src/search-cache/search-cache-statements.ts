import type { DataSource } from 'typeorm';
import { dialectOf } from '../database/dialect.js';
import { SearchCacheEntryEntity } from './search-cache-entry.entity.js';
import { PostgresSearchCachePartEntity, SqliteSearchCachePartEntity } from './search-cache-part.entity.js';

/** The SQL of the search cache, the same for SQLite and PostgreSQL but for placeholders. */
export function searchCacheStatements(dataSource: DataSource) {
  const { isPostgres, table, numbered } = dialectOf(dataSource);
  const entries = table(SearchCacheEntryEntity);
  const parts = table(isPostgres ? PostgresSearchCachePartEntity : SqliteSearchCachePartEntity);

  return {
    /** kind, id. The complete entry with this id, else the newest of its kind. */
    find: numbered(
      `SELECT generation, parts, length, checksum FROM ${entries} WHERE kind = ? AND complete ` +
        'ORDER BY CASE WHEN id = ? THEN 0 ELSE 1 END, written_at DESC, generation LIMIT 1',
    ),
    /** generation, part */
    part: numbered(`SELECT bytes FROM ${parts} WHERE generation = ? AND part = ?`),
    /** generation, kind, id, now */
    begin: numbered(
      `INSERT INTO ${entries} (generation, kind, id, complete, parts, length, checksum, written_at) ` +
        "VALUES (?, ?, ?, FALSE, 0, 0, '', ?)",
    ),
    /** generation, part, bytes */
    addPart: numbered(`INSERT INTO ${parts} (generation, part, bytes) VALUES (?, ?, ?)`),
    /** parts, length, checksum, now, now, kind, generation. Clocks of instances differ; the order of writing decides. */
    complete: numbered(
      `UPDATE ${entries} SET complete = TRUE, parts = ?, length = ?, checksum = ?, written_at = (` +
        `SELECT CASE WHEN MAX(written_at) >= ? THEN MAX(written_at) + 1 ELSE ? END FROM ${entries} WHERE kind = ?) ` +
        'WHERE generation = ?',
    ),
    /** All entries, without their bytes. */
    list: `SELECT generation, kind, id, complete, written_at FROM ${entries}`,
    /** generation. Nobody reads it from now on. */
    retire: numbered(`UPDATE ${entries} SET complete = FALSE WHERE generation = ?`),
    /** generation, batch */
    dropParts: numbered(
      `DELETE FROM ${parts} WHERE (generation, part) IN (` +
        `SELECT generation, part FROM ${parts} WHERE generation = ? ORDER BY part LIMIT ?)`,
    ),
    /** generation */
    drop: numbered(`DELETE FROM ${entries} WHERE generation = ?`),
  };
}
