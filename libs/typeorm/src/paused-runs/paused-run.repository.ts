import type { PausedRun, RunKey } from '@tool-search/core/stores';
import { LessThan, Repository } from 'typeorm';
import { sweepRows } from '../database/row-statements.js';
import { type BigInteger, Sql } from '../database/sql.js';
import type { PausedRunEntity } from './paused-run.entity.js';

/**
 * The repository of paused runs: the methods of TypeORM, and the statements of their store. Injectable where
 * `ToolSearchTypeOrmModule` is imported. To pause a run, use its toolbox.
 */
export class PausedRunRepository extends Repository<PausedRunEntity> {
  readonly #sql = new Sql(this.manager);

  /** Returns a paused run; undefined if there is none. */
  async findRun({ tenantId, userId, runId }: RunKey): Promise<PausedRun | undefined> {
    const { records } = await this.#sql.run<RunRow>(
      this.#sql.text(
        this.target,
        'findRun',
        (table) =>
          'SELECT session_id AS "sessionId", paused_at AS "pausedAt", catalog_digest AS "catalogDigest", control_revision ' +
          `AS "controlRevision", tools FROM ${table} WHERE tenant_id = ? AND user_id = ? AND run_id = ?`,
      ),
      [tenantId, userId, runId],
    );
    if (!records[0]) return undefined;
    const { sessionId, pausedAt, catalogDigest, controlRevision, tools } = records[0];
    return {
      tenantId,
      userId,
      runId,
      ...(sessionId !== '' && { sessionId }),
      pausedAt: Number(pausedAt),
      catalogDigest,
      controlRevision: Number(controlRevision),
      tools: JSON.parse(tools) as PausedRun['tools'],
    };
  }

  /** Inserts a paused run, or replaces the earlier state of it. */
  async put({ sessionId = '', ...run }: PausedRun): Promise<void> {
    await this.upsert({ ...run, sessionId }, ['tenantId', 'userId', 'runId']);
  }

  /** Removes the runs of a tenant that were paused before its newest `limit`. */
  async trim(tenantId: string, limit: number): Promise<void> {
    const [oldest] = await this.find({
      select: { tenantId: true, userId: true, runId: true, pausedAt: true },
      where: { tenantId },
      order: { pausedAt: 'DESC' },
      skip: limit - 1,
      take: 1,
    });
    if (oldest) await this.delete({ tenantId, pausedAt: LessThan(oldest.pausedAt) });
  }

  /** Removes up to `batch` runs that were paused before a time, the oldest first. Returns their number. */
  sweep(before: number, batch: number): Promise<number> {
    return sweepRows(this.#sql, this.target, 'paused_at', before, batch);
  }
}

interface RunRow extends Pick<PausedRun, 'catalogDigest'> {
  readonly sessionId: string;
  readonly pausedAt: BigInteger;
  readonly controlRevision: BigInteger;
  readonly tools: string;
}
