import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type Activation,
  activationCursor,
  type ActivationFilter,
  activationKey,
  type ActivationKey,
  type ActivationLimits,
  activationMatches,
  type ActivationOutcome,
  type ActivationPage,
  type ActivationRecord,
  type ActivationScope,
  activationStart,
  type ActivationStats,
  ActivationStore,
  applyLimits,
  type HeldActivation,
  isWithinFilter,
  type NewActivation,
  USE_PRECISION_MS,
} from '@tool-search/core/stores';
import { type DataSource, type EntityManager, In, LessThan, MoreThanOrEqual } from 'typeorm';
import { batchesOf, sweepRows } from '../database/row-statements.js';
import { type BigInteger, Sql } from '../database/sql.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { ActivationScopeEntity } from './activation-scope.entity.js';
import { activationStatements } from './activation-statements.js';
import { ActivationEntity } from './activation.entity.js';

/** Records read or removed per statement. Small, because a SQLite statement blocks all other requests. */
const BATCH = 250;

/**
 * Stores activations in SQLite or PostgreSQL. Exact under concurrency: each change first locks the row of its scope.
 * Requires a DataSource made by `createDataSource`.
 */
@Injectable()
export class TypeOrmActivationStore extends ActivationStore {
  readonly #sql: Sql;
  readonly #statements: ReturnType<typeof activationStatements>;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource);
    this.#statements = activationStatements(this.#sql);
  }

  override async list(scope: ActivationScope, staleBefore: number): Promise<readonly Activation[]> {
    const { records } = await this.#sql.run<Omit<HeldRow, 'tokens'>>(this.#statements.list, [
      ...keyOf(scope),
      staleBefore,
    ]);
    // Sorted here, because databases order letters differently.
    return records
      .map(({ tool, reason, activatedAt, lastUsedAt }) => {
        return { tool, reason, activatedAt: Number(activatedAt), usedAt: lastUse(activatedAt, lastUsedAt) };
      })
      .sort((a, b) => a.activatedAt - b.activatedAt || (a.tool < b.tool ? -1 : 1));
  }

  override async activate(
    scope: ActivationScope,
    tools: readonly NewActivation[],
    limits: ActivationLimits,
    now: number,
    staleBefore: number,
  ): Promise<ActivationOutcome> {
    const key = keyOf(scope);
    return this.#sql.transaction(async (manager) => {
      await this.#sql.run(this.#statements.expire, [...key, staleBefore], manager);
      await this.#sql.run(this.#statements.claim, [...key, now], manager);
      const held = await this.#held(key, manager);
      const costs = new Map(held.map(({ tool, tokens }) => [tool, tokens]));
      const { admitted, alreadyActive, overLimit } = applyLimits(costs, tools, limits);
      for (const { tool, reason, tokens } of admitted) {
        await this.#sql.run(this.#statements.add, [...key, tool, reason, tokens, now, now], manager);
      }
      const used = held.filter(({ tool, usedAt }) => usedAt <= now - USE_PRECISION_MS && alreadyActive.includes(tool));
      for (const some of batchesOf(used, BATCH)) {
        const keys = some.flatMap(({ tool }) => [...key, tool]);
        await this.#sql.run(this.#statements.use(some.length), [now, ...keys], manager);
      }
      if (costs.size + admitted.length === 0) await this.#sql.run(this.#statements.dropEmpty(1), key, manager);
      return { activated: admitted.map(({ tool }) => tool), alreadyActive, overLimit };
    });
  }

  override async lastUse(scope: ActivationScope, staleBefore: number): Promise<number | undefined> {
    type Row = { used_at: BigInteger };
    const { records } = await this.#sql.run<Row>(this.#statements.lastUse, [...keyOf(scope), staleBefore]);
    return records[0] && Number(records[0].used_at);
  }

  override async demote(
    scope: ActivationScope,
    choose: (held: readonly HeldActivation[]) => readonly string[],
    restedBefore: number,
    now: number,
    staleBefore: number,
  ): Promise<readonly string[]> {
    const key = keyOf(scope);
    return this.#sql.transaction(async (manager) => {
      const where = { ...whereOf(scope), usedAt: MoreThanOrEqual(staleBefore) };
      const locked = await manager.findOne(ActivationScopeEntity, { where, ...this.#sql.lock });
      if (!locked) return [];
      // Never sets the last use to an earlier time.
      await manager.update(ActivationScopeEntity, { ...whereOf(scope), usedAt: LessThan(now) }, { usedAt: now });
      if (locked.usedAt >= restedBefore) return [];
      const held = await this.#held(key, manager);
      const names = new Set(held.map(({ tool }) => tool));
      const demoted = choose(held).filter((tool) => names.delete(tool));
      for (const tools of batchesOf(demoted, BATCH)) {
        await manager.delete(ActivationEntity, { ...whereOf(scope), tool: In(tools) });
      }
      if (names.size === 0) await this.#sql.run(this.#statements.dropEmpty(1), key, manager);
      return demoted;
    });
  }

  override async revoke(scope: ActivationScope, tool?: string): Promise<number> {
    return this.#sql.transaction(async (manager) => {
      await manager.findOne(ActivationScopeEntity, { where: whereOf(scope), ...this.#sql.lock });
      const where = { ...whereOf(scope), ...(tool !== undefined && { tool }) };
      const { affected } = await manager.delete(ActivationEntity, where);
      if (affected) await this.#sql.run(this.#statements.dropEmpty(1), keyOf(scope), manager);
      return affected ?? 0;
    });
  }

  override sweep(staleBefore: number, batch: number): Promise<number> {
    return sweepRows(this.#sql, ActivationScopeEntity, 'used_at', staleBefore, batch);
  }

  override async browse(
    filter: ActivationFilter,
    { after, limit }: { readonly after?: string; readonly limit: number },
    staleBefore: number,
  ): Promise<ActivationPage> {
    const items: ActivationRecord[] = [];
    for await (const batch of this.#walk(filter, activationStart(filter, after))) {
      for (const { record, usedAt } of batch) if (usedAt >= staleBefore) items.push(record);
      if (items.length > limit) break;
    }
    const shown = items.slice(0, limit);
    const last = shown.at(-1);
    return { items: shown, ...(last && items.length > limit && { next: activationCursor(last) }) };
  }

  override async stats(staleBefore: number): Promise<ActivationStats> {
    const stats = { scopes: 0, activations: 0, tokens: 0, idleScopes: 0 };
    let oldestUseAt = Infinity;
    let previous = '';
    for await (const batch of this.#walk({}, activationStart({}))) {
      for (const { record, usedAt } of batch) {
        const scope = JSON.stringify(keyOf(record));
        const isNew = scope !== previous;
        previous = scope;
        if (usedAt < staleBefore) {
          stats.idleScopes += Number(isNew);
          continue;
        }
        stats.scopes += Number(isNew);
        stats.activations += 1;
        stats.tokens += record.tokens;
        oldestUseAt = Math.min(oldestUseAt, usedAt);
      }
    }
    return { ...stats, ...(stats.scopes > 0 && { oldestUseAt }) };
  }

  override async revokeAll(filter: ActivationFilter): Promise<number> {
    let removed = 0;
    for await (const batch of this.#walk(filter, activationStart(filter))) {
      if (batch.length > 0) removed += await this.#remove(batch.map(({ record }) => record));
    }
    return removed;
  }

  /** Removes only from scopes that could be locked: scopes that another transaction is changing are skipped. */
  #remove(records: readonly ActivationRecord[]): Promise<number> {
    const scopes = new Map(records.map((record) => [JSON.stringify(keyOf(record)), keyOf(record)]));
    return this.#sql.transaction(async (manager) => {
      const lock = this.#statements.lockAll(scopes.size);
      const { records: locked } = await this.#sql.run<ActivationScope>(lock, [...scopes.values()].flat(), manager);
      const found = new Set(locked.map((scope) => JSON.stringify(keyOf(scope))));
      const ours = records.filter((record) => found.has(JSON.stringify(keyOf(record))));
      if (ours.length === 0) return 0;
      const remove = this.#statements.removeEach(ours.length);
      const { affected = 0 } = await this.#sql.run(remove, ours.flatMap(activationKey), manager);
      await this.#sql.run(this.#statements.dropEmpty(locked.length), locked.flatMap(keyOf), manager);
      return affected;
    });
  }

  /** Yields all matching records in key order, batch by batch. Each batch reads the current state of the database. */
  async *#walk(filter: ActivationFilter, start: ActivationKey): AsyncGenerator<readonly ReturnType<typeof walked>[]> {
    let after = start;
    for (;;) {
      const { records } = await this.#sql.run<WalkedRow>(this.#statements.after, [...after, BATCH]);
      const batch = records.map(walked);
      yield batch.filter(({ record }) => activationMatches(record, filter));
      const last = batch.at(-1);
      if (!last || batch.length < BATCH || !isWithinFilter(filter, activationKey(last.record))) return;
      after = activationKey(last.record);
      // SQLite runs on this thread: let other work run between two batches.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #held(key: readonly string[], manager: EntityManager): Promise<readonly HeldActivation[]> {
    const { records } = await this.#sql.run<HeldRow>(this.#statements.held, key, manager);
    return records.map(heldOf);
  }
}

function whereOf({ tenantId, userId, scope, scopeId }: ActivationScope): ActivationScope {
  return { tenantId, userId, scope, scopeId };
}

function keyOf({ tenantId, userId, scope, scopeId }: ActivationScope): readonly string[] {
  return [tenantId, userId, scope, scopeId];
}

type HeldRow = Pick<ActivationRecord, 'tool' | 'reason' | 'tokens'> & Record<'activatedAt' | 'lastUsedAt', BigInteger>;
type WalkedRow = ActivationScope & HeldRow & { readonly scopeUsedAt: BigInteger };

function heldOf({ tool, reason, tokens, activatedAt, lastUsedAt }: HeldRow): HeldActivation {
  return { tool, reason, tokens, activatedAt: Number(activatedAt), usedAt: lastUse(activatedAt, lastUsedAt) };
}

function walked({ scopeUsedAt, ...row }: WalkedRow) {
  return { record: { ...whereOf(row), ...heldOf(row) }, usedAt: Number(scopeUsedAt) };
}

// An earlier version on the same database does not write last uses.
function lastUse(activatedAt: BigInteger, lastUsedAt: BigInteger): number {
  return Math.max(Number(activatedAt), Number(lastUsedAt));
}
