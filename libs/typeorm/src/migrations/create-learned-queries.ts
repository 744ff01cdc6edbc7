import { columns, keys, TableMigration } from './table-migration.js';

export class CreateLearnedQueries extends TableMigration {
  readonly name = 'CreateLearnedQueries1763942400000';

  protected tables() {
    const counts = [...columns('integer', 'uses'), ...columns('bigint', 'last_used_at')];
    return [{ name: 'tool_search_learned_queries', columns: [...keys('tenant_id', 'tool', 'query'), ...counts] }];
  }
}
