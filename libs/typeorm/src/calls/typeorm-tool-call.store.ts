import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type CallFilter,
  type CallGroup,
  type CallPage,
  type CallRecord,
  type CallRetention,
  type CallSum,
  ToolCallStore,
} from '@tool-search/core/stores';
import type { DataSource } from 'typeorm';
import { batchesOf } from '../database/row-statements.js';
import { Sql } from '../database/sql.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { CallEntity } from './call.entity.js';
import { CallRepository } from './call.repository.js';

/** Rows of one statement. On SQLite it blocks other requests. */
const BATCH = 100;

/** Stores the record of calls in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmToolCallStore extends ToolCallStore {
  readonly #sql: Sql;
  readonly #calls: CallRepository;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource.manager);
    this.#calls = new CallRepository(CallEntity, dataSource.manager);
  }

  // Nest ends modules in an order that depends on the application's imports, so the DataSource may be destroyed first.
  override beforeClosing(work: () => Promise<void>): void {
    const { dataSource } = this;
    const destroy = dataSource.destroy.bind(dataSource);
    dataSource.destroy = async () => {
      await work();
      await destroy();
    };
  }

  override async add(records: readonly CallRecord[]): Promise<void> {
    if (records.length === 0) return;
    if (records.length <= BATCH) return this.#calls.add(records);
    await this.#sql.transaction(async (manager) => {
      const calls = manager.withRepository(this.#calls);
      // In the order of ids, so that two instances that repeat the same records do not deadlock.
      const sorted = [...records].sort((left, right) => (left.id < right.id ? -1 : 1));
      for (const some of batchesOf(sorted, BATCH)) await calls.add(some);
    });
  }

  override list(filter: CallFilter, page: CallPage): Promise<readonly CallRecord[]> {
    return this.#calls.listMatching(filter, page);
  }

  override sums(filter: CallFilter): Promise<readonly CallSum[]> {
    return this.#calls.sumMatching(filter);
  }

  override groups(filter: CallFilter, spanMs: number): Promise<readonly CallGroup[]> {
    return this.#calls.groupMatching(filter, spanMs);
  }

  override sweep({ before, keep }: CallRetention, batch: number): Promise<number> {
    return this.#calls.removeOld(before, keep, batch);
  }

  override erase(whose: { tenantId: string; userId?: string }, batch: number): Promise<number> {
    return this.#calls.removeOf(whose, batch);
  }
}
