import { setImmediate } from 'node:timers/promises';
import { type DefinitionPin, isObject, parsedJson } from '@tool-search/core/internal';
import type { AcceptedTool, SourceKey, SourcePins } from '@tool-search/core/stores';
import { In, Repository } from 'typeorm';
import { valueRows } from '../database/row-statements.js';
import { type BigInteger, type Parameter, Sql } from '../database/sql.js';
import { idOf, sourceId } from './definition-id.js';
import { DefinitionSourceEntity } from './definition-source.entity.js';
import type { DefinitionEntity } from './definition.entity.js';

type Origin = AcceptedTool['origin'];

/** Rows read or written per statement. Small, because a SQLite statement blocks all other requests. */
const BATCH = 100;
const BATCH_CHARS = 256 * 1024;

const PIN = ['tool', 'fingerprint', 'volatile', 'listed', 'accepted_at'];
const ROW = ['source_id', 'tool_id', ...PIN, 'origin'];

/**
 * The repository of accepted definitions: the methods of TypeORM, and the statements of their store. Injectable where
 * `ToolSearchTypeOrmModule` is imported.
 *
 * `put`, `setGone` and `forgetGone` belong to the store, which locks the source before. To accept a changed definition, use
 * `ToolQuarantine`.
 */
export class DefinitionRepository extends Repository<DefinitionEntity> {
  readonly #sql = new Sql(this.manager);

  /** Returns what is accepted of a source, without the definitions; undefined if the source is not registered. */
  async listPins(key: SourceKey): Promise<SourcePins | undefined> {
    // Revision and pins in one statement, so that both are of the same moment. Without pins: one row of nulls.
    const { records } = await this.#sql.run<{ revision: BigInteger } & (PinRow | { tool: null })>(
      this.#text(
        'listPins',
        (table) =>
          `SELECT known.revision, ${PIN.map((column) => `pin.${column}`).join(', ')} FROM ${this.#sources} AS known ` +
          `LEFT JOIN ${table} AS pin ON pin.source_id = known.id WHERE known.id = ?`,
      ),
      [sourceId(key)],
    );
    if (!records[0]) return undefined;
    const pins = records.flatMap((row) => (row.tool === null ? [] : pinOf(row)));
    return { revision: Number(records[0].revision), pins };
  }

  /**
   * Reads the accepted definitions of a source in batches, without those that cannot be read. They are of one moment inside
   * a transaction with repeatable reads.
   *
   * @param tools the tools' own names. @default those that the source lists
   */
  async *readOrigins(
    key: SourceKey,
    tools?: readonly string[],
  ): AsyncGenerator<readonly (readonly [string, Origin])[]> {
    for await (const rows of tools ? this.#named(sourceId(key), tools) : this.#listed(sourceId(key))) {
      yield rows.flatMap(({ tool, origin }) => {
        const [name, value] = [parsedJson(tool), parsedJson(origin)];
        // A damaged row: only that tool is missing.
        return typeof name === 'string' && isObject(value) ? [[name, value as Origin] as const] : [];
      });
      // SQLite runs on this thread: let other work run between two batches.
      await setImmediate();
    }
  }

  /** Writes accepted tools of a locked source, in place of those with the same names. */
  async put(key: SourceKey, tools: readonly AcceptedTool[]): Promise<void> {
    // A statement may write a row only once; of two tools with the same name the last one counts.
    const byName = new Map(tools.map((tool) => [tool.tool, tool]));
    const updates = [...PIN, 'origin'].map((column) => `${column} = excluded.${column}`);
    for (const rows of inBatches(byName.values(), (tool) => rowOf(sourceId(key), tool))) {
      await this.#sql.run(
        `INSERT INTO ${this.#table} (${ROW.join(', ')}) VALUES ${valueRows(rows.length, ROW.length)} ` +
          `ON CONFLICT (source_id, tool_id) DO UPDATE SET ${updates.join(', ')}`,
        rows.flat(),
      );
      await setImmediate();
    }
  }

  /** Sets that a locked source does not list these tools any more. */
  async setGone(key: SourceKey, tools: readonly string[]): Promise<void> {
    for (const toolIds of inBatches(tools, idOf)) {
      await this.update({ sourceId: sourceId(key), listed: true, toolId: In(toolIds) }, { listed: false });
      await setImmediate();
    }
  }

  /** Removes the tools that a locked source does not list, but for the `keep` that were accepted last. */
  async forgetGone(key: SourceKey, keep: number): Promise<void> {
    const forgotten = await this.find({
      select: { sourceId: true, toolId: true },
      where: { sourceId: sourceId(key), listed: false },
      order: { acceptedAt: 'DESC', toolId: 'ASC' },
      skip: keep,
    });
    for (const toolIds of inBatches(forgotten, ({ toolId }) => toolId)) {
      await this.delete({ sourceId: sourceId(key), toolId: In(toolIds) });
    }
  }

  async *#listed(id: string): AsyncGenerator<readonly OriginRow[]> {
    const text = this.#text(
      'listed',
      (table) =>
        `SELECT tool_id, tool, origin FROM ${table} WHERE source_id = ? AND listed AND tool_id > ? ` +
        'ORDER BY tool_id LIMIT ?',
    );
    for (let after = '', isDone = false; !isDone;) {
      const { records } = await this.#sql.run<OriginRow>(text, [id, after, BATCH]);
      yield records;
      isDone = records.length < BATCH;
      after = records.at(-1)?.tool_id ?? after;
    }
  }

  async *#named(id: string, tools: readonly string[]): AsyncGenerator<readonly OriginRow[]> {
    for (const toolIds of inBatches(tools, idOf)) {
      const places = toolIds.map(() => '?').join(', ');
      const { records } = await this.#sql.run<OriginRow>(
        `SELECT tool, origin FROM ${this.#table} WHERE source_id = ? AND tool_id IN (${places})`,
        [id, ...toolIds],
      );
      yield records;
    }
  }

  #text(name: string, build: (table: string) => string): string {
    return this.#sql.text(this.target, name, build);
  }

  get #table(): string {
    return this.#sql.table(this.target);
  }

  get #sources(): string {
    return this.#sql.table(DefinitionSourceEntity);
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

/** The values of a tool, in the order of `ROW`. */
function rowOf(id: string, { tool, fingerprint, volatile, listed, acceptedAt, origin }: AcceptedTool) {
  // SQLite has no booleans; PostgreSQL reads a number as one.
  const pin = [JSON.stringify(tool), fingerprint, JSON.stringify(volatile), Number(listed), acceptedAt];
  return [id, idOf(tool), ...pin, JSON.stringify(origin)];
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
