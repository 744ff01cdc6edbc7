import type { DataSource } from 'typeorm';
import { dialectOf } from '../database/dialect.js';
import { SearchCacheEntryEntity } from './search-cache-entry.entity.js';
import { PostgresSearchCachePartEntity, SqliteSearchCachePartEntity } from './search-cache-part.entity.js';

/** The SQL of the search cache. SQLite and PostgreSQL differ only in placeholders. */
export function searchCacheStatements(dataSource: DataSource) {
  const { isPostgres, table, numbered } = dialectOf(dataSource);
  const entries = table(SearchCacheEntryEntity);
  const parts = table(isPostgres ? PostgresSearchCachePartEntity : SqliteSearchCachePartEntity);

  return {
    /** Parameters: kind, id. Returns the complete entry with this id, otherwise the newest of its kind. */
    find: numbered(
      `SELECT generation, parts, length, checksum FROM ${entries} WHERE kind = ? AND complete ` +
        'ORDER BY CASE WHEN id = ? THEN 0 ELSE 1 END, written_at DESC, generation LIMIT 1',
    ),
    /** Parameters: generation, part. */
    part: numbered(`SELECT bytes FROM ${parts} WHERE generation = ? AND part = ?`),
    /** Parameters: generation, kind, id, now. */
    begin: numbered(
      `INSERT INTO ${entries} (generation, kind, id, complete, parts, length, checksum, written_at) ` +
        "VALUES (?, ?, ?, FALSE, 0, 0, '', ?)",
    ),
    /** Parameters: generation, part, bytes. */
    addPart: numbered(`INSERT INTO ${parts} (generation, part, bytes) VALUES (?, ?, ?)`),
    /**
     * Parameters: parts, length, checksum, now, now, kind, generation. Instances' clocks differ, so the time is at
     * least 1 ms after the newest entry of the kind.
     */
    complete: numbered(
      `UPDATE ${entries} SET complete = TRUE, parts = ?, length = ?, checksum = ?, written_at = (` +
        `SELECT CASE WHEN MAX(written_at) >= ? THEN MAX(written_at) + 1 ELSE ? END FROM ${entries} WHERE kind = ?) ` +
        'WHERE generation = ?',
    ),
    /** All entries, without their bytes. */
    list: `SELECT generation, kind, id, complete, written_at FROM ${entries}`,
    /** Parameters: generation. Readers no longer find the entry. */
    retire: numbered(`UPDATE ${entries} SET complete = FALSE WHERE generation = ?`),
    /** Parameters: generation, batch. */
    dropParts: numbered(
      `DELETE FROM ${parts} WHERE (generation, part) IN (` +
        `SELECT generation, part FROM ${parts} WHERE generation = ? ORDER BY part LIMIT ?)`,
    ),
    /** Parameters: generation. */
    drop: numbered(`DELETE FROM ${entries} WHERE generation = ?`),
  };
}
