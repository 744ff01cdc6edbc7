import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type Activation,
  activationCursor,
  type ActivationFilter,
  activationKey,
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
import type { ActivationKey } from '@tool-search/core/internal';
import type { DataSource } from 'typeorm';
import { Sql } from '../database/sql.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { ActivationScopeEntity } from './activation-scope.entity.js';
import { ActivationScopeRepository } from './activation-scope.repository.js';
import { ActivationEntity } from './activation.entity.js';
import { ActivationRepository } from './activation.repository.js';
import { scopeKey, scopeOf } from './scope-key.js';

/** Records read at once. Small, because a SQLite statement blocks all other requests. */
const BATCH = 250;

/**
 * Stores activations in SQLite or PostgreSQL. Exact under concurrency: each change first locks the row of its scope.
 * Requires a DataSource made by `createDataSource`.
 */
@Injectable()
export class TypeOrmActivationStore extends ActivationStore {
  readonly #sql: Sql;
  readonly #activations: ActivationRepository;
  readonly #scopes: ActivationScopeRepository;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) { manager }: DataSource) {
    super();
    this.#sql = new Sql(manager);
    this.#activations = new ActivationRepository(ActivationEntity, manager);
    this.#scopes = new ActivationScopeRepository(ActivationScopeEntity, manager);
  }

  override list(scope: ActivationScope, staleBefore: number): Promise<readonly Activation[]> {
    return this.#activations.listActive(scope, staleBefore);
  }

  override async activate(
    scope: ActivationScope,
    tools: readonly NewActivation[],
    limits: ActivationLimits,
    now: number,
    staleBefore: number,
  ): Promise<ActivationOutcome> {
    return this.#changing(async (activations, scopes) => {
      await scopes.expire(scope, staleBefore);
      await scopes.claim(scope, now);
      const held = await activations.listHeld(scope);
      const costs = new Map(held.map(({ tool, tokens }) => [tool, tokens]));
      const { admitted, alreadyActive, overLimit } = applyLimits(costs, tools, limits);
      await activations.add(scope, admitted, now);
      const used = held.filter(({ tool, usedAt }) => usedAt <= now - USE_PRECISION_MS && alreadyActive.includes(tool));
      await activations.setUsed(scope, used.map(nameOf), now);
      if (costs.size + admitted.length === 0) await scopes.removeEmpty([scope]);
      return { activated: admitted.map(nameOf), alreadyActive, overLimit };
    });
  }

  override lastUse(scope: ActivationScope, staleBefore: number): Promise<number | undefined> {
    return this.#scopes.lastUse(scope, staleBefore);
  }

  override async demote(
    scope: ActivationScope,
    choose: (activations: readonly HeldActivation[]) => readonly string[],
    restedBefore: number,
    now: number,
    staleBefore: number,
  ): Promise<readonly string[]> {
    return this.#changing(async (activations, scopes) => {
      const locked = await scopes.lock(scope);
      if (!locked || locked.usedAt < staleBefore) return [];
      await scopes.touch(scope, now);
      if (locked.usedAt >= restedBefore) return [];
      const held = await activations.listHeld(scope);
      const names = new Set(held.map(nameOf));
      const demoted = choose(held).filter((tool) => names.delete(tool));
      await activations.removeEach(demoted.map((tool) => ({ ...scope, tool })));
      if (names.size === 0) await scopes.removeEmpty([scope]);
      return demoted;
    });
  }

  override async revoke(scope: ActivationScope, tool?: string): Promise<number> {
    return this.#changing(async (activations, scopes) => {
      await scopes.lock(scope);
      const { affected } = await activations.delete({ ...scopeOf(scope), ...(tool !== undefined && { tool }) });
      if (affected) await scopes.removeEmpty([scope]);
      return affected ?? 0;
    });
  }

  override sweep(staleBefore: number, batch: number): Promise<number> {
    return this.#scopes.sweep(staleBefore, batch);
  }

  override async browse(
    filter: ActivationFilter,
    { after, limit }: { readonly after?: string; readonly limit: number },
    staleBefore: number,
  ): Promise<ActivationPage> {
    const items: ActivationRecord[] = [];
    for await (const batch of this.#walk(filter, activationStart(filter, after))) {
      for (const { record, scopeUsedAt } of batch) if (scopeUsedAt >= staleBefore) items.push(record);
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
      for (const { record, scopeUsedAt } of batch) {
        const scope = JSON.stringify(scopeKey(record));
        const isNew = scope !== previous;
        previous = scope;
        if (scopeUsedAt < staleBefore) {
          stats.idleScopes += Number(isNew);
          continue;
        }
        stats.scopes += Number(isNew);
        stats.activations += 1;
        stats.tokens += record.tokens;
        oldestUseAt = Math.min(oldestUseAt, scopeUsedAt);
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

  /** Removes only from scopes that still exist. */
  #remove(records: readonly ActivationRecord[]): Promise<number> {
    const asked = new Map(records.map((record) => [JSON.stringify(scopeKey(record)), record]));
    return this.#changing(async (activations, scopes) => {
      const locked = await scopes.lockEach([...asked.values()]);
      const found = new Set(locked.map((scope) => JSON.stringify(scopeKey(scope))));
      const ours = records.filter((record) => found.has(JSON.stringify(scopeKey(record))));
      if (ours.length === 0) return 0;
      const removed = await activations.removeEach(ours);
      await scopes.removeEmpty(locked);
      return removed;
    });
  }

  /** Yields all matching records in key order, batch by batch. Each batch reads the current state of the database. */
  async *#walk(filter: ActivationFilter, start: ActivationKey) {
    let after = start;
    for (;;) {
      const batch = await this.#activations.listAfter(after, BATCH);
      yield batch.filter(({ record }) => activationMatches(record, filter));
      const last = batch.at(-1);
      if (!last || batch.length < BATCH || !isWithinFilter(filter, activationKey(last.record))) return;
      after = activationKey(last.record);
      // SQLite runs on this thread: let other work run between two batches.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #changing<T>(work: (activations: ActivationRepository, scopes: ActivationScopeRepository) => Promise<T>): Promise<T> {
    return this.#sql.transaction((manager) =>
      work(manager.withRepository(this.#activations), manager.withRepository(this.#scopes)),
    );
  }
}

function nameOf({ tool }: { readonly tool: string }): string {
  return tool;
}
