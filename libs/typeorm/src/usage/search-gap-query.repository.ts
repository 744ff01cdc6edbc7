import { byUses, type GapKind, type GapQuery, type GapQueryEntry } from '@tool-search/core/stores';
import { Repository } from 'typeorm';
import { addRows, sweepRows, trimRows } from '../database/row-statements.js';
import { Sql } from '../database/sql.js';
import type { SearchGapQueryEntity } from './search-gap-query.entity.js';

/** Statements on the texts of searches that found no suitable tool. */
export class SearchGapQueryRepository extends Repository<SearchGapQueryEntity> {
  readonly #sql = new Sql(this.manager);

  /** Returns the texts of a tenant, the most used first. */
  async listOf(tenantId: string, kind?: GapKind): Promise<readonly GapQuery[]> {
    const found = await this.findBy({ tenantId, ...(kind !== undefined && { kind }) });
    // Sorted here, because databases order letters differently.
    return found.map(({ kind: of, query, uses, lastUsedAt }) => ({ kind: of, query, uses, lastUsedAt })).sort(byUses);
  }

  /** Adds texts, or their uses to those of the same text. */
  add(rows: readonly GapQueryEntry[]): Promise<void> {
    return addRows(this.#sql, this.target, { rows, counts: ['uses'], latest: 'lastUsedAt' });
  }

  /** Removes the least recently used texts of a tenant beyond a limit. */
  trim(tenantId: string, limit: number): Promise<void> {
    return trimRows(this.#sql, this.target, { tenant_id: tenantId }, limit);
  }

  /** Removes the texts of a tenant, or of all. Returns their number. */
  async reset(tenantId?: string): Promise<number> {
    const deletion = this.createQueryBuilder().delete();
    const { affected } = await (tenantId === undefined ? deletion : deletion.where({ tenantId })).execute();
    return affected ?? 0;
  }

  /** Removes up to `batch` texts that were last used before a time, the oldest first. Returns their number. */
  sweep(before: number, batch: number): Promise<number> {
    return sweepRows(this.#sql, this.target, 'last_used_at', before, batch);
  }
}
