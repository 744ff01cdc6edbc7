import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  LEDGER_COUNTS,
  type LedgerCounts,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerPlace,
  type SessionTokens,
  type TokenizerName,
  TokenLedgerStore,
} from '@tool-search/core';
import type { DataSource } from 'typeorm';
import { type Dialect, dialectOf } from '../database/dialect.js';
import { type BigInteger, type Parameter, runStatement, type StatementResult } from '../database/run-statement.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { addRows } from './add-rows.js';
import { sweepRows } from './sweep-rows.js';
import { TokenLedgerEntity } from './token-ledger.entity.js';

const SESSION = ['tenant_id', 'user_id', 'session_id', 'tokenizer'] as const;
const KEYS = [...SESSION, 'hour'];
const COLUMN: Record<keyof LedgerCounts, string> = {
  steps: 'steps',
  fullTokens: 'full_tokens',
  shownTokens: 'shown_tokens',
  metaCalls: 'meta_calls',
  searchTokens: 'search_tokens',
  cacheKept: 'cache_kept',
  cacheBroken: 'cache_broken',
};
const SUMS = LEDGER_COUNTS.map((name) => `SUM(${COLUMN[name]}) AS ${COLUMN[name]}`).join(', ');

type Row = Readonly<Record<string, BigInteger>>;

/** Stores token counts in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmTokenLedgerStore extends TokenLedgerStore {
  readonly #dialect: Dialect;
  readonly #table: string;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#dialect = dialectOf(dataSource);
    this.#table = this.#dialect.table(TokenLedgerEntity);
  }

  override async add(entries: readonly LedgerEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const counts = LEDGER_COUNTS.map((name) => COLUMN[name]);
    const rows = entries.map((entry) => [
      entry.tenantId,
      entry.userId,
      entry.sessionId,
      entry.tokenizer,
      entry.hour,
      ...LEDGER_COUNTS.map((name) => entry[name]),
    ]);
    const { sql, parameters } = addRows(this.#dialect, { table: this.#table, keys: KEYS, counts }, rows);
    await runStatement(this.dataSource, sql, parameters);
  }

  override async sums(filter: LedgerFilter): Promise<readonly (LedgerCounts & Pick<LedgerEntry, 'tokenizer'>)[]> {
    const { where, parameters } = whereOf(filter);
    const sql = `SELECT tokenizer, ${SUMS} FROM ${this.#table} WHERE ${where} GROUP BY tokenizer`;
    const { records } = await this.#run<Row>(sql, parameters);
    return records.map((row) => ({ tokenizer: row['tokenizer'] as TokenizerName, ...countsOf(row) }));
  }

  override async sessions(
    filter: LedgerFilter,
    { limit, after }: { limit: number; after?: LedgerPlace },
  ): Promise<readonly SessionTokens[]> {
    const { where, parameters } = whereOf(filter);
    const key = SESSION.join(', ');
    const behind = after ? ` AND (${key}) > (?, ?, ?, ?)` : '';
    const { records } = await this.#run<Row>(
      `SELECT ${key}, ${SUMS}, MAX(hour) AS last_hour FROM ${this.#table} WHERE ${where}${behind} ` +
        `GROUP BY ${key} ORDER BY ${key} LIMIT ?`,
      [...parameters, ...(after ?? []), limit],
    );
    return records.map((row) => ({
      tenantId: String(row['tenant_id']),
      userId: String(row['user_id']),
      sessionId: String(row['session_id']),
      tokenizer: row['tokenizer'] as TokenizerName,
      ...countsOf(row),
      lastHour: Number(row['last_hour']),
    }));
  }

  override async sweep(before: number, batch: number): Promise<number> {
    const sql = sweepRows(this.#dialect, this.#table, KEYS, 'hour');
    const { affected = 0 } = await this.#run(sql, [before, batch]);
    return affected;
  }

  #run<R>(sql: string, parameters: readonly Parameter[]): Promise<StatementResult<R>> {
    return runStatement<R>(this.dataSource, this.#dialect.numbered(sql), parameters);
  }
}

function whereOf({ tenantId, userId, sessionId, since = 0 }: LedgerFilter): {
  readonly where: string;
  readonly parameters: readonly Parameter[];
} {
  const asked = Object.entries({ tenant_id: tenantId, user_id: userId, session_id: sessionId }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const where = [...asked.map(([column]) => `${column} = ?`), 'hour >= ?'].join(' AND ');
  return { where, parameters: [...asked.map(([, value]) => value), since] };
}

// PostgreSQL sends sums as text.
function countsOf(row: Row): LedgerCounts {
  return Object.fromEntries(LEDGER_COUNTS.map((name) => [name, Number(row[COLUMN[name]])])) as unknown as LedgerCounts;
}
