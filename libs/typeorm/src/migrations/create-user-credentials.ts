import { columns, keys, TableMigration } from './table-migration.js';

export class CreateUserCredentials extends TableMigration {
  readonly name = 'CreateUserCredentials1764892800000';

  protected tables() {
    const owner = columns('text', 'tenant_id', 'user_id', 'owner', 'source');
    return [
      {
        name: 'tool_search_user_credentials',
        columns: [
          ...keys('id'),
          ...owner,
          ...columns('text', 'sealed', 'version'),
          ...columns('bigint', 'expires_at', 'connected_at', 'changed_at', 'leased_until'),
        ],
      },
      {
        name: 'tool_search_connect_attempts',
        columns: [
          ...keys('credential_id'),
          ...owner,
          ...columns('text', 'id', 'sealed'),
          ...columns('bigint', 'expires_at'),
        ],
        indices: [
          { name: 'ux_tool_search_connect_attempts_id', columnNames: ['id'], isUnique: true },
          { name: 'ix_tool_search_connect_attempts_expires_at', columnNames: ['expires_at'] },
        ],
      },
    ];
  }
}
