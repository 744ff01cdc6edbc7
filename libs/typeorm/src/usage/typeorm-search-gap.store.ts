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
} from '@tool-search/core';
import type { DataSource } from 'typeorm';
import { type Dialect, dialectOf } from '../database/dialect.js';
import { type BigInteger, type Parameter, runStatement, type StatementResult } from '../database/run-statement.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { addRows } from './add-rows.js';
import { SearchGapEntity } from './search-gap.entity.js';
import { SearchGapQueryEntity } from './search-gap-query.entity.js';
import { sweepRows } from './sweep-rows.js';

const COUNTS = ['searches', 'zero_hits', 'unused', 'loops'];
const KEYS = ['tenant_id', 'hour'];
const QUERY_KEYS = ['tenant_id', 'kind', 'query'];

/** Stores search gaps in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmSearchGapStore extends SearchGapStore {
  readonly #dialect: Dialect;
  readonly #counts: string;
  readonly #queries: string;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#dialect = dialectOf(dataSource);
    this.#counts = this.#dialect.table(SearchGapEntity);
    this.#queries = this.#dialect.table(SearchGapQueryEntity);
  }

  override async add(entries: readonly GapEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = entries.map(({ tenantId, hour, searches, zeroHits, unused, loops }) => [
      tenantId,
      hour,
      searches,
      zeroHits,
      unused,
      loops,
    ]);
    const { sql, parameters } = addRows(this.#dialect, { table: this.#counts, keys: KEYS, counts: COUNTS }, rows);
    await runStatement(this.dataSource, sql, parameters);
  }

  override async sums(
    { tenantId, since = 0 }: GapFilter,
    { limit, after }: { limit: number; after?: string },
  ): Promise<readonly TenantGaps[]> {
    type Row = { tenant_id: string } & Readonly<Record<'searches' | 'zero_hits' | 'unused' | 'loops', BigInteger>>;
    const ofTenant = tenantId === undefined ? '' : ' AND tenant_id = ?';
    const behind = after === undefined ? '' : ' AND tenant_id > ?';
    const asked = [tenantId, after].filter((value) => value !== undefined);
    const { records } = await this.#run<Row>(
      `SELECT tenant_id, ${COUNTS.map((name) => `SUM(${name}) AS ${name}`).join(', ')} FROM ${this.#counts} ` +
        `WHERE hour >= ?${ofTenant}${behind} GROUP BY tenant_id ORDER BY tenant_id LIMIT ?`,
      [since, ...asked, limit],
    );
    // PostgreSQL sends sums as text.
    return records.map((row) => ({
      tenantId: row.tenant_id,
      searches: Number(row.searches),
      zeroHits: Number(row.zero_hits),
      unused: Number(row.unused),
      loops: Number(row.loops),
    }));
  }

  override async addQueries(entries: readonly GapQueryEntry[], maxPerTenant: number): Promise<void> {
    if (entries.length === 0) return;
    const table = { table: this.#queries, keys: QUERY_KEYS, counts: ['uses'], latest: 'last_used_at' };
    const rows = entries.map(({ tenantId, kind, query, uses, lastUsedAt }) => [
      tenantId,
      kind,
      query,
      uses,
      lastUsedAt,
    ]);
    const { sql, parameters } = addRows(this.#dialect, table, rows);
    await runStatement(this.dataSource, sql, parameters);
    // If a trim fails, the next write trims the rows above the limit.
    for (const tenantId of new Set(entries.map((entry) => entry.tenantId))) {
      await this.#trim(tenantId, maxPerTenant).catch(() => undefined);
    }
  }

  override async queries(tenantId: string, kind?: GapKind): Promise<readonly GapQuery[]> {
    type Row = { kind: GapKind; query: string; uses: BigInteger; last_used_at: BigInteger };
    const { records } = await this.#run<Row>(
      `SELECT kind, query, uses, last_used_at FROM ${this.#queries} WHERE tenant_id = ?` +
        (kind === undefined ? '' : ' AND kind = ?'),
      [tenantId, ...(kind === undefined ? [] : [kind])],
    );
    // Sorted here, because databases order letters differently.
    return records
      .map((row) => ({
        kind: row.kind,
        query: row.query,
        uses: Number(row.uses),
        lastUsedAt: Number(row.last_used_at),
      }))
      .sort(byUses);
  }

  override async reset(tenantId?: string): Promise<number> {
    let gone = 0;
    for (const table of [this.#counts, this.#queries]) {
      const where = tenantId === undefined ? '' : ' WHERE tenant_id = ?';
      const { affected = 0 } = await this.#run(
        `DELETE FROM ${table}${where}`,
        tenantId === undefined ? [] : [tenantId],
      );
      gone += affected;
    }
    return gone;
  }

  override async sweep(before: number, batch: number): Promise<number> {
    const counts = sweepRows(this.#dialect, this.#counts, KEYS, 'hour');
    const queries = sweepRows(this.#dialect, this.#queries, QUERY_KEYS, 'last_used_at');
    const { affected = 0 } = await this.#run(counts, [before, batch]);
    const { affected: words = 0 } = await this.#run(queries, [before, batch]);
    return affected + words;
  }

  // Skips rows that another transaction has locked, so that two trims never wait for each other, as for learned
  // queries.
  async #trim(tenantId: string, max: number): Promise<void> {
    const read = 'tenant_id, kind, query, last_used_at';
    const lock = this.#dialect.isPostgres
      ? `SELECT ${read} FROM ${this.#queries} WHERE (${read}) IN (SELECT ${read} FROM beyond) FOR UPDATE SKIP LOCKED`
      : `SELECT ${read} FROM beyond`;
    // SQLite has no OFFSET without LIMIT.
    await this.#run(
      `WITH beyond AS (SELECT ${read} FROM ${this.#queries} WHERE tenant_id = ? ` +
        `ORDER BY last_used_at DESC, kind, query LIMIT 1000 OFFSET ?), gone AS (${lock}) ` +
        `DELETE FROM ${this.#queries} WHERE (tenant_id, kind, query) IN (SELECT tenant_id, kind, query FROM gone)`,
      [tenantId, max],
    );
  }

  #run<R>(sql: string, parameters: readonly Parameter[]): Promise<StatementResult<R>> {
    return runStatement<R>(this.dataSource, this.#dialect.numbered(sql), parameters);
  }
}
