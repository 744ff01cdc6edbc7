import { type MigrationInterface, type QueryRunner, TableColumn, TableIndex } from 'typeorm';
import { ControlRecordEntity } from '../control/control-record.entity.js';
import { Sql } from '../database/sql.js';

const RECORDS = 'tool_search_control_records';
const INDEX = 'ix_tool_search_control_records_open';

/**
 * Adds who asked for an undecided record, with an index that counts them. Instances of an earlier version can ignore it:
 * what they ask for meanwhile counts for its tenant, and for no user.
 */
export class AddControlAsker implements MigrationInterface {
  readonly name = 'AddControlAsker1764547200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn(RECORDS, new TableColumn({ name: 'asked_by', type: 'text', default: "''" }));
    const sql = new Sql(runner.manager);
    const userId = sql.isPostgres ? "CAST(value AS json) ->> 'userId'" : "json_extract(value, '$.userId')";
    const records = sql.table(ControlRecordEntity);
    await runner.query(`UPDATE ${records} SET asked_by = coalesce(${userId}, '') WHERE revision = 0`);
    const columnNames = ['kind', 'tenant_id', 'asked_by'];
    await runner.createIndex(RECORDS, new TableIndex({ name: INDEX, columnNames, where: 'revision = 0' }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex(RECORDS, INDEX);
    await runner.dropColumn(RECORDS, 'asked_by');
  }
}
