import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type CallFilter,
  type CallPage,
  type CallRecord,
  type CallRetention,
  type CallSum,
  idFrom,
  MAX_SUMS,
  ToolCallStore,
} from '@tool-search/core/stores';
import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { batchesOf, valueRows } from '../database/row-statements.js';
import { type Parameter, Sql } from '../database/sql.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { CallEntity } from './call.entity.js';

/** Rows of one statement. On SQLite it blocks other requests. */
const BATCH = 100;
const HOUR_MS = 3_600_000;

/** Stores the record of calls in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmToolCallStore extends ToolCallStore {
  readonly #sql: Sql;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource);
  }

  // Nest ends modules in an order that depends on the application's imports, so the DataSource may be destroyed first.
  override beforeClosing(work: () => Promise<void>): void {
    const { dataSource } = this;
    const destroy = dataSource.destroy.bind(dataSource);
    dataSource.destroy = async () => {
      await work();
      await destroy();
    };
  }

  override async add(records: readonly CallRecord[]): Promise<void> {
    if (records.length === 0) return;
    if (records.length <= BATCH) return this.#insert(records);
    await this.#sql.transaction(async (manager) => {
      // In the order of ids, so that two instances that repeat the same records do not deadlock.
      const sorted = [...records].sort((left, right) => (left.id < right.id ? -1 : 1));
      for (const some of batchesOf(sorted, BATCH)) await this.#insert(some, manager);
    });
  }

  override async list(filter: CallFilter, { limit, after, oldestFirst }: CallPage): Promise<readonly CallRecord[]> {
    const query = this.#matching(filter)
      .orderBy('call.id', oldestFirst ? 'ASC' : 'DESC')
      .limit(limit);
    if (after !== undefined) query.andWhere(`call.id ${oldestFirst ? '>' : '<'} :after`, { after });
    return (await query.getMany()).map(recordOf);
  }

  override async sums(filter: CallFilter): Promise<readonly CallSum[]> {
    const hour = `call.at - call.at % ${HOUR_MS}`;
    const rows = await this.#matching({ ...filter, kind: 'call' })
      .select(hour, 'hour')
      .addSelect('call.layer', 'layer')
      .addSelect('call.decision', 'decision')
      .addSelect('call.outcome', 'outcome')
      .addSelect('COUNT(*)', 'calls')
      .groupBy(hour)
      .addGroupBy('call.layer')
      .addGroupBy('call.decision')
      .addGroupBy('call.outcome')
      .orderBy(hour)
      .limit(MAX_SUMS)
      .getRawMany<CallSum>();
    // PostgreSQL sends big integers as text.
    return rows.map((row) => ({ ...row, hour: Number(row.hour), calls: Number(row.calls) }));
  }

  override async sweep({ before, keep }: CallRetention, batch: number): Promise<number> {
    const calls = this.dataSource.getRepository(CallEntity);
    // The newest record that is beyond the limit, through the index of the key alone.
    const [beyond] = await calls.find({ select: { id: true }, order: { id: 'DESC' }, skip: keep, take: 1 });
    const expired = before > 0 ? idFrom(before) : '';
    const isFull = beyond !== undefined && beyond.id >= expired;
    if (!isFull && expired === '') return 0;
    return this.#remove(`id ${isFull ? '<=' : '<'} ?`, [isFull ? beyond.id : expired], batch);
  }

  override erase({ tenantId, userId }: { tenantId: string; userId?: string }, batch: number): Promise<number> {
    if (userId === undefined) return this.#remove('tenant_id = ?', [tenantId], batch);
    return this.#remove('tenant_id = ? AND user_id = ?', [tenantId, userId], batch);
  }

  async #insert(records: readonly CallRecord[], manager?: Parameters<Sql['run']>[2]): Promise<void> {
    const { columns } = this.dataSource.getMetadata(CallEntity);
    const names = columns.map(({ databaseName }) => databaseName).join(', ');
    await this.#sql.run(
      `INSERT INTO ${this.#sql.table(CallEntity)} (${names}) ` +
        `VALUES ${valueRows(records.length, columns.length)} ON CONFLICT (id) DO NOTHING`,
      records.flatMap((record) => {
        const row = rowOf(record);
        return columns.map(({ propertyName }) => row[propertyName as keyof CallEntity]);
      }),
      manager,
    );
  }

  async #remove(where: string, parameters: readonly Parameter[], batch: number): Promise<number> {
    const table = this.#sql.table(CallEntity);
    const lock = this.#sql.isPostgres ? ' FOR UPDATE SKIP LOCKED' : '';
    const { affected = 0 } = await this.#sql.run(
      `WITH gone AS MATERIALIZED (SELECT id FROM ${table} WHERE ${where} ORDER BY id LIMIT ?${lock}) ` +
        `DELETE FROM ${table} WHERE id IN (SELECT id FROM gone)`,
      [...parameters, batch],
    );
    return affected;
  }

  #matching({ since, until, ...rest }: CallFilter): SelectQueryBuilder<CallEntity> {
    const where: ObjectLiteral = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    const query = this.dataSource.createQueryBuilder(CallEntity, 'call').where(where);
    // Said once more as a constant, because a database uses a partial index only if it can prove its condition.
    if (rest.layer !== undefined && rest.layer !== 'approval') query.andWhere("call.layer <> 'approval'");
    if (rest.outcome !== undefined && rest.outcome !== 'ok') query.andWhere("call.outcome <> 'ok'");
    if (since !== undefined) query.andWhere('call.id >= :since', { since: idFrom(since) });
    if (until !== undefined) query.andWhere('call.id < :until', { until: idFrom(until) });
    return query;
  }
}

type Row = { readonly [K in keyof CallEntity]: Parameter };

function rowOf({ ms, ...record }: CallRecord): Row {
  return {
    ...record,
    us: Math.round(ms * 1000),
    agentIds: JSON.stringify(record.agentIds),
    narrowed: Number(record.narrowed),
    cached: Number(record.cached),
    tools: JSON.stringify(record.tools),
    toolTokens: record.toolTokens ? JSON.stringify(record.toolTokens) : null,
    resultTokens: record.resultTokens ?? null,
    arguments: record.arguments ?? null,
    result: record.result ?? null,
  };
}

function recordOf({ us, narrowed, cached, toolTokens, resultTokens, ...row }: CallEntity): CallRecord {
  const { arguments: given, result, ...record } = row;
  return {
    ...record,
    narrowed: narrowed === 1,
    cached: cached === 1,
    ms: us / 1000,
    ...(toolTokens !== null && { toolTokens }),
    ...(resultTokens !== null && { resultTokens }),
    ...(given !== null && { arguments: given }),
    ...(result !== null && { result }),
  };
}
