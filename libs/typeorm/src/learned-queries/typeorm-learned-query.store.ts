import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { byLastUse, type LearnedQuery, LearnedQueryStore, type LearningLimits } from '@tool-search/core';
import type { DataSource } from 'typeorm';
import { type Dialect, dialectOf } from '../database/dialect.js';
import { LearnedQueryEntity } from './learned-query.entity.js';
import { type BigInteger, type Parameter, runStatement, type StatementResult } from '../database/run-statement.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';

/** Stores learned queries in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmLearnedQueryStore extends LearnedQueryStore {
  readonly #dialect: Dialect;
  readonly #table: string;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#dialect = dialectOf(dataSource);
    this.#table = this.#dialect.table(LearnedQueryEntity);
  }

  override async list(tenantId: string): Promise<readonly LearnedQuery[]> {
    type Row = { tool: string; query: string; uses: number; last_used_at: BigInteger };
    const { records } = await this.#run<Row>(
      `SELECT tool, query, uses, last_used_at FROM ${this.#table} WHERE tenant_id = ?`,
      [tenantId],
    );
    // Sorted here, because databases order letters differently.
    return records
      .map(({ tool, query, uses, last_used_at }) => ({ tool, query, uses, lastUsedAt: Number(last_used_at) }))
      .sort(byLastUse);
  }

  override async learn(
    tenantId: string,
    tool: string,
    query: string,
    now: number,
    limits: LearningLimits,
  ): Promise<void> {
    const { records } = await this.#run<{ uses: number }>(
      `INSERT INTO ${this.#table} AS known (tenant_id, tool, query, uses, last_used_at) VALUES (?, ?, ?, 1, ?) ` +
        'ON CONFLICT (tenant_id, tool, query) DO UPDATE SET uses = known.uses + 1, last_used_at = ' +
        'CASE WHEN known.last_used_at < excluded.last_used_at THEN excluded.last_used_at ELSE known.last_used_at END RETURNING uses',
      [tenantId, tool, query, now],
    );
    // Only a new query can exceed the limit.
    if (records[0]?.uses !== 1) return;
    await this.#trim('tenant_id = ? AND tool = ?', [tenantId, tool], limits.perTool);
    await this.#trim('tenant_id = ?', [tenantId], limits.perTenant);
  }

  override async forget(tenantId: string, filter: { tool?: string; query?: string } = {}): Promise<number> {
    const parameters = [tenantId];
    let where = 'tenant_id = ?';
    for (const column of ['tool', 'query'] as const) {
      const value = filter[column];
      if (value === undefined) continue;
      where += ` AND ${column} = ?`;
      parameters.push(value);
    }
    const { affected = 0 } = await this.#run(`DELETE FROM ${this.#table} WHERE ${where}`, parameters);
    return affected;
  }

  // Reads without a lock, and skips rows that another transaction has locked, so that two trims never wait for each
  // other. A row that was used since it was read no longer matches and is kept.
  async #trim(where: string, parameters: readonly string[], limit: number): Promise<void> {
    const read = 'tenant_id, tool, query, last_used_at';
    const lock = this.#dialect.isPostgres
      ? `SELECT ${read} FROM ${this.#table} WHERE (${read}) IN (SELECT ${read} FROM beyond) FOR UPDATE SKIP LOCKED`
      : `SELECT ${read} FROM beyond`;
    // SQLite has no OFFSET without LIMIT.
    await this.#run(
      `WITH beyond AS (SELECT ${read} FROM ${this.#table} WHERE ${where} ` +
        `ORDER BY last_used_at DESC, tool, query LIMIT 1000 OFFSET ?), gone AS (${lock}) ` +
        `DELETE FROM ${this.#table} WHERE (tenant_id, tool, query) IN (SELECT tenant_id, tool, query FROM gone)`,
      [...parameters, limit],
    );
  }

  #run<Row>(sql: string, parameters: readonly Parameter[]): Promise<StatementResult<Row>> {
    return runStatement<Row>(this.dataSource, this.#dialect.numbered(sql), parameters);
  }
}
