import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type CounterChange, LimitStore } from '@tool-search/core/stores';
import type { CounterState, StoredCounter } from '@tool-search/core/internal';
import type { DataSource } from 'typeorm';
import { Sql } from '../database/sql.js';
import { assertOutsideTransaction } from '../database/serialize-sqlite.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { applied, GroupedUpdates, type WaitingUpdate } from './grouped-updates.js';
import { LimitCounterEntity } from './limit-counter.entity.js';
import { type CounterRow, LimitCounterRepository } from './limit-counter.repository.js';

/** How often missing rows are created again because a sweep removed them before they were locked. */
const ATTEMPTS = 5;

/**
 * Counts limits in SQLite or PostgreSQL. On PostgreSQL an update locks the rows of its counters in the order of their
 * keys, so two updates wait for each other and never deadlock, and reads the server's clock after the last lock. On SQLite
 * the updates of concurrent calls share transactions. Commits
 * do not wait for the disk: the newest counts may be lost when the database's machine crashes. Requires a DataSource made
 * by `createDataSource`.
 */
@Injectable()
export class TypeOrmLimitStore extends LimitStore {
  readonly #sql: Sql;
  readonly #counters: LimitCounterRepository;
  readonly #grouped = new GroupedUpdates((group) => this.#committed(group));

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource.manager);
    this.#counters = new LimitCounterRepository(LimitCounterEntity, dataSource.manager);
  }

  override async update<T>(keys: readonly string[], change: CounterChange<T>): Promise<T> {
    const ids = keys.map(idOf);
    if (ids.length === 0) return change([], await this.#counters.now()).answer;
    if (!this.#sql.isPostgres) {
      // A group runs outside its callers' contexts, so only here is it known that the caller is inside a transaction.
      assertOutsideTransaction(this.dataSource, 'Call tools that have limits before or after the transaction.');
      return this.#grouped.add(ids, change);
    }
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#sql.transaction(async (manager) => {
        const counters = manager.withRepository(this.#counters);
        const rows = await counters.lockEach(ids);
        const isWhole = rows.size === ids.length;
        // A row that is not there cannot be locked. It is created outside this transaction, which holds other rows.
        return isWhole ? { answer: await changed(counters, ids, rows, change) } : undefined;
      });
      if (outcome) return outcome.answer;
      if (attempt >= ATTEMPTS) throw new Error('the counters of limits are removed faster than they are created');
      await this.#counters.addEmpty(ids);
    }
  }

  override async peek(keys: readonly string[]) {
    const ids = keys.map(idOf);
    const now = await this.#counters.now();
    const rows = await this.#counters.findEach(ids);
    return { states: ids.map((id) => stateOf(rows.get(id), now)), now };
  }

  override sweep(batch: number): Promise<number> {
    return this.#counters.sweep(batch);
  }

  /** Applies the updates of a group on SQLite, where BEGIN IMMEDIATE locks the database. */
  #committed(group: readonly WaitingUpdate[]): Promise<readonly (() => void)[]> {
    return this.#sql.transaction(async (manager) => {
      const counters = manager.withRepository(this.#counters);
      const read = new Map<string, StoredCounter>();
      for (const [id, { state, expiresAt }] of await counters.findEach([...new Set(group.flatMap(({ ids }) => ids))])) {
        read.set(id, { state: JSON.parse(state) as CounterState, expiresAt: Number(expiresAt) });
      }
      const { written, answers } = applied(group, read, Date.now());
      await counters.put(written);
      return answers;
    });
  }
}

/** Changes locked counters. Returns the answer of the change. */
async function changed<T>(
  counters: LimitCounterRepository,
  ids: readonly string[],
  rows: ReadonlyMap<string, CounterRow>,
  change: CounterChange<T>,
): Promise<T> {
  const now = Math.max(...Array.from(rows.values(), (row) => Number(row.now ?? 0)));
  const states = ids.map((id) => stateOf(rows.get(id), now));
  const { answer, writes = [] } = change(states, now);
  await counters.put(writes.flatMap((write, index) => (write ? [[ids[index] ?? '', write] as const] : [])));
  return answer;
}

function idOf(key: string): string {
  return hash('sha256', key, 'base64url');
}

function stateOf(row: CounterRow | undefined, now: number): CounterState | undefined {
  if (!row || Number(row.expiresAt) <= now) return undefined;
  const state = JSON.parse(row.state) as CounterState;
  return state.length === 0 ? undefined : state;
}
