import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  byUses,
  type GapEntry,
  type GapFilter,
  type GapKind,
  type GapQuery,
  type GapQueryEntry,
  SearchGapStore,
  type TenantGaps,
} from '@tool-search/core/stores';
import { type DataSource, MoreThanOrEqual } from 'typeorm';
import { addRows, sweepRows, trimRows } from '../database/row-statements.js';
import { Sql } from '../database/sql.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { SearchGapEntity } from './search-gap.entity.js';
import { SearchGapQueryEntity } from './search-gap-query.entity.js';

const COUNTS = ['searches', 'zeroHits', 'unused', 'loops'] as const;

/** Stores search gaps in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmSearchGapStore extends SearchGapStore {
  readonly #sql: Sql;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource.manager);
  }

  override async add(rows: readonly GapEntry[]): Promise<void> {
    await addRows(this.#sql, SearchGapEntity, { rows, counts: COUNTS });
  }

  override async sums(
    { tenantId, since = 0 }: GapFilter,
    { limit, after }: { limit: number; after?: string },
  ): Promise<readonly TenantGaps[]> {
    const query = this.dataSource
      .createQueryBuilder(SearchGapEntity, 'gap')
      .select('gap.tenantId', 'tenantId')
      .where({ hour: MoreThanOrEqual(since), ...(tenantId !== undefined && { tenantId }) })
      .groupBy('gap.tenantId')
      .orderBy('gap.tenantId')
      .limit(limit);
    for (const name of COUNTS) query.addSelect(`SUM(gap.${name})`, name);
    if (after !== undefined) query.andWhere('gap.tenantId > :after', { after });
    // PostgreSQL sends sums as text.
    return (await query.getRawMany<TenantGaps>()).map((row) => ({
      ...row,
      ...(Object.fromEntries(COUNTS.map((name) => [name, Number(row[name])])) as Record<
        (typeof COUNTS)[number],
        number
      >),
    }));
  }

  override async addQueries(rows: readonly GapQueryEntry[], maxPerTenant: number): Promise<void> {
    await addRows(this.#sql, SearchGapQueryEntity, { rows, counts: ['uses'], latest: 'lastUsedAt' });
    // If a trim fails, the next write trims the rows above the limit.
    for (const tenantId of new Set(rows.map((row) => row.tenantId))) {
      await trimRows(this.#sql, SearchGapQueryEntity, { tenant_id: tenantId }, maxPerTenant).catch(() => undefined);
    }
  }

  override async queries(tenantId: string, kind?: GapKind): Promise<readonly GapQuery[]> {
    const where = { tenantId, ...(kind !== undefined && { kind }) };
    const found = await this.dataSource.getRepository(SearchGapQueryEntity).findBy(where);
    // Sorted here, because databases order letters differently.
    return found.map(({ kind: of, query, uses, lastUsedAt }) => ({ kind: of, query, uses, lastUsedAt })).sort(byUses);
  }

  override async reset(tenantId?: string): Promise<number> {
    let gone = 0;
    for (const entity of [SearchGapEntity, SearchGapQueryEntity]) {
      const deletion = this.dataSource.createQueryBuilder().delete().from(entity);
      const { affected } = await (tenantId === undefined ? deletion : deletion.where({ tenantId })).execute();
      gone += affected ?? 0;
    }
    return gone;
  }

  override async sweep(before: number, batch: number): Promise<number> {
    const counts = await sweepRows(this.#sql, SearchGapEntity, 'hour', before, batch);
    return counts + (await sweepRows(this.#sql, SearchGapQueryEntity, 'last_used_at', before, batch));
  }
}
