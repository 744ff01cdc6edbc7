import { columns, keys, TableMigration } from './table-migration.js';

const RESULTS = 'tool_search_held_results';

/** Creates the results that were too large for a model, and their parts. */
export class CreateHeldResults extends TableMigration {
  readonly name = 'CreateHeldResults1764633600000';

  protected tables(isPostgres: boolean) {
    return [
      {
        name: RESULTS,
        columns: [
          ...keys('handle'),
          ...columns('text', 'tenant_id', 'user_id', 'agent', 'tool'),
          ...columns('integer', 'length'),
          ...columns('boolean', 'complete'),
          ...columns('bigint', 'held_at', 'expires_at'),
        ],
        indices: [
          { name: 'ix_tool_search_held_results_of_tenant', columnNames: ['tenant_id', 'held_at'] },
          { name: 'ix_tool_search_held_results_expires_at', columnNames: ['expires_at'] },
        ],
      },
      {
        name: 'tool_search_held_result_parts',
        columns: [
          ...keys('handle'),
          { name: 'part', type: 'integer', isPrimary: true },
          ...columns(isPostgres ? 'bytea' : 'blob', 'bytes'),
        ],
        foreignKeys: [
          {
            name: 'fk_tool_search_held_result_parts_result',
            columnNames: ['handle'],
            referencedTableName: RESULTS,
            referencedColumnNames: ['handle'],
          },
        ],
      },
    ];
  }
}
