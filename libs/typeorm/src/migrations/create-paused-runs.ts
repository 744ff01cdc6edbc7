import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

const RUNS = 'tool_search_paused_runs';

/** Creates paused runs, the same on SQLite and PostgreSQL. */
export class CreatePausedRuns implements MigrationInterface {
  readonly name = 'CreatePausedRuns1764115200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: RUNS,
        columns: [
          ...['tenant_id', 'user_id', 'run_id'].map((name) => ({ name, type: 'text', isPrimary: true })),
          { name: 'session_id', type: 'text' },
          { name: 'paused_at', type: 'bigint' },
          { name: 'catalog_digest', type: 'text' },
          { name: 'control_revision', type: 'bigint' },
          { name: 'tools', type: 'text' },
        ],
        indices: [
          { name: 'ix_tool_search_paused_runs_paused_at', columnNames: ['paused_at'] },
          { name: 'ix_tool_search_paused_runs_of_tenant', columnNames: ['tenant_id', 'paused_at'] },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(RUNS);
  }
}
