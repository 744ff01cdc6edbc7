import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type GapEntry,
  type GapFilter,
  type GapKind,
  type GapQuery,
  type GapQueryEntry,
  SearchGapStore,
  type TenantGaps,
} from '@tool-search/core/stores';
import type { DataSource } from 'typeorm';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { SearchGapEntity } from './search-gap.entity.js';
import { SearchGapRepository } from './search-gap.repository.js';
import { SearchGapQueryEntity } from './search-gap-query.entity.js';
import { SearchGapQueryRepository } from './search-gap-query.repository.js';

/** Stores search gaps in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmSearchGapStore extends SearchGapStore {
  readonly #gaps: SearchGapRepository;
  readonly #queries: SearchGapQueryRepository;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) { manager }: DataSource) {
    super();
    this.#gaps = new SearchGapRepository(SearchGapEntity, manager);
    this.#queries = new SearchGapQueryRepository(SearchGapQueryEntity, manager);
  }

  override add(rows: readonly GapEntry[]): Promise<void> {
    return this.#gaps.add(rows);
  }

  override sums(filter: GapFilter, page: { limit: number; after?: string }): Promise<readonly TenantGaps[]> {
    return this.#gaps.sumTenants(filter, page);
  }

  override async addQueries(rows: readonly GapQueryEntry[], maxPerTenant: number): Promise<void> {
    await this.#queries.add(rows);
    // If a trim fails, the next write trims the rows above the limit.
    for (const tenantId of new Set(rows.map((row) => row.tenantId))) {
      await this.#queries.trim(tenantId, maxPerTenant).catch(() => undefined);
    }
  }

  override queries(tenantId: string, kind?: GapKind): Promise<readonly GapQuery[]> {
    return this.#queries.listOf(tenantId, kind);
  }

  override async reset(tenantId?: string): Promise<number> {
    return (await this.#gaps.reset(tenantId)) + (await this.#queries.reset(tenantId));
  }

  override async sweep(before: number, batch: number): Promise<number> {
    return (await this.#gaps.sweep(before, batch)) + (await this.#queries.sweep(before, batch));
  }
}
