import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type AcceptedTool,
  type DefinitionPin,
  DefinitionStore,
  type PinChange,
  type SourceKey,
  type SourcePins,
} from '@tool-search/core/stores';
import { isObject, parsedJson } from '@tool-search/core/internal';
import { type DataSource, type EntityManager, In } from 'typeorm';
import { valueRows } from '../database/row-statements.js';
import { type BigInteger, type Parameter, Sql } from '../database/sql.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { DefinitionSourceEntity } from './definition-source.entity.js';
import { DefinitionEntity } from './definition.entity.js';

type Origin = AcceptedTool['origin'];

const KEEP_GONE = 1_000;
/** Allows a thousand changes per millisecond before the clock could reach an earlier revision. */
const REVISIONS_PER_MS = 1_000;
/** Rows read or written per statement. Small, because a SQLite statement blocks all other requests. */
const BATCH = 100;
const BATCH_CHARS = 256 * 1024;

const PIN = ['tool', 'fingerprint', 'volatile', 'listed', 'accepted_at'];
const ROW = ['source_id', 'tool_id', ...PIN, 'origin'];

/**
 * Stores the tool definitions of sources in SQLite or PostgreSQL. Each change first locks the row of its source, so
 * changes are serialized. An acknowledged change survives a power failure. Requires a DataSource made by
 * `createDataSource`.
 */
@Injectable()
export class TypeOrmDefinitionStore extends DefinitionStore {
  readonly #sql: Sql;
  readonly #sources: string;
  readonly #definitions: string;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource.manager);
    this.#sources = this.#sql.table(DefinitionSourceEntity);
    this.#definitions = this.#sql.table(DefinitionEntity);
  }

  override async pins(key: SourceKey, known?: number): Promise<SourcePins | 'unchanged' | undefined> {
    const { id } = sourceOf(key);
    if (known !== undefined) {
      const found = await this.#sql.run<{ revision: BigInteger }>(
        `SELECT revision FROM ${this.#sources} WHERE id = ?`,
        [id],
      );
      if (!found.records[0]) return undefined;
      if (Number(found.records[0].revision) === known) return 'unchanged';
    }
    // Revision and pins in one statement, so that both are of the same moment. Without pins: one row of nulls.
    const { records } = await this.#sql.run<{ revision: BigInteger } & (PinRow | { tool: null })>(
      `SELECT known.revision, ${PIN.map((column) => `pin.${column}`).join(', ')} FROM ${this.#sources} AS known ` +
        `LEFT JOIN ${this.#definitions} AS pin ON pin.source_id = known.id WHERE known.id = ?`,
      [id],
    );
    if (!records[0]) return undefined;
    const pins = records.flatMap((row) => (row.tool === null ? [] : pinOf(row)));
    return { revision: Number(records[0].revision), pins };
  }

  /** All results are of one moment: a concurrent change is seen completely or not at all. */
  override async origins(key: SourceKey, tools?: readonly string[]): Promise<ReadonlyMap<string, Origin>> {
    const { id: sourceId } = sourceOf(key);
    const found = new Map<string, Origin>();
    await this.dataSource.transaction(this.#sql.isPostgres ? 'REPEATABLE READ' : 'SERIALIZABLE', async (manager) => {
      for await (const rows of tools ? this.#named(sourceId, tools, manager) : this.#listed(sourceId, manager)) {
        for (const { tool, origin } of rows) {
          const [name, value] = [parsedJson(tool), parsedJson(origin)];
          // A damaged row: only that tool is missing.
          if (typeof name === 'string' && isObject(value)) found.set(name, value as Origin);
        }
        // SQLite runs on this thread: let other work run between two batches.
        await setImmediate();
      }
    });
    return found;
  }

  override async register(key: SourceKey, tools: readonly AcceptedTool[]): Promise<void> {
    const { id, owner, source } = sourceOf(key);
    await this.#changing(async (manager) => {
      // Returns a row unless the source exists or is just being created.
      const { records } = await this.#sql.run(
        `INSERT INTO ${this.#sources} (id, owner, source, revision) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`,
        [id, owner, source, firstRevision()],
        manager,
      );
      if (records.length > 0) await this.#put(id, tools, manager);
    });
  }

  override async change(key: SourceKey, { accepted, gone }: PinChange, keepGone = KEEP_GONE): Promise<void> {
    const { id: sourceId, owner, source } = sourceOf(key);
    await this.#changing(async (manager) => {
      // Locks the source until the transaction ends.
      await this.#sql.run(
        `INSERT INTO ${this.#sources} AS known (id, owner, source, revision) VALUES (?, ?, ?, ?) ` +
          'ON CONFLICT (id) DO UPDATE SET revision = known.revision + 1',
        [sourceId, owner, source, firstRevision()],
        manager,
      );
      await this.#put(sourceId, accepted, manager);
      for (const toolIds of inBatches(gone, idOf)) {
        await manager.update(DefinitionEntity, { sourceId, listed: true, toolId: In(toolIds) }, { listed: false });
        await setImmediate();
      }
      const forgotten = await manager.find(DefinitionEntity, {
        select: { sourceId: true, toolId: true },
        where: { sourceId, listed: false },
        order: { acceptedAt: 'DESC', toolId: 'ASC' },
        skip: keepGone,
      });
      for (const toolIds of inBatches(forgotten, ({ toolId }) => toolId)) {
        await manager.delete(DefinitionEntity, { sourceId, toolId: In(toolIds) });
      }
    });
  }

  override async forget(key: SourceKey): Promise<void> {
    await this.dataSource.getRepository(DefinitionSourceEntity).delete({ id: sourceOf(key).id });
  }

  async #put(sourceId: string, tools: readonly AcceptedTool[], manager: EntityManager): Promise<void> {
    // A statement may write a row only once; of two tools with the same name the last one counts.
    const byName = new Map(tools.map((tool) => [tool.tool, tool]));
    const updates = [...PIN, 'origin'].map((column) => `${column} = excluded.${column}`);
    for (const rows of inBatches(byName.values(), (tool) => rowOf(sourceId, tool))) {
      await this.#sql.run(
        `INSERT INTO ${this.#definitions} (${ROW.join(', ')}) VALUES ${valueRows(rows.length, ROW.length)} ` +
          `ON CONFLICT (source_id, tool_id) DO UPDATE SET ${updates.join(', ')}`,
        rows.flat(),
        manager,
      );
      await setImmediate();
    }
  }

  async *#listed(sourceId: string, manager: EntityManager): AsyncGenerator<readonly OriginRow[]> {
    for (let after = '', isDone = false; !isDone;) {
      const { records } = await this.#sql.run<OriginRow>(
        `SELECT tool_id, tool, origin FROM ${this.#definitions} WHERE source_id = ? AND listed AND tool_id > ? ` +
          'ORDER BY tool_id LIMIT ?',
        [sourceId, after, BATCH],
        manager,
      );
      yield records;
      isDone = records.length < BATCH;
      after = records.at(-1)?.tool_id ?? after;
    }
  }

  async *#named(sourceId: string, tools: readonly string[], manager: EntityManager) {
    for (const toolIds of inBatches(tools, idOf)) {
      const { records } = await this.#sql.run<OriginRow>(
        `SELECT tool, origin FROM ${this.#definitions} WHERE source_id = ? AND tool_id IN (${toolIds.map(() => '?').join(', ')})`,
        [sourceId, ...toolIds],
        manager,
      );
      yield records;
    }
  }

  #changing(work: (manager: EntityManager) => Promise<void>): Promise<void> {
    return this.#sql.durably(async (manager) => {
      await this.#sql.boundLocks(manager);
      await work(manager);
    });
  }
}

type OriginRow = Readonly<Record<'tool_id' | 'tool' | 'origin', string>>;

interface PinRow {
  readonly tool: string;
  readonly fingerprint: string;
  readonly volatile: string;
  readonly listed: boolean | number;
  readonly accepted_at: BigInteger;
}

function sourceOf({ owner, source }: SourceKey) {
  return { id: idOf([owner, source]), owner: JSON.stringify(owner), source: JSON.stringify(source) };
}

/** The values of a tool, in the order of `ROW`. */
function rowOf(sourceId: string, { tool, fingerprint, volatile, listed, acceptedAt, origin }: AcceptedTool) {
  // SQLite has no booleans; PostgreSQL reads a number as one.
  const pin = [JSON.stringify(tool), fingerprint, JSON.stringify(volatile), Number(listed), acceptedAt];
  return [sourceId, idOf(tool), ...pin, JSON.stringify(origin)];
}

/** Empty if the row is damaged. A damaged list of volatile fields only makes the pin match less. */
function pinOf({ tool, fingerprint, volatile, listed, accepted_at }: PinRow): DefinitionPin[] {
  const [name, pointers] = [parsedJson(tool), parsedJson(volatile)];
  if (typeof name !== 'string') return [];
  const paths = Array.isArray(pointers) ? pointers.filter((each) => typeof each === 'string') : [];
  return [{ tool: name, fingerprint, volatile: paths, listed: Boolean(listed), acceptedAt: Number(accepted_at) }];
}

/** Groups rows into batches limited in number and size. A row above the size limit gets a batch of its own. */
function* inBatches<T, Row extends Parameter | readonly Parameter[]>(
  items: Iterable<T>,
  toRow: (item: T) => Row,
): Generator<Row[]> {
  let batch: Row[] = [];
  let chars = 0;
  for (const item of items) {
    const row = toRow(item);
    const size = String(row).length;
    if (batch.length === BATCH || (batch.length > 0 && chars + size > BATCH_CHARS)) {
      yield batch;
      [batch, chars] = [[], 0];
    }
    batch.push(row);
    chars += size;
  }
  if (batch.length > 0) yield batch;
}

// JSON escapes distinguish lone surrogates, which UTF-8 cannot encode.
function idOf(name: string | readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(name)).digest('hex');
}

function firstRevision(): number {
  return Date.now() * REVISIONS_PER_MS;
}
