import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';

const SOURCES = 'tool_search_definition_sources';
const DEFINITIONS = 'tool_search_definitions';

const key = (name: string): TableColumnOptions => ({ name, type: 'text', isPrimary: true });
const text = (name: string): TableColumnOptions => ({ name, type: 'text' });
const bigint = (name: string): TableColumnOptions => ({ name, type: 'bigint' });

/** Creates sources and their accepted definitions, the same on SQLite and PostgreSQL. */
export class CreateDefinitions implements MigrationInterface {
  readonly name = 'CreateDefinitions1764201600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({ name: SOURCES, columns: [key('id'), text('owner'), text('source'), bigint('revision')] }),
    );
    await runner.createTable(
      new Table({
        name: DEFINITIONS,
        columns: [
          ...['source_id', 'tool_id'].map(key),
          ...['tool', 'fingerprint', 'volatile'].map(text),
          { name: 'listed', type: 'boolean' },
          bigint('accepted_at'),
          text('origin'),
        ],
        indices: [{ name: 'ix_tool_search_definitions_listed', columnNames: ['source_id', 'listed', 'accepted_at'] }],
        foreignKeys: [
          {
            name: 'fk_tool_search_definitions_source',
            columnNames: ['source_id'],
            referencedTableName: SOURCES,
            referencedColumnNames: ['id'],
            onDelete: 'CASCADE',
          },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(DEFINITIONS);
    await runner.dropTable(SOURCES);
  }
}
