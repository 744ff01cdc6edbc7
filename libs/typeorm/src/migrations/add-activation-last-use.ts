import { type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';

const ACTIVATIONS = 'tool_search_activations';

/** When each activated tool was last used, the same on SQLite and PostgreSQL; instances of an earlier version need not know. */
export class AddActivationLastUse implements MigrationInterface {
  readonly name = 'AddActivationLastUse1764288000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn(ACTIVATIONS, new TableColumn({ name: 'last_used_at', type: 'bigint', default: 0 }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn(ACTIVATIONS, 'last_used_at');
  }
}
