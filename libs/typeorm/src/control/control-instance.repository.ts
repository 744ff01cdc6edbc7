import type { ControlInstance } from '@tool-search/core/stores';
import { Repository } from 'typeorm';
import { type BigInteger, Sql } from '../database/sql.js';
import type { ControlInstanceEntity } from './control-instance.entity.js';

/**
 * The repository of the application processes that share the control store: the methods of TypeORM, and the statements of
 * the store. Injectable where `ToolSearchTypeOrmModule` is imported.
 */
export class ControlInstanceRepository extends Repository<ControlInstanceEntity> {
  readonly #sql = new Sql(this.manager);

  /** Returns the instances that sent a heartbeat within this time, by id. */
  async listAlive(withinMs: number): Promise<readonly ControlInstance[]> {
    const { now } = this.#sql;
    const { records } = await this.#sql.run<{ id: string; appliedRevision: BigInteger; silentMs: BigInteger }>(
      this.#sql.text(
        this.target,
        'listAlive',
        (table) =>
          `SELECT id, applied_revision AS "appliedRevision", ${now} - seen_at AS "silentMs" FROM ${table} ` +
          `WHERE seen_at >= ${now} - ? ORDER BY id`,
      ),
      [withinMs],
    );
    return records.map(({ id, appliedRevision, silentMs }) => {
      return { id, appliedRevision: Number(appliedRevision), silentMs: Math.max(0, Number(silentMs)) };
    });
  }

  /** Writes a heartbeat. Returns the time of the database's clock, in epoch milliseconds. */
  async beat(id: string, appliedRevision: number): Promise<number> {
    const { now } = this.#sql;
    const { records } = await this.#sql.run<{ seen_at: BigInteger }>(
      this.#sql.text(
        this.target,
        'beat',
        (table) =>
          `INSERT INTO ${table} (id, applied_revision, seen_at) VALUES (?, ?, ${now}) ON CONFLICT (id) ` +
          'DO UPDATE SET applied_revision = excluded.applied_revision, seen_at = excluded.seen_at RETURNING seen_at',
      ),
      [id, appliedRevision],
    );
    return Number(records[0]?.seen_at);
  }

  /** Removes the instances that have been silent for longer. */
  async forgetSilent(forMs: number): Promise<void> {
    const { now } = this.#sql;
    await this.#sql.run(`DELETE FROM ${this.#sql.table(this.target)} WHERE seen_at < ${now} - ?`, [forMs]);
  }
}
