import { columns, keys, TableMigration } from './table-migration.js';

export class CreateExampleQueries extends TableMigration {
  readonly name = 'CreateExampleQueries1764460800000';

  protected tables() {
    return [
      {
        name: 'tool_search_example_queries',
        columns: [
          ...keys('hash'),
          ...columns('text', 'owner', 'tool'),
          { name: 'queries', type: 'text', isNullable: true },
          ...columns('text', 'writer'),
          ...columns('bigint', 'written_at'),
          ...columns('integer', 'failures'),
          ...columns('text', 'claimed_by'),
          ...columns('bigint', 'claimed_until', 'reserved_tokens', 'reserved_micros'),
        ],
        indices: [
          { name: 'ix_tool_search_example_queries_tool', columnNames: ['owner', 'tool'] },
          { name: 'ix_tool_search_example_queries_claimed_until', columnNames: ['claimed_until'] },
        ],
      },
      {
        name: 'tool_search_example_query_costs',
        columns: [
          { name: 'id', type: 'integer', isPrimary: true },
          ...columns('bigint', 'input_tokens', 'output_tokens', 'micros'),
        ],
      },
    ];
  }
}
