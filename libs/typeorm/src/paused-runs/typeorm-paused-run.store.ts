import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { MAX_PAUSED_RUNS, type PausedRun, PausedRunStore, type PausedTool, type RunKey } from '@tool-search/core';
import type { DataSource } from 'typeorm';
import { type Dialect, dialectOf } from '../database/dialect.js';
import { PausedRunEntity } from './paused-run.entity.js';
import { type BigInteger, type Parameter, runStatement, type StatementResult } from '../database/run-statement.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';

const KEY = 'tenant_id, user_id, run_id';
const IS_KEY = 'tenant_id = ? AND user_id = ? AND run_id = ?';
const REST = 'session_id, paused_at, catalog_digest, control_revision, tools';

/** Stores paused runs in SQLite or PostgreSQL. Requires a DataSource made by `createDataSource`. */
@Injectable()
export class TypeOrmPausedRunStore extends PausedRunStore {
  readonly #dialect: Dialect;
  readonly #table: string;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#dialect = dialectOf(dataSource);
    this.#table = this.#dialect.table(PausedRunEntity);
  }

  override async save(run: PausedRun, maxPerTenant = MAX_PAUSED_RUNS): Promise<void> {
    const { sessionId = '', pausedAt, catalogDigest, controlRevision, tools } = run;
    const updates = REST.split(', ').map((column) => `${column} = excluded.${column}`);
    await this.#run(
      `INSERT INTO ${this.#table} (${KEY}, ${REST}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ` +
        `ON CONFLICT (${KEY}) DO UPDATE SET ${updates.join(', ')}`,
      [...keyOf(run), sessionId, pausedAt, catalogDigest, controlRevision, JSON.stringify(tools)],
    );
    // Removes all runs older than the last one within the limit.
    await this.#run(
      `DELETE FROM ${this.#table} WHERE tenant_id = ? AND paused_at < ` +
        `(SELECT paused_at FROM ${this.#table} WHERE tenant_id = ? ORDER BY paused_at DESC LIMIT 1 OFFSET ?)`,
      [run.tenantId, run.tenantId, maxPerTenant - 1],
    );
  }

  override async find(key: RunKey): Promise<PausedRun | undefined> {
    type Row = {
      session_id: string;
      paused_at: BigInteger;
      catalog_digest: string;
      control_revision: BigInteger;
      tools: string;
    };
    const { records } = await this.#run<Row>(`SELECT ${REST} FROM ${this.#table} WHERE ${IS_KEY}`, keyOf(key));
    const row = records[0];
    if (!row) return undefined;
    const { tenantId, userId, runId } = key;
    return {
      tenantId,
      userId,
      runId,
      ...(row.session_id !== '' && { sessionId: row.session_id }),
      pausedAt: Number(row.paused_at),
      catalogDigest: row.catalog_digest,
      controlRevision: Number(row.control_revision),
      tools: JSON.parse(row.tools) as readonly PausedTool[],
    };
  }

  // Materialized, because PostgreSQL may run a plain subquery again for every row and exceed the batch. Skips a run
  // that is just being paused again.
  override async sweep(before: number, batch: number): Promise<number> {
    const { affected = 0 } = await this.#run(
      `WITH old AS MATERIALIZED (SELECT ${KEY} FROM ${this.#table} WHERE paused_at < ? ORDER BY paused_at LIMIT ?` +
        `${this.#dialect.isPostgres ? ' FOR UPDATE SKIP LOCKED' : ''}) ` +
        `DELETE FROM ${this.#table} WHERE (${KEY}) IN (SELECT ${KEY} FROM old)`,
      [before, batch],
    );
    return affected;
  }

  #run<Row>(sql: string, parameters: readonly Parameter[]): Promise<StatementResult<Row>> {
    return runStatement<Row>(this.dataSource, this.#dialect.numbered(sql), parameters);
  }
}

function keyOf({ tenantId, userId, runId }: RunKey): readonly string[] {
  return [tenantId, userId, runId];
}
