import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

const LEDGER = 'tool_search_token_ledger';
const GAPS = 'tool_search_search_gaps';
const QUERIES = 'tool_search_search_gap_queries';

const keys = (...names: string[]) => names.map((name) => ({ name, type: 'text', isPrimary: true }));
const numbers = (...names: string[]) => names.map((name) => ({ name, type: 'bigint' }));
const HOUR = { name: 'hour', type: 'bigint', isPrimary: true };

/** Creates token counts and search gaps, the same on SQLite and PostgreSQL. */
export class CreateUsage implements MigrationInterface {
  readonly name = 'CreateUsage1764374400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: LEDGER,
        columns: [
          ...keys('tenant_id', 'user_id', 'session_id', 'tokenizer'),
          HOUR,
          ...numbers('steps', 'full_tokens', 'shown_tokens'),
          ...numbers('meta_calls', 'search_tokens', 'cache_kept', 'cache_broken'),
        ],
        indices: [{ name: 'ix_tool_search_token_ledger_hour', columnNames: ['hour'] }],
      }),
    );
    await runner.createTable(
      new Table({
        name: GAPS,
        columns: [...keys('tenant_id'), HOUR, ...numbers('searches', 'zero_hits', 'unused', 'loops')],
        indices: [{ name: 'ix_tool_search_search_gaps_hour', columnNames: ['hour'] }],
      }),
    );
    await runner.createTable(
      new Table({
        name: QUERIES,
        columns: [...keys('tenant_id', 'kind', 'query'), ...numbers('uses', 'last_used_at')],
        indices: [{ name: 'ix_tool_search_search_gap_queries_last_used_at', columnNames: ['last_used_at'] }],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [QUERIES, GAPS, LEDGER]) await runner.dropTable(table);
  }
}
