import type { QueryRunner } from 'typeorm';
import { ControlHeadEntity } from '../control/control-head.entity.js';
import { Sql } from '../database/sql.js';
import { columns, keys, TableMigration } from './table-migration.js';

export class CreateControl extends TableMigration {
  readonly name = 'CreateControl1764028800000';

  override async up(runner: QueryRunner): Promise<void> {
    await super.up(runner);
    const head = new Sql(runner.manager).table(ControlHeadEntity);
    await runner.query(`INSERT INTO ${head} (id, revision, seq, hash) VALUES (1, 0, 0, '')`);
  }

  protected tables() {
    return [
      {
        name: 'tool_search_control_records',
        columns: [
          ...keys('kind', 'key'),
          ...columns('text', 'tenant_id', 'value'),
          ...columns('bigint', 'expires_at', 'revision'),
        ],
        indices: [
          { name: 'ix_tool_search_control_records_tenant', columnNames: ['kind', 'tenant_id', 'key'] },
          { name: 'ix_tool_search_control_records_expires_at', columnNames: ['kind', 'expires_at'] },
        ],
      },
      {
        name: 'tool_search_control_head',
        columns: [
          { name: 'id', type: 'integer', isPrimary: true },
          ...columns('bigint', 'revision', 'seq'),
          ...columns('text', 'hash'),
        ],
      },
      {
        name: 'tool_search_audit',
        columns: [
          { name: 'seq', type: 'bigint', isPrimary: true },
          ...columns('bigint', 'revision', 'at'),
          ...columns('text', 'actor', 'action', 'subject', 'tenant_id', 'reason'),
          ...columns('text', 'before', 'after').map((column) => ({ ...column, isNullable: true })),
          ...columns('text', 'idempotency_key', 'prev_hash', 'hash'),
        ],
        indices: [
          {
            name: 'ux_tool_search_audit_idempotency_key',
            columnNames: ['idempotency_key'],
            isUnique: true,
            where: "idempotency_key <> ''",
          },
          { name: 'ix_tool_search_audit_tenant', columnNames: ['tenant_id', 'seq'] },
        ],
      },
      {
        name: 'tool_search_instances',
        columns: [...keys('id'), ...columns('bigint', 'applied_revision', 'seen_at')],
      },
    ];
  }
}
