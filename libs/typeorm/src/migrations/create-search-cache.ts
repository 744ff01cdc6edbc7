import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

const ENTRIES = 'tool_search_cache_entries';
const PARTS = 'tool_search_cache_parts';

/** Creates the entries of the search cache and their parts. SQLite and PostgreSQL differ only in the type of bytes. */
export class CreateSearchCache implements MigrationInterface {
  readonly name = 'CreateSearchCache1763856000000';

  async up(runner: QueryRunner): Promise<void> {
    const isPostgres = runner.connection.options.type === 'postgres';
    await runner.createTable(
      new Table({
        name: ENTRIES,
        columns: [
          { name: 'generation', type: 'text', isPrimary: true },
          { name: 'kind', type: 'text' },
          { name: 'id', type: 'text' },
          { name: 'complete', type: 'boolean' },
          { name: 'parts', type: 'integer' },
          { name: 'length', type: 'integer' },
          { name: 'checksum', type: 'text' },
          { name: 'written_at', type: 'bigint' },
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: PARTS,
        columns: [
          { name: 'generation', type: 'text', isPrimary: true },
          { name: 'part', type: 'integer', isPrimary: true },
          { name: 'bytes', type: isPostgres ? 'bytea' : 'blob' },
        ],
        foreignKeys: [
          {
            name: 'fk_tool_search_cache_parts_entry',
            columnNames: ['generation'],
            referencedTableName: ENTRIES,
            referencedColumnNames: ['generation'],
          },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(PARTS);
    await runner.dropTable(ENTRIES);
  }
}
