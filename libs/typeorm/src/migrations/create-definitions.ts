import { columns, keys, TableMigration } from './table-migration.js';

const SOURCES = 'tool_search_definition_sources';

export class CreateDefinitions extends TableMigration {
  readonly name = 'CreateDefinitions1764201600000';

  protected tables() {
    return [
      {
        name: SOURCES,
        columns: [...keys('id'), ...columns('text', 'owner', 'source'), ...columns('bigint', 'revision')],
      },
      {
        name: 'tool_search_definitions',
        columns: [
          ...keys('source_id', 'tool_id'),
          ...columns('text', 'tool', 'fingerprint', 'volatile'),
          ...columns('boolean', 'listed'),
          ...columns('bigint', 'accepted_at'),
          ...columns('text', 'origin'),
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
      },
    ];
  }
}
