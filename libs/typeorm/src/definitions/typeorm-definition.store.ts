import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type AcceptedTool, DefinitionStore, type PinChange, type SourceKey, type SourcePins } from '@tool-search/core';
import type { DataSource, EntityManager } from 'typeorm';
import { type BigInteger, type Parameter, runStatement } from '../database/run-statement.js';
import { durableTransaction } from '../database/sqlite-gate.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import {
  BATCH,
  inBatches,
  type Origin,
  originOf,
  type OriginRow,
  pinOf,
  type PinRow,
  sourceParameters,
  toolId,
  toolParameters,
} from './definition-rows.js';
import { definitionStatements } from './definition-statements.js';

const KEEP_GONE = 1_000;
/** Allows a thousand changes per millisecond before the clock could reach an earlier revision. */
const REVISIONS_PER_MS = 1_000;

/**
 * Stores the tool definitions of sources in SQLite or PostgreSQL. Each change first locks the row of its source, so
 * changes are serialized. An acknowledged change survives a power failure. Requires a DataSource made by
 * `createDataSource`.
 */
@Injectable()
export class TypeOrmDefinitionStore extends DefinitionStore {
  readonly #sql: ReturnType<typeof definitionStatements>;
  readonly #isPostgres: boolean;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = definitionStatements(dataSource);
    this.#isPostgres = dataSource.options.type === 'postgres';
  }

  override async pins(key: SourceKey, known?: number): Promise<SourcePins | 'unchanged' | undefined> {
    const [id] = sourceParameters(key);
    if (known !== undefined) {
      const [source] = await this.#run<{ revision: BigInteger }>(this.#sql.revision, [id]);
      if (!source) return undefined;
      if (Number(source.revision) === known) return 'unchanged';
    }
    type Row = { revision: BigInteger } & (PinRow | { tool: null });
    const rows = await this.#run<Row>(this.#sql.pins, [id]);
    if (!rows[0]) return undefined;
    const pins = rows.flatMap((row) => (row.tool === null ? [] : pinOf(row)));
    return { revision: Number(rows[0].revision), pins };
  }

  /** All results are of one moment: a concurrent change is seen completely or not at all. */
  override async origins(key: SourceKey, tools?: readonly string[]): Promise<ReadonlyMap<string, Origin>> {
    const [id] = sourceParameters(key);
    const isolation = this.#isPostgres ? 'REPEATABLE READ' : 'SERIALIZABLE';
    const found = new Map<string, Origin>();
    await this.dataSource.transaction(isolation, async (manager) => {
      for await (const rows of tools ? this.#named(id, tools, manager) : this.#listed(id, manager)) {
        for (const row of rows) {
          const known = originOf(row);
          if (known) found.set(...known);
        }
        // SQLite runs on this thread: let other work run between two batches.
        await setImmediate();
      }
    });
    return found;
  }

  override async register(key: SourceKey, tools: readonly AcceptedTool[]): Promise<void> {
    const source = sourceParameters(key);
    await this.#changing(async (manager) => {
      const made = await this.#run(this.#sql.register, [...source, firstRevision()], manager);
      if (made.length > 0) await this.#put(source[0], tools, manager);
    });
  }

  override async change(key: SourceKey, { accepted, gone }: PinChange, keepGone = KEEP_GONE): Promise<void> {
    const source = sourceParameters(key);
    const [id] = source;
    await this.#changing(async (manager) => {
      await this.#run(this.#sql.advance, [...source, firstRevision()], manager);
      await this.#put(id, accepted, manager);
      for (const batch of inBatches(gone.map((tool) => [toolId(tool)]))) {
        await this.#run(this.#sql.unlist(batch.length), [id, ...batch.flat()], manager);
        await setImmediate();
      }
      await this.#run(this.#sql.trim, [id, id, keepGone], manager);
    });
  }

  override async forget(key: SourceKey): Promise<void> {
    const [id] = sourceParameters(key);
    await this.#run(this.#sql.forget, [id]);
  }

  async #put(id: string, tools: readonly AcceptedTool[], manager: EntityManager): Promise<void> {
    // A statement may write a row only once; of two tools with the same name the last one counts.
    const byName = new Map(tools.map((tool) => [tool.tool, tool]));
    for (const batch of inBatches(rowsOf(id, byName.values()))) {
      await this.#run(this.#sql.put(batch.length), batch.flat(), manager);
      await setImmediate();
    }
  }

  async *#listed(id: string, manager: EntityManager): AsyncGenerator<readonly OriginRow[]> {
    let after = '';
    for (;;) {
      const rows = await this.#run<OriginRow>(this.#sql.listedOrigins, [id, after, BATCH], manager);
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      after = last.tool_id;
    }
  }

  async *#named(id: string, tools: readonly string[], manager: EntityManager): AsyncGenerator<readonly OriginRow[]> {
    for (const batch of inBatches(tools.map((tool) => [toolId(tool)]))) {
      yield await this.#run<OriginRow>(this.#sql.origins(batch.length), [id, ...batch.flat()], manager);
    }
  }

  /** READ COMMITTED: every statement after the lock sees everything that the previous lock holder committed. */
  #changing(work: (manager: EntityManager) => Promise<void>): Promise<void> {
    if (!this.#isPostgres) return durableTransaction(this.dataSource, work);
    return this.dataSource.transaction('READ COMMITTED', async (manager) => {
      await this.#run(this.#sql.bound, [], manager);
      await work(manager);
    });
  }

  async #run<Row>(sql: string, parameters: readonly Parameter[], manager?: EntityManager) {
    return (await runStatement<Row>(this.dataSource, sql, parameters, manager)).records;
  }
}

function* rowsOf(id: string, tools: Iterable<AcceptedTool>): Generator<readonly Parameter[]> {
  for (const tool of tools) yield toolParameters(id, tool);
}

function firstRevision(): number {
  return Date.now() * REVISIONS_PER_MS;
}
