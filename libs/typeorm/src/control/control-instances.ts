import type { ControlInstance } from '@tool-search/core/stores';
import type { BigInteger, Sql } from '../database/sql.js';
import { ControlInstanceEntity } from './control-instance.entity.js';

/** Instances get a new id at each start, so an id that was silent for a day is never used again. */
const FORGET_AFTER_MS = 86_400_000;

/** The heartbeats of the instances that share the store. */
export class ControlInstances {
  readonly #table: string;
  readonly #now: string;
  #hasForgotten = false;
  /** Ids of the instances that sent a heartbeat through this store. */
  readonly #present = new Set<string>();
  readonly #beating = new Set<Promise<number>>();
  #isStopped = false;

  constructor(private readonly sql: Sql) {
    this.#table = sql.table(ControlInstanceEntity);
    this.#now = sql.now;
  }

  async beat(id: string, appliedRevision: number): Promise<number> {
    if (this.#isStopped) return Date.now();
    const beating = this.#beat(id, appliedRevision);
    this.#beating.add(beating);
    return beating.finally(() => this.#beating.delete(beating));
  }

  async list(withinMs: number): Promise<readonly ControlInstance[]> {
    const { records } = await this.sql.run<{ id: string; appliedRevision: BigInteger; silentMs: BigInteger }>(
      `SELECT id, applied_revision AS "appliedRevision", ${this.#now} - seen_at AS "silentMs" FROM ${this.#table} ` +
        `WHERE seen_at >= ${this.#now} - ? ORDER BY id`,
      [withinMs],
    );
    return records.map(({ id, appliedRevision, silentMs }) => {
      return { id, appliedRevision: Number(appliedRevision), silentMs: Math.max(0, Number(silentMs)) };
    });
  }

  async leave(id: string): Promise<void> {
    await this.sql.dataSource.manager.delete(ControlInstanceEntity, { id });
  }

  /** Removes the instances of this process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    // A heartbeat that ends after the removal would register the instance again.
    await Promise.allSettled(this.#beating);
    await Promise.allSettled(Array.from(this.#present, (id) => this.leave(id)));
  }

  async #beat(id: string, appliedRevision: number): Promise<number> {
    this.#present.add(id);
    const { records } = await this.sql.run<{ seen_at: BigInteger }>(
      `INSERT INTO ${this.#table} (id, applied_revision, seen_at) VALUES (?, ?, ${this.#now}) ON CONFLICT (id) ` +
        'DO UPDATE SET applied_revision = excluded.applied_revision, seen_at = excluded.seen_at RETURNING seen_at',
      [id, appliedRevision],
    );
    if (!this.#hasForgotten) {
      await this.sql.run(`DELETE FROM ${this.#table} WHERE seen_at < ${this.#now} - ?`, [FORGET_AFTER_MS]);
    }
    this.#hasForgotten = true;
    return Number(records[0]?.seen_at);
  }
}
