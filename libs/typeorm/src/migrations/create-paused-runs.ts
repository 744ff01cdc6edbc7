import { columns, keys, TableMigration } from './table-migration.js';

export class CreatePausedRuns extends TableMigration {
  readonly name = 'CreatePausedRuns1764115200000';

  protected tables() {
    return [
      {
        name: 'tool_search_paused_runs',
        columns: [
          ...keys('tenant_id', 'user_id', 'run_id'),
          ...columns('text', 'session_id'),
          ...columns('bigint', 'paused_at'),
          ...columns('text', 'catalog_digest'),
          ...columns('bigint', 'control_revision'),
          ...columns('text', 'tools'),
        ],
        indices: [
          { name: 'ix_tool_search_paused_runs_paused_at', columnNames: ['paused_at'] },
          { name: 'ix_tool_search_paused_runs_of_tenant', columnNames: ['tenant_id', 'paused_at'] },
        ],
      },
    ];
  }
}
