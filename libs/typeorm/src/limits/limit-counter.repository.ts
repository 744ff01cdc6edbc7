import type { StoredCounter } from '@tool-search/core/internal';
import { Repository } from 'typeorm';
import { batchesOf, sweepRows, valueRows } from '../database/row-statements.js';
import { type BigInteger, Sql } from '../database/sql.js';
import type { LimitCounterEntity } from './limit-counter.entity.js';

/** Keys of one read. */
const BATCH = 200;

const ROW = 'key, state, expires_at AS "expiresAt"';

/** A counter as the driver returns it. */
export interface CounterRow {
  readonly key: string;
  readonly state: string;
  readonly expiresAt: BigInteger;
  /** Absent on SQLite. */
  readonly now?: BigInteger;
}

/** Statements on the counters of limits. Keys are hashes, and states a form of the store. */
export class LimitCounterRepository extends Repository<LimitCounterEntity> {
  readonly #sql = new Sql(this.manager);

  /** Returns the counters that exist, expired ones included. */
  async findEach(ids: readonly string[]): Promise<ReadonlyMap<string, CounterRow>> {
    const rows = new Map<string, CounterRow>();
    for (const batch of batchesOf(ids, BATCH)) {
      const { records } = await this.#sql.run<CounterRow>(
        `SELECT ${ROW} FROM ${this.#table} WHERE key IN (${places(batch)})`,
        batch,
      );
      for (const row of records) rows.set(row.key, row);
    }
    return rows;
  }

  /**
   * Locks the counters that exist until the transaction ends, in the order of their keys, and returns them with the time
   * after the last lock. The commit does not wait for the disk. PostgreSQL only.
   */
  async lockEach(ids: readonly string[]): Promise<ReadonlyMap<string, CounterRow>> {
    const wanted = `SELECT ${ROW} FROM ${this.#table} WHERE key IN (${places(ids)})`;
    await this.#sql.boundLocks(this.manager);
    // The clock is read outside the part that locks: inside, it could be read before a lock was waited for.
    const { records } = await this.#sql.run<CounterRow>(
      `WITH held AS MATERIALIZED (${wanted} ORDER BY key COLLATE "C" FOR UPDATE) SELECT held.*, ${this.#sql.now} AS now ` +
        "FROM held, set_config('synchronous_commit', 'off', true)",
      ids,
    );
    return new Map(records.map((row) => [row.key, row]));
  }

  /** Writes counters of one transaction that has locked them. */
  async put(written: readonly (readonly [id: string, counter: StoredCounter])[]): Promise<void> {
    for (const some of batchesOf(written, BATCH)) {
      await this.#sql.run(
        `INSERT INTO ${this.#table} (key, state, expires_at) VALUES ${valueRows(some.length, 3)} ` +
          'ON CONFLICT (key) DO UPDATE SET state = excluded.state, expires_at = excluded.expires_at',
        some.flatMap(([id, { state, expiresAt }]) => [id, JSON.stringify(state), Math.ceil(expiresAt)]),
      );
    }
  }

  /**
   * Creates empty counters, which expire soon if nothing is counted. Sorted, so that two instances do not deadlock.
   * PostgreSQL only.
   */
  async addEmpty(ids: readonly string[]): Promise<void> {
    await this.#sql.run(
      `INSERT INTO ${this.#table} (key, state, expires_at) SELECT key, '[]', ${this.#sql.now} + 60000 ` +
        `FROM unnest(ARRAY[${places(ids)}]::text[]) AS key ORDER BY key COLLATE "C" ON CONFLICT (key) DO NOTHING`,
      ids,
    );
  }

  /** The time in epoch milliseconds, by the clock of the database. */
  now(): Promise<number> {
    return this.#sql.clock();
  }

  /** Removes up to `batch` expired counters, the oldest first. Returns their number. */
  async sweep(batch: number): Promise<number> {
    return sweepRows(this.#sql, this.target, 'expires_at', (await this.now()) + 1, batch);
  }

  get #table(): string {
    return this.#sql.table(this.target);
  }
}

function places(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
