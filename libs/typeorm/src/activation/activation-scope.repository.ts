import type { ActivationScope } from '@tool-search/core/stores';
import { LessThan, Repository } from 'typeorm';
import { sweepRows, valueRows } from '../database/row-statements.js';
import { type BigInteger, Sql } from '../database/sql.js';
import { ActivationScopeEntity } from './activation-scope.entity.js';
import { ActivationEntity } from './activation.entity.js';
import { IS_SCOPE, SCOPE_KEY, SCOPE_MEMBERS, scopeKey, scopeOf } from './scope-key.js';

/**
 * The repository of runs and sessions that have activated tools: the methods of TypeORM, and the statements of the
 * activation store. Injectable where `ToolSearchTypeOrmModule` is imported.
 *
 * The row of a scope is the lock for its activations: the store first calls `claim`, `lock` or `lockEach` in its
 * transaction. All methods but `lastUse` belong to the store. To revoke activations, use `ToolActivations`.
 */
export class ActivationScopeRepository extends Repository<ActivationScopeEntity> {
  readonly #sql = new Sql(this.manager);

  /** Returns the time of last use, unless it is before `staleBefore`. */
  async lastUse(scope: ActivationScope, staleBefore: number): Promise<number | undefined> {
    const { records } = await this.#sql.run<{ used_at: BigInteger }>(
      this.#text('lastUse', (table) => `SELECT used_at FROM ${table} WHERE ${IS_SCOPE} AND used_at >= ?`),
      [...scopeKey(scope), staleBefore],
    );
    return records[0] && Number(records[0].used_at);
  }

  /** Removes the scope, and by cascade its activations, if it was last used before `staleBefore`. */
  async expire(scope: ActivationScope, staleBefore: number): Promise<void> {
    await this.#sql.run(
      this.#text('expire', (table) => `DELETE FROM ${table} WHERE ${IS_SCOPE} AND used_at < ?`),
      [...scopeKey(scope), staleBefore],
    );
  }

  /** Creates the scope, or updates its last use, never to an earlier time. Locks it until the transaction ends. */
  async claim(scope: ActivationScope, now: number): Promise<void> {
    await this.#sql.run(
      this.#text(
        'claim',
        (table) =>
          `INSERT INTO ${table} AS held (${SCOPE_KEY}, used_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (${SCOPE_KEY}) DO UPDATE ` +
          'SET used_at = CASE WHEN held.used_at < excluded.used_at THEN excluded.used_at ELSE held.used_at END',
      ),
      [...scopeKey(scope), now],
    );
  }

  /** Locks the scope until the transaction ends. Returns null if it does not exist. */
  lock(scope: ActivationScope): Promise<ActivationScopeEntity | null> {
    return this.findOne({ where: scopeOf(scope), ...this.#sql.lock });
  }

  /** Locks the scopes that exist until the transaction ends, always in the same order, and returns them. */
  async lockEach(scopes: readonly ActivationScope[]): Promise<readonly ActivationScope[]> {
    const lock = this.#sql.isPostgres ? ' FOR UPDATE' : '';
    const { records } = await this.#sql.run<ActivationScope>(
      `SELECT ${SCOPE_MEMBERS} FROM ${this.#table} WHERE (${SCOPE_KEY}) IN (VALUES ${valueRows(scopes.length, 4)}) ` +
        `ORDER BY ${SCOPE_KEY}${lock}`,
      scopes.flatMap(scopeKey),
    );
    return records;
  }

  /** Sets the last use, never to an earlier time. */
  async touch(scope: ActivationScope, now: number): Promise<void> {
    await this.update({ ...scopeOf(scope), usedAt: LessThan(now) }, { usedAt: now });
  }

  /** Removes those of the scopes that have no activations. */
  async removeEmpty(scopes: readonly ActivationScope[]): Promise<void> {
    const activations = this.#sql.table(ActivationEntity);
    await this.#sql.run(
      `DELETE FROM ${this.#table} AS held WHERE (${SCOPE_KEY}) IN (VALUES ${valueRows(scopes.length, 4)}) AND ` +
        `NOT EXISTS (SELECT 1 FROM ${activations} AS a WHERE a.tenant_id = held.tenant_id AND a.user_id = held.user_id ` +
        'AND a.scope = held.scope AND a.scope_id = held.scope_id)',
      scopes.flatMap(scopeKey),
    );
  }

  /** Removes up to `batch` scopes that were last used before `staleBefore`, the oldest first. Returns their number. */
  sweep(staleBefore: number, batch: number): Promise<number> {
    return sweepRows(this.#sql, this.target, 'used_at', staleBefore, batch);
  }

  #text(name: string, build: (table: string) => string): string {
    return this.#sql.text(this.target, name, build);
  }

  get #table(): string {
    return this.#sql.table(this.target);
  }
}
