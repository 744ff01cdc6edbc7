import { type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';

const ACTIVATIONS = 'tool_search_activations';

/**
 * Adds the time of last use to activations, the same on SQLite and PostgreSQL. Instances of an earlier version can
 * ignore it.
 */
export class AddActivationLastUse implements MigrationInterface {
  readonly name = 'AddActivationLastUse1764288000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn(ACTIVATIONS, new TableColumn({ name: 'last_used_at', type: 'bigint', default: 0 }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumn(ACTIVATIONS, 'last_used_at');
  }
}
