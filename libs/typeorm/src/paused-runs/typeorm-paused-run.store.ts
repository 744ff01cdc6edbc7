import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { MAX_PAUSED_RUNS, type PausedRun, PausedRunStore, type RunKey } from '@tool-search/core/stores';
import { type DataSource, LessThan, type Repository } from 'typeorm';
import { sweepRows } from '../database/row-statements.js';
import { Sql } from '../database/sql.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { PausedRunEntity } from './paused-run.entity.js';

/** Stores paused runs in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmPausedRunStore extends PausedRunStore {
  readonly #sql: Sql;
  readonly #table: string;
  readonly #runs: Repository<PausedRunEntity>;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource.manager);
    this.#table = this.#sql.table(PausedRunEntity);
    this.#runs = dataSource.getRepository(PausedRunEntity);
  }

  override async save({ sessionId = '', ...run }: PausedRun, maxPerTenant = MAX_PAUSED_RUNS): Promise<void> {
    await this.#runs.upsert({ ...run, sessionId }, ['tenantId', 'userId', 'runId']);
    const { tenantId } = run;
    const [oldest] = await this.#runs.find({
      select: { tenantId: true, userId: true, runId: true, pausedAt: true },
      where: { tenantId },
      order: { pausedAt: 'DESC' },
      skip: maxPerTenant - 1,
      take: 1,
    });
    if (oldest) await this.#runs.delete({ tenantId, pausedAt: LessThan(oldest.pausedAt) });
  }

  override async find({ tenantId, userId, runId }: RunKey): Promise<PausedRun | undefined> {
    const { records } = await this.#sql.run<PausedRun & { tools: string }>(
      'SELECT session_id AS "sessionId", paused_at AS "pausedAt", catalog_digest AS "catalogDigest", control_revision ' +
        `AS "controlRevision", tools FROM ${this.#table} WHERE tenant_id = ? AND user_id = ? AND run_id = ?`,
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

  override sweep(before: number, batch: number): Promise<number> {
    return sweepRows(this.#sql, PausedRunEntity, 'paused_at', before, batch);
  }
}
