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
  type ActivationReason,
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
} from '@tool-search/core';
import type { DataSource, EntityManager } from 'typeorm';
import { activationStatements } from './activation-statements.js';
import { type BigInteger, type Parameter, runStatement, type StatementResult } from '../database/run-statement.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';

/** Records read or removed per statement. Small, because a SQLite statement blocks all other requests. */
const BATCH = 250;

interface WalkedRecord {
  readonly record: ActivationRecord;
  readonly usedAt: number;
}

/**
 * Stores activations in SQLite or PostgreSQL. Exact under concurrency: each change first locks the row of its scope.
 * Requires a DataSource made by `createDataSource`.
 */
@Injectable()
export class TypeOrmActivationStore extends ActivationStore {
  readonly #sql: ReturnType<typeof activationStatements>;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = activationStatements(dataSource);
  }

  override async list(scope: ActivationScope, staleBefore: number): Promise<readonly Activation[]> {
    const { records } = await this.#run<Omit<HeldRow, 'tokens'>>(this.#sql.list, [...keyOf(scope), staleBefore]);
    // Sorted here, because databases order letters differently.
    return records
      .map(({ tool, reason, ...times }) => ({ tool, reason, ...timesOf(times) }))
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
    return this.#transaction(async (manager) => {
      await this.#run(this.#sql.expire, [...key, staleBefore], manager);
      await this.#run(this.#sql.claim, [...key, now], manager);
      const held = await this.#held(key, manager);
      const costs = new Map(held.map(({ tool, tokens }) => [tool, tokens]));
      const { admitted, alreadyActive, overLimit } = applyLimits(costs, tools, limits);
      for (const { tool, reason, tokens } of admitted) {
        await this.#run(this.#sql.add, [...key, tool, reason, tokens, now, now], manager);
      }
      const used = held.filter(({ tool, usedAt }) => usedAt <= now - USE_PRECISION_MS && alreadyActive.includes(tool));
      for (const some of batchesOf(used)) {
        await this.#run(this.#sql.use(some.length), [now, ...some.flatMap(({ tool }) => [...key, tool])], manager);
      }
      if (costs.size + admitted.length === 0) await this.#run(this.#sql.dropEmpty, key, manager);
      return { activated: admitted.map(({ tool }) => tool), alreadyActive, overLimit };
    });
  }

  override async lastUse(scope: ActivationScope, staleBefore: number): Promise<number | undefined> {
    type Row = { used_at: BigInteger };
    const { records } = await this.#run<Row>(this.#sql.lastUse, [...keyOf(scope), staleBefore]);
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
    return this.#transaction(async (manager) => {
      type Row = { used_at: BigInteger };
      const { records } = await this.#run<Row>(this.#sql.lockUsed, [...key, staleBefore], manager);
      if (!records[0]) return [];
      await this.#run(this.#sql.touch, [now, ...key, now], manager);
      if (Number(records[0].used_at) >= restedBefore) return [];
      const held = await this.#held(key, manager);
      const names = new Set(held.map(({ tool }) => tool));
      const demoted = choose(held).filter((tool) => names.delete(tool));
      for (const some of batchesOf(demoted)) {
        const sql = this.#sql.removeEach(some.length);
        await this.#run(
          sql,
          some.flatMap((tool) => [...key, tool]),
          manager,
        );
      }
      if (names.size === 0) await this.#run(this.#sql.dropEmpty, key, manager);
      return demoted;
    });
  }

  override async revoke(scope: ActivationScope, tool?: string): Promise<number> {
    const key = keyOf(scope);
    return this.#transaction(async (manager) => {
      await this.#run(this.#sql.lock, key, manager);
      const [sql, parameters] = tool === undefined ? [this.#sql.removeAll, key] : [this.#sql.removeOne, [...key, tool]];
      const { affected = 0 } = await this.#run(sql, parameters, manager);
      if (affected > 0) await this.#run(this.#sql.dropEmpty, key, manager);
      return affected;
    });
  }

  override async sweep(staleBefore: number, batch: number): Promise<number> {
    const { affected = 0 } = await this.#run(this.#sql.sweep, [staleBefore, batch]);
    return affected;
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
    return this.#transaction(async (manager) => {
      type Row = { tenant_id: string; user_id: string; scope: string; scope_id: string };
      const lock = await this.#run<Row>(this.#sql.lockAll(scopes.size), [...scopes.values()].flat(), manager);
      const locked = new Map(
        lock.records
          .map(({ tenant_id, user_id, scope, scope_id }) => [tenant_id, user_id, scope, scope_id])
          .map((key) => [JSON.stringify(key), key]),
      );
      const ours = records.filter((record) => locked.has(JSON.stringify(keyOf(record))));
      if (ours.length === 0) return 0;
      const sql = this.#sql.removeEach(ours.length);
      const { affected = 0 } = await this.#run(sql, ours.flatMap(activationKey), manager);
      await this.#run(this.#sql.dropAllEmpty(locked.size), [...locked.values()].flat(), manager);
      return affected;
    });
  }

  /** Yields all matching records in key order, batch by batch. Each batch reads the current state of the database. */
  async *#walk(filter: ActivationFilter, start: ActivationKey): AsyncGenerator<readonly WalkedRecord[]> {
    let after = start;
    for (;;) {
      const { records } = await this.#run<WalkedRow>(this.#sql.after, [...after, BATCH]);
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
    const { records } = await this.#run<HeldRow>(this.#sql.held, key, manager);
    return records.map(({ tool, reason, tokens, ...times }) => ({ tool, reason, tokens, ...timesOf(times) }));
  }

  /** READ COMMITTED: every statement after the lock sees everything that the previous lock holder committed. */
  #transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const isolation = this.dataSource.options.type === 'postgres' ? 'READ COMMITTED' : 'SERIALIZABLE';
    return this.dataSource.transaction(isolation, work);
  }

  #run<Row>(sql: string, parameters: readonly Parameter[], manager?: EntityManager): Promise<StatementResult<Row>> {
    return runStatement(this.dataSource, sql, parameters, manager);
  }
}

function keyOf({ tenantId, userId, scope, scopeId }: ActivationScope): readonly string[] {
  return [tenantId, userId, scope, scopeId];
}

interface UseTimes {
  readonly activated_at: BigInteger;
  readonly last_used_at: BigInteger;
}

interface HeldRow extends UseTimes {
  readonly tool: string;
  readonly reason: ActivationReason;
  readonly tokens: number;
}

// An earlier version on the same database does not write last uses.
function timesOf({ activated_at, last_used_at }: UseTimes): Pick<Activation, 'activatedAt' | 'usedAt'> {
  return { activatedAt: Number(activated_at), usedAt: Math.max(Number(activated_at), Number(last_used_at)) };
}

function batchesOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, n) => items.slice(n * BATCH, (n + 1) * BATCH));
}

interface WalkedRow extends HeldRow {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly scope: 'run' | 'session';
  readonly scope_id: string;
  readonly used_at: BigInteger;
}

function walked(row: WalkedRow): WalkedRecord {
  const { tenant_id, user_id, scope, scope_id, tool, reason, tokens, used_at } = row;
  const whose = { tenantId: tenant_id, userId: user_id, scope, scopeId: scope_id };
  return {
    record: { ...whose, tool, reason, tokens, ...timesOf(row) },
    usedAt: Number(used_at),
  };
}
