import { columns, keys, TableMigration } from './table-migration.js';

const SCOPES = 'tool_search_activation_scopes';
const SCOPE_KEY = ['tenant_id', 'user_id', 'scope', 'scope_id'];

export class CreateActivations extends TableMigration {
  readonly name = 'CreateActivations1763769600000';

  protected tables() {
    return [
      {
        name: SCOPES,
        columns: [...keys(...SCOPE_KEY), ...columns('bigint', 'used_at')],
        indices: [{ name: 'ix_tool_search_activation_scopes_used_at', columnNames: ['used_at'] }],
      },
      {
        name: 'tool_search_activations',
        columns: [
          ...keys(...SCOPE_KEY, 'tool'),
          ...columns('text', 'reason'),
          ...columns('integer', 'tokens'),
          ...columns('bigint', 'activated_at'),
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
      },
    ];
  }
}
