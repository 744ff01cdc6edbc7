import { columns, keys, TableMigration } from './table-migration.js';

const ENTRIES = 'tool_search_cache_entries';

/** Creates the entries of the search cache and their parts. SQLite and PostgreSQL differ only in the type of bytes. */
export class CreateSearchCache extends TableMigration {
  readonly name = 'CreateSearchCache1763856000000';

  protected tables(isPostgres: boolean) {
    return [
      {
        name: ENTRIES,
        columns: [
          ...keys('generation'),
          ...columns('text', 'kind', 'id'),
          ...columns('boolean', 'complete'),
          ...columns('integer', 'parts', 'length'),
          ...columns('text', 'checksum'),
          ...columns('bigint', 'written_at'),
        ],
      },
      {
        name: 'tool_search_cache_parts',
        columns: [
          ...keys('generation'),
          { name: 'part', type: 'integer', isPrimary: true },
          ...columns(isPostgres ? 'bytea' : 'blob', 'bytes'),
        ],
        foreignKeys: [
          {
            name: 'fk_tool_search_cache_parts_entry',
            columnNames: ['generation'],
            referencedTableName: ENTRIES,
            referencedColumnNames: ['generation'],
          },
        ],
      },
    ];
  }
}
