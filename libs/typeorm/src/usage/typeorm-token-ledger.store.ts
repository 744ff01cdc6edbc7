import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type HourTokens,
  LEDGER_COUNTS,
  type LedgerCounts,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerPlace,
  type SessionTokens,
  TokenLedgerStore,
} from '@tool-search/core/stores';
import { type DataSource, MoreThanOrEqual, type SelectQueryBuilder } from 'typeorm';
import { addRows, sweepRows } from '../database/row-statements.js';
import { Sql } from '../database/sql.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { TokenLedgerEntity } from './token-ledger.entity.js';

type Summed<Keys extends keyof LedgerEntry> = LedgerCounts & Pick<LedgerEntry, Keys>;

/** Stores token counts in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmTokenLedgerStore extends TokenLedgerStore {
  readonly #sql: Sql;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource.manager);
  }

  override async add(rows: readonly LedgerEntry[]): Promise<void> {
    await addRows(this.#sql, TokenLedgerEntity, { rows, counts: LEDGER_COUNTS });
  }

  override async sums(filter: LedgerFilter): Promise<readonly Summed<'tokenizer'>[]> {
    return (await this.#summed(filter, ['tokenizer']).getRawMany<Summed<'tokenizer'>>()).map(withNumbers);
  }

  override async hours(filter: LedgerFilter, limit: number): Promise<readonly HourTokens[]> {
    const rows = await this.#summed(filter, ['hour', 'tokenizer']).limit(limit).getRawMany<HourTokens>();
    return rows.map((row) => ({ ...withNumbers(row), hour: Number(row.hour) }));
  }

  override async sessions(
    filter: LedgerFilter,
    { limit, after }: { limit: number; after?: LedgerPlace },
  ): Promise<readonly SessionTokens[]> {
    const summed = this.#summed(filter, ['tenantId', 'userId', 'sessionId', 'tokenizer']);
    if (after) {
      const key = '(ledger.tenantId, ledger.userId, ledger.sessionId, ledger.tokenizer)';
      summed.andWhere(`${key} > (:...after)`, { after });
    }
    const rows = await summed.addSelect('MAX(ledger.hour)', 'lastHour').limit(limit).getRawMany<SessionTokens>();
    return rows.map((row) => ({ ...withNumbers(row), lastHour: Number(row.lastHour) }));
  }

  override sweep(before: number, batch: number): Promise<number> {
    return sweepRows(this.#sql, TokenLedgerEntity, 'hour', before, batch);
  }

  #summed({ since = 0, until, ...whose }: LedgerFilter, keys: readonly (keyof LedgerEntry)[]) {
    const query: SelectQueryBuilder<TokenLedgerEntity> = this.dataSource
      .createQueryBuilder(TokenLedgerEntity, 'ledger')
      .select([])
      .where({ ...definedOf(whose), hour: MoreThanOrEqual(since) });
    if (until !== undefined) query.andWhere('ledger.hour < :until', { until });
    for (const key of keys) {
      const column = `ledger.${key}`;
      query.addSelect(column, key).addGroupBy(column).addOrderBy(column);
    }
    for (const name of LEDGER_COUNTS) query.addSelect(`SUM(ledger.${name})`, name);
    return query;
  }
}

/** Without the members that are undefined, which TypeORM rejects as conditions. */
function definedOf<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

// PostgreSQL sends sums as text.
function withNumbers<Row extends LedgerCounts>(row: Row): Row {
  return { ...row, ...Object.fromEntries(LEDGER_COUNTS.map((name) => [name, Number(row[name])])) };
}
