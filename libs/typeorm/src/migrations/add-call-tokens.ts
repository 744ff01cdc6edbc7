import { type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';

const CALLS = 'tool_search_calls';

/** Adds the tokens of definitions and results. Instances of an earlier version can ignore them: they write NULL. */
export class AddCallTokens implements MigrationInterface {
  readonly name = 'AddCallTokens1764979200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn(CALLS, new TableColumn({ name: 'tool_tokens', type: 'text', isNullable: true }));
    await runner.addColumn(CALLS, new TableColumn({ name: 'result_tokens', type: 'bigint', isNullable: true }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns(CALLS, ['tool_tokens', 'result_tokens']);
  }
}
