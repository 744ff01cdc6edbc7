import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';

const SCOPES = 'tool_search_activation_scopes';
const ACTIVATIONS = 'tool_search_activations';
const SCOPE_KEY = ['tenant_id', 'user_id', 'scope', 'scope_id'];

const key = (name: string): TableColumnOptions => ({ name, type: 'text', isPrimary: true });

/** Creates scopes and their activations, the same on SQLite and PostgreSQL. */
export class CreateActivations implements MigrationInterface {
  readonly name = 'CreateActivations1763769600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: SCOPES,
        columns: [...SCOPE_KEY.map(key), { name: 'used_at', type: 'bigint' }],
        indices: [{ name: 'ix_tool_search_activation_scopes_used_at', columnNames: ['used_at'] }],
      }),
    );
    await runner.createTable(
      new Table({
        name: ACTIVATIONS,
        columns: [
          ...[...SCOPE_KEY, 'tool'].map(key),
          { name: 'reason', type: 'text' },
          { name: 'tokens', type: 'integer' },
          { name: 'activated_at', type: 'bigint' },
        ],
        foreignKeys: [
          {
            name: 'fk_tool_search_activations_scope',
            columnNames: SCOPE_KEY,
            referencedTableName: SCOPES,
            referencedColumnNames: SCOPE_KEY,
            onDelete: 'CASCADE',
          },
        ],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable(ACTIVATIONS);
    await runner.dropTable(SCOPES);
  }
}
