import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions } from 'typeorm';
import { dialectOf } from '../database/dialect.js';
import { ControlHeadEntity } from '../control/control-head.entity.js';

const RECORDS = 'tool_search_control_records';
const HEAD = 'tool_search_control_head';
const AUDIT = 'tool_search_audit';
const INSTANCES = 'tool_search_instances';

const column = (type: string, isPrimary = false) => {
  return (name: string): TableColumnOptions => ({ name, type, isPrimary });
};
const text = column('text');
const bigint = column('bigint');

/** Creates operators' decisions, the head row, audit trail and instances, the same on SQLite and PostgreSQL. */
export class CreateControl implements MigrationInterface {
  readonly name = 'CreateControl1764028800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: RECORDS,
        columns: [
          ...['kind', 'key'].map(column('text', true)),
          ...['tenant_id', 'value'].map(text),
          ...['expires_at', 'revision'].map(bigint),
        ],
        indices: [
          { name: 'ix_tool_search_control_records_tenant', columnNames: ['kind', 'tenant_id', 'key'] },
          { name: 'ix_tool_search_control_records_expires_at', columnNames: ['kind', 'expires_at'] },
        ],
      }),
    );
    await runner.createTable(
      new Table({
        name: HEAD,
        columns: [column('integer', true)('id'), bigint('revision'), bigint('seq'), text('hash')],
      }),
    );
    const head = dialectOf(runner.connection).table(ControlHeadEntity);
    await runner.query(`INSERT INTO ${head} (id, revision, seq, hash) VALUES (1, 0, 0, '')`);
    await runner.createTable(
      new Table({
        name: AUDIT,
        columns: [
          column('bigint', true)('seq'),
          ...['revision', 'at'].map(bigint),
          ...['actor', 'action', 'subject', 'tenant_id', 'reason'].map(text),
          ...['before', 'after'].map((name) => ({ ...text(name), isNullable: true })),
          ...['idempotency_key', 'prev_hash', 'hash'].map(text),
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
      }),
    );
    await runner.createTable(
      new Table({
        name: INSTANCES,
        columns: [column('text', true)('id'), bigint('applied_revision'), bigint('seen_at')],
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [INSTANCES, AUDIT, HEAD, RECORDS]) await runner.dropTable(table);
  }
}
