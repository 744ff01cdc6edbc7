import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { byLastUse, type LearnedQuery, LearnedQueryStore, type LearningLimits } from '@tool-search/core/stores';
import type { DataSource } from 'typeorm';
import { trimRows } from '../database/row-statements.js';
import { Sql } from '../database/sql.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { LearnedQueryEntity } from './learned-query.entity.js';

/** Stores learned queries in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmLearnedQueryStore extends LearnedQueryStore {
  readonly #sql: Sql;
  readonly #table: string;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource);
    this.#table = this.#sql.table(LearnedQueryEntity);
  }

  override async list(tenantId: string): Promise<readonly LearnedQuery[]> {
    const { records } = await this.#sql.run<LearnedQuery>(
      `SELECT tool, query, uses, last_used_at AS "lastUsedAt" FROM ${this.#table} WHERE tenant_id = ?`,
      [tenantId],
    );
    // Sorted here, because databases order letters differently.
    return records
      .map(({ tool, query, uses, lastUsedAt }) => ({ tool, query, uses, lastUsedAt: Number(lastUsedAt) }))
      .sort(byLastUse);
  }

  override async learn(
    tenantId: string,
    tool: string,
    query: string,
    now: number,
    limits: LearningLimits,
  ): Promise<void> {
    const { records } = await this.#sql.run<{ uses: number }>(
      `INSERT INTO ${this.#table} AS known (tenant_id, tool, query, uses, last_used_at) ` +
        'VALUES (?, ?, ?, 1, ?) ON CONFLICT (tenant_id, tool, query) DO UPDATE SET uses = known.uses + 1, last_used_at = ' +
        'CASE WHEN known.last_used_at < excluded.last_used_at THEN excluded.last_used_at ELSE known.last_used_at END RETURNING uses',
      [tenantId, tool, query, now],
    );
    // Only a new query can exceed the limit.
    if (records[0]?.uses !== 1) return;
    await trimRows(this.#sql, LearnedQueryEntity, { tenant_id: tenantId, tool }, limits.perTool);
    await trimRows(this.#sql, LearnedQueryEntity, { tenant_id: tenantId }, limits.perTenant);
  }

  override async forget(tenantId: string, { tool, query }: { tool?: string; query?: string } = {}): Promise<number> {
    const { affected } = await this.dataSource.getRepository(LearnedQueryEntity).delete({
      tenantId,
      ...(tool !== undefined && { tool }),
      ...(query !== undefined && { query }),
    });
    return affected ?? 0;
  }
}
