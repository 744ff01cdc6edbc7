import {
  type CallFilter,
  type CallGroup,
  type CallPage,
  type CallRecord,
  type CallSum,
  idFrom,
  MAX_GROUPS,
  MAX_SUMS,
  SPEED_BOUNDS_MS,
} from '@tool-search/core/stores';
import { type ObjectLiteral, Repository, type SelectQueryBuilder } from 'typeorm';
import { valueRows } from '../database/row-statements.js';
import { type Parameter, Sql } from '../database/sql.js';
import type { CallEntity } from './call.entity.js';

const HOUR_MS = 3_600_000;
// The name of a tool up to its first dot.
const POSTGRES_PREFIX = "split_part(call.tool, '.', 1)";
const SQLITE_PREFIX = "substr(call.tool, 1, instr(call.tool || '.', '.') - 1)";
const SPEED = `CASE ${SPEED_BOUNDS_MS.map((ms, index) => `WHEN call.us <= ${ms * 1000} THEN ${index}`).join(' ')} ELSE ${SPEED_BOUNDS_MS.length} END`;

/**
 * The repository of recorded calls: the methods of TypeORM, and the statements of their store. Injectable where
 * `ToolSearchTypeOrmModule` is imported.
 */
export class CallRepository extends Repository<CallEntity> {
  readonly #sql = new Sql(this.manager);

  /** Returns a page of the matching records in the order of their time. */
  async listMatching(filter: CallFilter, { limit, after, oldestFirst }: CallPage): Promise<readonly CallRecord[]> {
    const query = this.matching(filter)
      .orderBy('call.id', oldestFirst ? 'ASC' : 'DESC')
      .limit(limit);
    if (after !== undefined) query.andWhere(`call.id ${oldestFirst ? '>' : '<'} :after`, { after });
    return (await query.getMany()).map(recordOf);
  }

  /** Counts the matching calls of tools by hour, layer, decision and outcome, from the oldest hour on. */
  async sumMatching(filter: CallFilter): Promise<readonly CallSum[]> {
    const hour = `call.at - call.at % ${HOUR_MS}`;
    const rows = await this.matching({ ...filter, kind: 'call' })
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

  /** Groups the matching calls of tools by span of time, tenant, first part of the name, decision, outcome and speed. */
  async groupMatching(filter: CallFilter, spanMs: number): Promise<readonly CallGroup[]> {
    const by = {
      from: `call.at - call.at % ${spanMs}`,
      tenantId: 'call.tenantId',
      prefix: this.#sql.isPostgres ? POSTGRES_PREFIX : SQLITE_PREFIX,
      layer: 'call.layer',
      decision: 'call.decision',
      outcome: 'call.outcome',
      speed: SPEED,
    };
    const query = this.matching({ ...filter, kind: 'call' })
      .select('COUNT(*)', 'calls')
      // One more says that there are more.
      .limit(MAX_GROUPS + 1)
      .orderBy(by.from);
    for (const [name, expression] of Object.entries(by)) query.addSelect(expression, name).addGroupBy(expression);
    const rows = await query.getRawMany<CallGroup>();
    return rows.map((row) => ({ ...row, from: Number(row.from), speed: Number(row.speed), calls: Number(row.calls) }));
  }

  /** A query for the matching records, named `call` in it, to continue with conditions, sums and an order. */
  matching({ since, until, ...rest }: CallFilter): SelectQueryBuilder<CallEntity> {
    const where: ObjectLiteral = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    const query = this.createQueryBuilder('call').where(where);
    // Said once more as a constant, because a database uses a partial index only if it can prove its condition.
    if (rest.layer !== undefined && rest.layer !== 'approval') query.andWhere("call.layer <> 'approval'");
    if (rest.outcome !== undefined && rest.outcome !== 'ok') query.andWhere("call.outcome <> 'ok'");
    if (since !== undefined) query.andWhere('call.id >= :since', { since: idFrom(since) });
    if (until !== undefined) query.andWhere('call.id < :until', { until: idFrom(until) });
    return query;
  }

  /** Inserts records in one statement. One that is stored already is not changed. */
  async add(records: readonly CallRecord[]): Promise<void> {
    const { columns } = this.metadata;
    const names = columns.map(({ databaseName }) => databaseName).join(', ');
    await this.#sql.run(
      `INSERT INTO ${this.#table} (${names}) VALUES ${valueRows(records.length, columns.length)} ON CONFLICT (id) DO NOTHING`,
      records.flatMap((record) => {
        const row = rowOf(record);
        return columns.map(({ propertyName }) => row[propertyName as keyof CallEntity]);
      }),
    );
  }

  /** Removes up to `batch` of the oldest records beyond the newest `keep`, and of those before a time, if it is not 0. */
  async removeOld(before: number, keep: number, batch: number): Promise<number> {
    // The newest record that is beyond the limit, through the index of the key alone.
    const [beyond] = await this.find({ select: { id: true }, order: { id: 'DESC' }, skip: keep, take: 1 });
    const expired = before > 0 ? idFrom(before) : '';
    const isFull = beyond !== undefined && beyond.id >= expired;
    if (!isFull && expired === '') return 0;
    return this.#remove(`id ${isFull ? '<=' : '<'} ?`, [isFull ? beyond.id : expired], batch);
  }

  /** Removes up to `batch` of the oldest records of a tenant, or of one of its users. */
  removeOf({ tenantId, userId }: { tenantId: string; userId?: string }, batch: number): Promise<number> {
    if (userId === undefined) return this.#remove('tenant_id = ?', [tenantId], batch);
    return this.#remove('tenant_id = ? AND user_id = ?', [tenantId, userId], batch);
  }

  async #remove(where: string, parameters: readonly Parameter[], batch: number): Promise<number> {
    const lock = this.#sql.isPostgres ? ' FOR UPDATE SKIP LOCKED' : '';
    const { affected = 0 } = await this.#sql.run(
      `WITH gone AS MATERIALIZED (SELECT id FROM ${this.#table} WHERE ${where} ORDER BY id LIMIT ?${lock}) ` +
        `DELETE FROM ${this.#table} WHERE id IN (SELECT id FROM gone)`,
      [...parameters, batch],
    );
    return affected;
  }

  get #table(): string {
    return this.#sql.table(this.target);
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
