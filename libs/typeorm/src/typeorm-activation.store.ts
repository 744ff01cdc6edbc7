import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type Activation,
  type ActivationLimits,
  type ActivationOutcome,
  type ActivationReason,
  type ActivationScope,
  ActivationStore,
  admit,
  type NewActivation,
} from '@tool-search/core';
import type { DataSource, EntityManager, QueryResult } from 'typeorm';
import { activationStatements } from './activation-statements.js';
import { type BigInteger, type Parameter, runStatement } from './run-statement.js';
import { TOOL_SEARCH_DATA_SOURCE } from './tool-search-data-source.js';

/**
 * Activations in SQLite or PostgreSQL, exact under concurrency: whoever changes a scope first locks its row. Takes a
 * DataSource made by `createDataSource`.
 */
@Injectable()
export class TypeOrmActivationStore extends ActivationStore {
  readonly #sql: ReturnType<typeof activationStatements>;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = activationStatements(dataSource);
  }

  override async list(scope: ActivationScope, staleBefore: number): Promise<readonly Activation[]> {
    type Row = { tool: string; reason: ActivationReason; activated_at: BigInteger };
    const { records } = await this.#run<Row>(this.#sql.list, [...keyOf(scope), staleBefore]);
    // Sorted here: databases have their own ideas of the order of letters.
    return records
      .map(({ tool, reason, activated_at }) => ({ tool, reason, activatedAt: Number(activated_at) }))
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
      const held = await this.#run<{ tool: string; tokens: number }>(this.#sql.held, key, manager);
      const costs = new Map(held.records.map(({ tool, tokens }) => [tool, tokens]));
      const { admitted, alreadyActive, overLimit } = admit(costs, tools, limits);
      for (const { tool, reason, tokens } of admitted) {
        await this.#run(this.#sql.add, [...key, tool, reason, tokens, now], manager);
      }
      if (costs.size + admitted.length === 0) await this.#run(this.#sql.dropEmpty, key, manager);
      return { activated: admitted.map(({ tool }) => tool), alreadyActive, overLimit };
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

  /** With READ COMMITTED every statement after the lock sees what the last holder of the lock has written. */
  #transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const isolation = this.dataSource.options.type === 'postgres' ? 'READ COMMITTED' : 'SERIALIZABLE';
    return this.dataSource.transaction(isolation, work);
  }

  #run<Row>(sql: string, parameters: readonly Parameter[], manager?: EntityManager): Promise<QueryResult<Row>> {
    return runStatement(this.dataSource, sql, parameters, manager);
  }
}

function keyOf({ tenantId, userId, scope, scopeId }: ActivationScope): readonly string[] {
  return [tenantId, userId, scope, scopeId];
}
