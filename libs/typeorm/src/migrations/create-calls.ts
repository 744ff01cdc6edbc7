import { columns, keys, TableMigration } from './table-migration.js';

const FAILED = "outcome <> 'ok'";

/** Creates the record of calls. */
export class CreateCalls extends TableMigration {
  readonly name = 'CreateCalls1764806400000';

  protected tables(isPostgres: boolean) {
    const index = (name: string, ...columnNames: readonly string[]) => ({
      name: `ix_tool_search_calls_${name}`,
      columnNames: [...columnNames, 'id'],
    });
    // Each index makes a write dearer; those of refused and failed calls hold only these. On PostgreSQL every filter has one; on SQLite writes block the event loop.
    const more = [
      index('user', 'tenant_id', 'user_id'),
      index('session', 'session_id'),
      index('tenant_tool', 'tenant_id', 'tool'),
      { ...index('tenant_failed', 'tenant_id', 'outcome'), where: FAILED },
      index('kind', 'kind'),
    ];
    return [
      {
        name: 'tool_search_calls',
        columns: [
          ...keys('id'),
          ...columns('bigint', 'at'),
          ...columns('text', 'kind', 'tenant_id', 'user_id', 'session_id', 'run_id', 'agent_ids'),
          ...columns('integer', 'step'),
          ...columns('text', 'call_id', 'tool', 'definition_hash', 'decision', 'layer', 'rule', 'reason', 'outcome'),
          ...columns('bigint', 'control_revision', 'catalog_revision'),
          ...columns('text', 'policy_hash'),
          ...columns('integer', 'narrowed'),
          ...columns('bigint', 'us', 'argument_bytes', 'result_bytes'),
          ...columns('integer', 'cached'),
          ...columns('text', 'tools'),
          ...columns('integer', 'tool_count'),
          ...columns('text', 'arguments', 'result').map((column) => ({ ...column, isNullable: true })),
        ],
        indices: [
          index('tenant', 'tenant_id'),
          index('run', 'run_id'),
          index('tool', 'tool'),
          { ...index('refused', 'layer'), where: "layer <> 'approval'" },
          { ...index('failed', 'outcome'), where: FAILED },
          ...(isPostgres ? more : []),
        ],
      },
    ];
  }
}
