import { byLastUse, type LearnedQuery } from '@tool-search/core/stores';
import { Repository } from 'typeorm';
import { trimRows } from '../database/row-statements.js';
import { type BigInteger, Sql } from '../database/sql.js';
import type { LearnedQueryEntity } from './learned-query.entity.js';

/** The repository of learned queries: the methods of TypeORM, and the statements of their store. */
export class LearnedQueryRepository extends Repository<LearnedQueryEntity> {
  readonly #sql = new Sql(this.manager);

  /** Returns the queries of a tenant, the most recently used first. */
  async listOf(tenantId: string): Promise<readonly LearnedQuery[]> {
    const { records } = await this.#sql.run<Omit<LearnedQuery, 'lastUsedAt'> & { readonly lastUsedAt: BigInteger }>(
      this.#sql.text(
        this.target,
        'listOf',
        (table) => `SELECT tool, query, uses, last_used_at AS "lastUsedAt" FROM ${table} WHERE tenant_id = ?`,
      ),
      [tenantId],
    );
    // Sorted here, because databases order letters differently.
    return records
      .map(({ tool, query, uses, lastUsedAt }) => ({ tool, query, uses, lastUsedAt: Number(lastUsedAt) }))
      .sort(byLastUse);
  }

  /** Adds a query, or counts one more use of it. Returns its uses. */
  async addUse(tenantId: string, tool: string, query: string, now: number): Promise<number> {
    const { records } = await this.#sql.run<{ uses: number }>(
      `INSERT INTO ${this.#table} AS known (tenant_id, tool, query, uses, last_used_at) ` +
        'VALUES (?, ?, ?, 1, ?) ON CONFLICT (tenant_id, tool, query) DO UPDATE SET uses = known.uses + 1, last_used_at = ' +
        'CASE WHEN known.last_used_at < excluded.last_used_at THEN excluded.last_used_at ELSE known.last_used_at END RETURNING uses',
      [tenantId, tool, query, now],
    );
    return records[0]?.uses ?? 0;
  }

  /** Removes the least recently used queries beyond a limit: of a tenant, or of one of its tools. */
  trim(tenantId: string, limit: number, tool?: string): Promise<void> {
    const where = { tenant_id: tenantId, ...(tool !== undefined && { tool }) };
    return trimRows(this.#sql, this.target, where, limit);
  }

  get #table(): string {
    return this.#sql.table(this.target);
  }
}
