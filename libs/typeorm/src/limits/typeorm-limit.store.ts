import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type CounterChange, type CounterState, LimitStore, type StoredCounter } from '@tool-search/core/stores';
import type { DataSource, EntityManager } from 'typeorm';
import { batchesOf, sweepRows, valueRows } from '../database/row-statements.js';
import { type BigInteger, Sql } from '../database/sql.js';
import { assertOutsideTransaction } from '../database/serialize-sqlite.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { applied, GroupedUpdates, type WaitingUpdate } from './grouped-updates.js';
import { LimitCounterEntity } from './limit-counter.entity.js';

/** Keys of one read. */
const BATCH = 200;
/** How often missing rows are created again because a sweep removed them before they were locked. */
const ATTEMPTS = 5;

interface CounterRow {
  readonly key: string;
  readonly state: string;
  readonly expiresAt: BigInteger;
  /** Absent on SQLite. */
  readonly now?: BigInteger;
}

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
  readonly #table: string;
  readonly #grouped = new GroupedUpdates((group) => this.#committed(group));

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource.manager);
    this.#table = this.#sql.table(LimitCounterEntity);
  }

  override async update<T>(keys: readonly string[], change: CounterChange<T>): Promise<T> {
    const ids = keys.map(idOf);
    if (ids.length === 0) return change([], await this.#now()).answer;
    if (!this.#sql.isPostgres) {
      // A group runs outside its callers' contexts, so only here is it known that the caller is inside a transaction.
      assertOutsideTransaction(this.dataSource, 'Call tools that have limits before or after the transaction.');
      return this.#grouped.add(ids, change);
    }
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#sql.transaction(async (manager) => {
        const rows = await this.#locked(ids, manager);
        const isWhole = rows.size === ids.length;
        // A row that is not there cannot be locked. It is created outside this transaction, which holds other rows.
        return isWhole ? { answer: await this.#changed(ids, rows, change, manager) } : undefined;
      });
      if (outcome) return outcome.answer;
      if (attempt >= ATTEMPTS) throw new Error('the counters of limits are removed faster than they are created');
      await this.#create(ids);
    }
  }

  override async peek(keys: readonly string[]) {
    const ids = keys.map(idOf);
    const now = await this.#now();
    const rows = new Map<string, CounterRow>();
    for (const batch of batchesOf(ids, BATCH)) {
      const { records } = await this.#sql.run<CounterRow>(
        `SELECT key, state, expires_at AS "expiresAt" FROM ${this.#table} WHERE key IN (${places(batch)})`,
        batch,
      );
      for (const row of records) rows.set(row.key, row);
    }
    return { states: ids.map((id) => stateOf(rows.get(id), now)), now };
  }

  override async sweep(batch: number): Promise<number> {
    return sweepRows(this.#sql, LimitCounterEntity, 'expires_at', (await this.#now()) + 1, batch);
  }

  /** Applies the updates of a group on SQLite, where BEGIN IMMEDIATE locks the database. */
  #committed(group: readonly WaitingUpdate[]): Promise<readonly (() => void)[]> {
    return this.#sql.transaction(async (manager) => {
      const read = new Map<string, StoredCounter>();
      for (const ids of batchesOf([...new Set(group.flatMap(({ ids }) => ids))], BATCH)) {
        const { records } = await this.#sql.run<CounterRow>(
          `SELECT key, state, expires_at AS "expiresAt" FROM ${this.#table} WHERE key IN (${places(ids)})`,
          ids,
          manager,
        );
        for (const { key, state, expiresAt } of records) {
          read.set(key, { state: JSON.parse(state) as CounterState, expiresAt: Number(expiresAt) });
        }
      }
      const { written, answers } = applied(group, read, Date.now());
      for (const some of batchesOf(written, BATCH)) await this.#write(some, manager);
      return answers;
    });
  }

  /** The rows that are there, locked until the transaction ends. */
  async #locked(ids: readonly string[], manager: EntityManager): Promise<ReadonlyMap<string, CounterRow>> {
    const wanted = `SELECT key, state, expires_at AS "expiresAt" FROM ${this.#table} WHERE key IN (${places(ids)})`;
    await this.#sql.boundLocks(manager);
    // The clock is read outside the part that locks: inside, it could be read before a lock was waited for.
    const { records } = await this.#sql.run<CounterRow>(
      `WITH held AS MATERIALIZED (${wanted} ORDER BY key COLLATE "C" FOR UPDATE) SELECT held.*, ${POSTGRES_NOW} AS now ` +
        "FROM held, set_config('synchronous_commit', 'off', true)",
      ids,
      manager,
    );
    return new Map(records.map((row) => [row.key, row]));
  }

  async #changed<T>(
    ids: readonly string[],
    rows: ReadonlyMap<string, CounterRow>,
    change: CounterChange<T>,
    manager: EntityManager,
  ): Promise<T> {
    const times = Array.from(rows.values(), (row) => Number(row.now ?? 0));
    const now = Math.max(...times);
    const { answer, writes = [] } = change(
      ids.map((id) => stateOf(rows.get(id), now)),
      now,
    );
    const written = writes.flatMap((write, index) => (write ? [[ids[index] ?? '', write] as const] : []));
    if (written.length > 0) await this.#write(written, manager);
    return answer;
  }

  async #write(written: readonly (readonly [string, StoredCounter])[], manager: EntityManager): Promise<void> {
    await this.#sql.run(
      `INSERT INTO ${this.#table} (key, state, expires_at) VALUES ${valueRows(written.length, 3)} ` +
        'ON CONFLICT (key) DO UPDATE SET state = excluded.state, expires_at = excluded.expires_at',
      written.flatMap(([id, { state, expiresAt }]) => [id, JSON.stringify(state), Math.ceil(expiresAt)]),
      manager,
    );
  }

  // Empty counters that expire soon, if nothing is counted. Sorted, so that two instances do not deadlock.
  async #create(ids: readonly string[]): Promise<void> {
    await this.#sql.run(
      `INSERT INTO ${this.#table} (key, state, expires_at) SELECT key, '[]', ${POSTGRES_NOW} + 60000 ` +
        `FROM unnest(ARRAY[${places(ids)}]::text[]) AS key ORDER BY key COLLATE "C" ON CONFLICT (key) DO NOTHING`,
      ids,
    );
  }

  async #now(): Promise<number> {
    if (!this.#sql.isPostgres) return Date.now();
    const { records } = await this.#sql.run<{ now: BigInteger }>(`SELECT ${POSTGRES_NOW} AS now`);
    return Number(records[0]?.now);
  }
}

const POSTGRES_NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

function idOf(key: string): string {
  return hash('sha256', key, 'base64url');
}

function places(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

function stateOf(row: CounterRow | undefined, now: number): CounterState | undefined {
  if (!row || Number(row.expiresAt) <= now) return undefined;
  const state = JSON.parse(row.state) as CounterState;
  return state.length === 0 ? undefined : state;
}
