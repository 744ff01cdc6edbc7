import { columns, keys, TableMigration } from './table-migration.js';

export class CreateLimitCounters extends TableMigration {
  readonly name = 'CreateLimitCounters1764720000000';

  protected tables() {
    return [
      {
        name: 'tool_search_limit_counters',
        columns: [...keys('key'), ...columns('text', 'state'), ...columns('bigint', 'expires_at')],
        indices: [{ name: 'ix_tool_search_limit_counters_expires_at', columnNames: ['expires_at'] }],
      },
    ];
  }
}
