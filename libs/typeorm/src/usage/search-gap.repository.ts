import type { GapEntry, GapFilter, TenantGaps } from '@tool-search/core/stores';
import { MoreThanOrEqual, Repository } from 'typeorm';
import { addRows, sweepRows } from '../database/row-statements.js';
import { Sql } from '../database/sql.js';
import type { SearchGapEntity } from './search-gap.entity.js';

const COUNTS = ['searches', 'zeroHits', 'unused', 'loops'] as const;

/**
 * The repository of search gaps: the methods of TypeORM, and the statements of their store. Injectable where
 * `ToolSearchTypeOrmModule` is imported.
 */
export class SearchGapRepository extends Repository<SearchGapEntity> {
  readonly #sql = new Sql(this.manager);

  /** Adds counts to those of the same tenant and hour. */
  add(rows: readonly GapEntry[]): Promise<void> {
    return addRows(this.#sql, this.target, { rows, counts: COUNTS });
  }

  /** Sums the matching counts of each tenant, a page of them in the order of tenants. */
  async sumTenants(
    { tenantId, since = 0 }: GapFilter,
    { limit, after }: { readonly limit: number; readonly after?: string },
  ): Promise<readonly TenantGaps[]> {
    const query = this.createQueryBuilder('gap')
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

  /** Removes the counts of a tenant, or of all. Returns their number. */
  async reset(tenantId?: string): Promise<number> {
    const deletion = this.createQueryBuilder().delete();
    const { affected } = await (tenantId === undefined ? deletion : deletion.where({ tenantId })).execute();
    return affected ?? 0;
  }

  /** Removes up to `batch` counts of hours before a time, the oldest first. Returns their number. */
  sweep(before: number, batch: number): Promise<number> {
    return sweepRows(this.#sql, this.target, 'hour', before, batch);
  }
}
