import {
  type HourTokens,
  LEDGER_COUNTS,
  type LedgerEntry,
  type LedgerFilter,
  type SessionTokens,
} from '@tool-search/core/stores';
import type { LedgerCounts, LedgerPlace } from '@tool-search/core/internal';
import { MoreThanOrEqual, Repository, type SelectQueryBuilder } from 'typeorm';
import { addRows, sweepRows } from '../database/row-statements.js';
import { Sql } from '../database/sql.js';
import type { TokenLedgerEntity } from './token-ledger.entity.js';

type Summed<Keys extends keyof LedgerEntry> = LedgerCounts & Pick<LedgerEntry, Keys>;

/**
 * The repository of token counts: the methods of TypeORM, and the statements of their store. Injectable where
 * `ToolSearchTypeOrmModule` is imported.
 */
export class TokenLedgerRepository extends Repository<TokenLedgerEntity> {
  readonly #sql = new Sql(this.manager);

  /** Adds counts to those of the same session, tokenizer and hour. */
  add(rows: readonly LedgerEntry[]): Promise<void> {
    return addRows(this.#sql, this.target, { rows, counts: LEDGER_COUNTS });
  }

  /** Sums the matching counts of each tokenizer. */
  async sumMatching(filter: LedgerFilter): Promise<readonly Summed<'tokenizer'>[]> {
    return (await this.summed(filter, ['tokenizer']).getRawMany<Summed<'tokenizer'>>()).map(withNumbers);
  }

  /** Sums the matching counts by hour and tokenizer, from the oldest hour on. */
  async sumHours(filter: LedgerFilter, limit: number): Promise<readonly HourTokens[]> {
    const rows = await this.summed(filter, ['hour', 'tokenizer']).limit(limit).getRawMany<HourTokens>();
    return rows.map((row) => ({ ...withNumbers(row), hour: Number(row.hour) }));
  }

  /** Sums the matching counts by session and tokenizer, in the order of tenant, user, session and tokenizer. */
  async sumSessions(
    filter: LedgerFilter,
    { limit, after }: { readonly limit: number; readonly after?: LedgerPlace },
  ): Promise<readonly SessionTokens[]> {
    const summed = this.summed(filter, ['tenantId', 'userId', 'sessionId', 'tokenizer']);
    if (after) {
      const key = '(ledger.tenantId, ledger.userId, ledger.sessionId, ledger.tokenizer)';
      summed.andWhere(`${key} > (:...after)`, { after });
    }
    const rows = await summed.addSelect('MAX(ledger.hour)', 'lastHour').limit(limit).getRawMany<SessionTokens>();
    return rows.map((row) => ({ ...withNumbers(row), lastHour: Number(row.lastHour) }));
  }

  /** A query for the sums of the matching counts by these columns, named `ledger` in it, to continue. */
  summed(
    { since = 0, until, ...whose }: LedgerFilter,
    keys: readonly (keyof LedgerEntry)[],
  ): SelectQueryBuilder<TokenLedgerEntity> {
    const query = this.createQueryBuilder('ledger')
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

  /** Removes up to `batch` counts of hours before a time, the oldest first. Returns their number. */
  sweep(before: number, batch: number): Promise<number> {
    return sweepRows(this.#sql, this.target, 'hour', before, batch);
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
