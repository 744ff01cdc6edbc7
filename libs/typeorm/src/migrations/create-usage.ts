import { columns, keys, TableMigration } from './table-migration.js';

const HOUR = { name: 'hour', type: 'bigint', isPrimary: true };

export class CreateUsage extends TableMigration {
  readonly name = 'CreateUsage1764374400000';

  protected tables() {
    const tokens = [
      'steps',
      'full_tokens',
      'shown_tokens',
      'meta_calls',
      'search_tokens',
      'cache_kept',
      'cache_broken',
    ];
    return [
      {
        name: 'tool_search_token_ledger',
        columns: [...keys('tenant_id', 'user_id', 'session_id', 'tokenizer'), HOUR, ...columns('bigint', ...tokens)],
        indices: [{ name: 'ix_tool_search_token_ledger_hour', columnNames: ['hour'] }],
      },
      {
        name: 'tool_search_search_gaps',
        columns: [...keys('tenant_id'), HOUR, ...columns('bigint', 'searches', 'zero_hits', 'unused', 'loops')],
        indices: [{ name: 'ix_tool_search_search_gaps_hour', columnNames: ['hour'] }],
      },
      {
        name: 'tool_search_search_gap_queries',
        columns: [...keys('tenant_id', 'kind', 'query'), ...columns('bigint', 'uses', 'last_used_at')],
        indices: [{ name: 'ix_tool_search_search_gap_queries_last_used_at', columnNames: ['last_used_at'] }],
      },
    ];
  }
}
