import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type HourTokens,
  type LedgerEntry,
  type LedgerFilter,
  type SessionTokens,
  TokenLedgerStore,
} from '@tool-search/core/stores';
import type { LedgerPlace } from '@tool-search/core/internal';
import type { DataSource } from 'typeorm';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { TokenLedgerEntity } from './token-ledger.entity.js';
import { TokenLedgerRepository } from './token-ledger.repository.js';

/** Stores token counts in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmTokenLedgerStore extends TokenLedgerStore {
  readonly #ledger: TokenLedgerRepository;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) { manager }: DataSource) {
    super();
    this.#ledger = new TokenLedgerRepository(TokenLedgerEntity, manager);
  }

  override add(rows: readonly LedgerEntry[]): Promise<void> {
    return this.#ledger.add(rows);
  }

  override sums(filter: LedgerFilter) {
    return this.#ledger.sumMatching(filter);
  }

  override hours(filter: LedgerFilter, limit: number): Promise<readonly HourTokens[]> {
    return this.#ledger.sumHours(filter, limit);
  }

  override sessions(
    filter: LedgerFilter,
    page: { limit: number; after?: LedgerPlace },
  ): Promise<readonly SessionTokens[]> {
    return this.#ledger.sumSessions(filter, page);
  }

  override sweep(before: number, batch: number): Promise<number> {
    return this.#ledger.sweep(before, batch);
  }
}
