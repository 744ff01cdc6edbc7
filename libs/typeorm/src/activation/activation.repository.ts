import {
  type Activation,
  activationKey,
  type ActivationRecord,
  type ActivationScope,
  type HeldActivation,
  type NewActivation,
} from '@tool-search/core/stores';
import type { ActivationKey } from '@tool-search/core/internal';
import { Repository } from 'typeorm';
import { batchesOf, valueRows } from '../database/row-statements.js';
import { type BigInteger, Sql } from '../database/sql.js';
import { ActivationScopeEntity } from './activation-scope.entity.js';
import type { ActivationEntity } from './activation.entity.js';
import { IS_SCOPE, SCOPE_KEY, SCOPE_MEMBERS, scopeKey, scopeOf } from './scope-key.js';

/** Records of one statement that changes them. Small, because a SQLite statement blocks all other requests. */
const BATCH = 250;

const RECORD = `${SCOPE_KEY}, tool`;
const TIMES = 'activated_at AS "activatedAt", last_used_at AS "lastUsedAt"';

/**
 * The repository of activations: the methods of TypeORM, and the statements of the activation store. Injectable where
 * `ToolSearchTypeOrmModule` is imported. Extend it as a class or with `extend()`; `manager.withRepository(repository)`
 * makes its statements part of a transaction.
 *
 * `add`, `setUsed` and `removeEach` belong to the store, which locks the scope before and keeps the limits. To activate
 * or revoke tools, use `ToolActivations` and toolboxes.
 *
 * @typeParam Entity an entity of the application that extends `ActivationEntity`, on the same table
 */
export class ActivationRepository<Entity extends ActivationEntity = ActivationEntity> extends Repository<Entity> {
  readonly #sql = new Sql(this.manager);

  /**
   * Returns the active tools of a run or session in the order of their activation.
   *
   * @param staleBefore epoch milliseconds; a scope that was last used before has no active tools
   */
  async listActive(scope: ActivationScope, staleBefore: number): Promise<readonly Activation[]> {
    const { records } = await this.#sql.run<Omit<HeldRow, 'tokens'>>(
      this.#text(
        'listActive',
        (table) =>
          `SELECT tool, reason, ${TIMES} FROM ${table} JOIN ${this.#scopes} USING (${SCOPE_KEY}) WHERE ${IS_SCOPE} AND used_at >= ?`,
      ),
      [...scopeKey(scope), staleBefore],
    );
    // Sorted here, because databases order letters differently.
    return records
      .map(({ tool, reason, activatedAt, lastUsedAt }) => {
        return { tool, reason, activatedAt: Number(activatedAt), usedAt: lastUse(activatedAt, lastUsedAt) };
      })
      .sort((a, b) => a.activatedAt - b.activatedAt || (a.tool < b.tool ? -1 : 1));
  }

  /** Returns the activations of a run or session with their tokens, also those of an idle one, in no order. */
  async listHeld(scope: ActivationScope): Promise<readonly HeldActivation[]> {
    const { records } = await this.#sql.run<HeldRow>(
      this.#text('listHeld', (table) => `SELECT tool, reason, tokens, ${TIMES} FROM ${table} WHERE ${IS_SCOPE}`),
      scopeKey(scope),
    );
    return records.map(heldOf);
  }

  /**
   * Pages through the activations of all tenants in the order of the primary key, idle scopes included. Only
   * activations after `key` are returned.
   *
   * @returns the records, each with the time at which its scope was last used, in epoch milliseconds
   */
  async listAfter(
    key: ActivationKey,
    limit: number,
  ): Promise<readonly { readonly record: ActivationRecord; readonly scopeUsedAt: number }[]> {
    const { records } = await this.#sql.run<ActivationScope & HeldRow & { readonly scopeUsedAt: BigInteger }>(
      `SELECT ${SCOPE_MEMBERS}, tool, reason, tokens, ${TIMES}, used_at AS "scopeUsedAt" FROM ${this.#table} ` +
        `JOIN ${this.#scopes} USING (${SCOPE_KEY}) WHERE (${RECORD}) > (?, ?, ?, ?, ?) ORDER BY ${RECORD} LIMIT ?`,
      [...key, limit],
    );
    return records.map(({ scopeUsedAt, ...row }) => {
      return { record: { ...scopeOf(row), ...heldOf(row) }, scopeUsedAt: Number(scopeUsedAt) };
    });
  }

  /** Inserts activations that the locked scope does not have. Columns of an application get their default. */
  async add(scope: ActivationScope, tools: readonly NewActivation[], now: number): Promise<void> {
    for (const { tool, reason, tokens } of tools) {
      await this.#sql.run(
        this.#text(
          'add',
          (table) =>
            `INSERT INTO ${table} (${RECORD}, reason, tokens, activated_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ),
        [...scopeKey(scope), tool, reason, tokens, now, now],
      );
    }
  }

  /** Sets the last use of activations of the locked scope. */
  async setUsed(scope: ActivationScope, tools: readonly string[], now: number): Promise<void> {
    const key = scopeKey(scope);
    for (const some of batchesOf(tools, BATCH)) {
      await this.#sql.run(
        `UPDATE ${this.#table} SET last_used_at = ? WHERE (${RECORD}) IN (VALUES ${valueRows(some.length, 5)})`,
        [now, ...some.flatMap((tool) => [...key, tool])],
      );
    }
  }

  /** Removes activations of locked scopes. Returns how many there were. */
  async removeEach(records: readonly (ActivationScope & { readonly tool: string })[]): Promise<number> {
    let removed = 0;
    for (const some of batchesOf(records, BATCH)) {
      const { affected = 0 } = await this.#sql.run(
        `DELETE FROM ${this.#table} WHERE (${RECORD}) IN (VALUES ${valueRows(some.length, 5)})`,
        some.flatMap(activationKey),
      );
      removed += affected;
    }
    return removed;
  }

  #text(name: string, build: (table: string) => string): string {
    return this.#sql.text(this.target, name, build);
  }

  get #table(): string {
    return this.#sql.table(this.target);
  }

  get #scopes(): string {
    return this.#sql.table(ActivationScopeEntity);
  }
}

type HeldRow = Pick<ActivationRecord, 'tool' | 'reason' | 'tokens'> & Record<'activatedAt' | 'lastUsedAt', BigInteger>;

function heldOf({ tool, reason, tokens, activatedAt, lastUsedAt }: HeldRow): HeldActivation {
  return { tool, reason, tokens, activatedAt: Number(activatedAt), usedAt: lastUse(activatedAt, lastUsedAt) };
}

// An earlier version on the same database does not write last uses.
function lastUse(activatedAt: BigInteger, lastUsedAt: BigInteger): number {
  return Math.max(Number(activatedAt), Number(lastUsedAt));
}
