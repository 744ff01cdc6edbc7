import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type LearnedQuery, LearnedQueryStore, type LearningLimits } from '@tool-search/core/stores';
import type { DataSource } from 'typeorm';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { LearnedQueryEntity } from './learned-query.entity.js';
import { LearnedQueryRepository } from './learned-query.repository.js';

/** Stores learned queries in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmLearnedQueryStore extends LearnedQueryStore {
  readonly #queries: LearnedQueryRepository;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) { manager }: DataSource) {
    super();
    this.#queries = new LearnedQueryRepository(LearnedQueryEntity, manager);
  }

  override list(tenantId: string): Promise<readonly LearnedQuery[]> {
    return this.#queries.listOf(tenantId);
  }

  override async learn(
    tenantId: string,
    tool: string,
    query: string,
    now: number,
    limits: LearningLimits,
  ): Promise<void> {
    // Only a new query can exceed the limit.
    if ((await this.#queries.addUse(tenantId, tool, query, now)) !== 1) return;
    await this.#queries.trim(tenantId, limits.perTool, tool);
    await this.#queries.trim(tenantId, limits.perTenant);
  }

  override async forget(tenantId: string, { tool, query }: { tool?: string; query?: string } = {}): Promise<number> {
    const { affected } = await this.#queries.delete({
      tenantId,
      ...(tool !== undefined && { tool }),
      ...(query !== undefined && { query }),
    });
    return affected ?? 0;
  }
}
