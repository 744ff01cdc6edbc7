import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type AuditEntry,
  type AuditFilter,
  type AuditHead,
  type ControlChange,
  type ControlInstance,
  type ControlKind,
  type ControlOutcome,
  type ControlRecord,
  type ControlState,
  ControlStore,
  type NewControlRecord,
  nextEntry,
  type OpenLimits,
  type Page,
} from '@tool-search/core';
import type { DataSource, EntityManager } from 'typeorm';
import { type BigInteger, type Parameter, runStatement } from '../database/run-statement.js';
import { durableTransaction, sqliteFileOf } from '../database/sqlite-gate.js';
import type { SqliteFile } from '../database/sqlite-file.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { conditionsOf, entryOf, entryParameters, type EntryRow, recordOf, type RecordRow } from './control-rows.js';
import { CONTROL_CHANNEL, controlStatements } from './control-statements.js';
import { PostgresListener } from './postgres-listener.js';

/** Instances get a new id at each start, so an id that was silent for a day is never used again. */
const FORGET_AFTER_MS = 86_400_000;
const LOOK_AT_FILE_MS = 500;

/**
 * Stores operators' decisions and their audit trail in SQLite or PostgreSQL. Each write first locks the single head
 * row, so revisions are committed in order. An acknowledged write survives a power failure. Requires a DataSource made
 * by `createDataSource`.
 */
@Injectable()
export class TypeOrmControlStore extends ControlStore implements BeforeApplicationShutdown {
  /**
   * On PostgreSQL, reports every change. On a SQLite file, reports only the loss of the file, never a write of another
   * process.
   */
  override readonly watch?: (onHint: () => void) => Promise<() => Promise<void>>;

  readonly #sql: ReturnType<typeof controlStatements>;
  readonly #isPostgres: boolean;
  readonly #file: SqliteFile | undefined;
  #hasForgotten = false;
  /** Ids of the instances that sent a heartbeat through this store. */
  readonly #present = new Set<string>();
  readonly #beating = new Set<Promise<number>>();
  #isShutDown = false;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = controlStatements(dataSource);
    this.#isPostgres = dataSource.options.type === 'postgres';
    if (this.#isPostgres) {
      this.watch = async (onHint) => {
        const listener = new PostgresListener(dataSource, onHint);
        return () => listener.stop();
      };
    } else this.#file = sqliteFileOf(dataSource);
    if (this.#file?.isFile) {
      this.watch = async (onHint) => {
        const timer = setInterval(() => this.#lostFile() && onHint(), LOOK_AT_FILE_MS).unref();
        return async () => clearInterval(timer);
      };
    }
  }

  override get isShared(): boolean {
    return this.#isPostgres;
  }

  override async read(known?: number): Promise<ControlState | undefined> {
    const lost = this.#lostFile();
    if (lost) throw lost.lost('GATE_CLOSED');
    if (known !== undefined) {
      const [head] = await this.#run<{ revision: BigInteger }>(this.#sql.revision, []);
      if (head && Number(head.revision) === known) return undefined;
    }
    type Row = RecordRow & { head_revision: BigInteger; kind: ControlKind | null };
    const rows = await this.#run<Row>(this.#sql.state, []);
    if (!rows[0]) throw noHead();
    return { revision: Number(rows[0].head_revision), records: rows.filter(({ kind }) => kind !== null).map(recordOf) };
  }

  override async change(change: ControlChange): Promise<ControlOutcome> {
    return this.#durably(async (manager) => {
      const head = await this.#lock(manager);
      const [known] = await this.#run<EntryRow>(this.#sql.replay, [change.idempotencyKey], manager);
      if (known) return { outcome: 'replayed', entry: entryOf(known) };
      const { put, remove, expectedRevision } = change;
      const target = put ?? remove;
      const current = target && (await this.find(target.kind, target.key, manager));
      const isOther = expectedRevision !== undefined && expectedRevision !== (current?.revision ?? 0);
      if (isOther || (remove && !current)) return { outcome: 'conflict', current };
      const entry = nextEntry(head, change, current?.value ?? null, put?.value ?? null);
      if (put) await this.#put({ ...put, revision: entry.revision }, manager);
      else if (remove) await this.#run(this.#sql.remove, [remove.kind, remove.key], manager);
      await this.#run(this.#sql.append, entryParameters(entry), manager);
      await this.#run(this.#sql.advance, [entry.revision, entry.seq, entry.hash], manager);
      if (this.#isPostgres && entry.revision > head.revision) {
        await this.#run(this.#sql.notify, [CONTROL_CHANNEL, String(entry.revision)], manager);
      }
      return { outcome: 'changed', entry };
    });
  }

  override async find(kind: ControlKind, key: string, manager?: EntityManager): Promise<ControlRecord | undefined> {
    const [row] = await this.#run<RecordRow>(this.#sql.find, [kind, key], manager);
    return row && recordOf(row);
  }

  override async list(kind: ControlKind, page: Page<string>, tenantId?: string): Promise<readonly ControlRecord[]> {
    const { after, limit } = page;
    const asked = [after, tenantId].filter((value) => value !== undefined);
    const sql = this.#sql.list(after !== undefined, tenantId !== undefined);
    return (await this.#run<RecordRow>(sql, [kind, ...asked, limit])).map(recordOf);
  }

  override async ask(record: NewControlRecord, now: number, limits: OpenLimits): Promise<ControlRecord | undefined> {
    const known = await this.find(record.kind, record.key);
    // Models repeat a request often; a repeated one must not delay a change.
    if (known && (known.expiresAt === 0 || known.expiresAt > now)) return known;
    return this.#transaction(async (manager) => {
      await this.#lock(manager);
      await this.#run(this.#sql.dropExpired, [now], manager);
      const meanwhile = await this.find(record.kind, record.key, manager);
      if (meanwhile) return meanwhile;
      const open = (await this.#run<RecordRow>(this.#sql.open, [record.tenantId], manager)).map(recordOf);
      const own = open.filter(({ value }) => value['userId'] === record.value['userId']);
      if (open.length >= limits.perTenant || own.length >= limits.perUser) return undefined;
      const asked = { ...record, revision: 0 };
      await this.#put(asked, manager);
      return asked;
    });
  }

  override async audit(filter: AuditFilter, page: Page<number>): Promise<readonly AuditEntry[]> {
    return this.#entries(filter, page, 'ASC');
  }

  override async newestAudit(filter: AuditFilter, page: Page<number>): Promise<readonly AuditEntry[]> {
    return this.#entries(filter, page, 'DESC');
  }

  override async head(): Promise<AuditHead> {
    const [head] = await this.#run<HeadRow>(this.#sql.head, []);
    return headOf(head);
  }

  override async beat(id: string, appliedRevision: number): Promise<number> {
    if (this.#isShutDown) return Date.now();
    const beating = this.#beat(id, appliedRevision);
    this.#beating.add(beating);
    return beating.finally(() => this.#beating.delete(beating));
  }

  override async instances(withinMs: number): Promise<readonly ControlInstance[]> {
    type Row = { id: string; applied_revision: BigInteger; silent_ms: BigInteger };
    const rows = await this.#run<Row>(this.#sql.instances, [withinMs]);
    return rows.map(({ id, applied_revision, silent_ms }) => ({
      id,
      appliedRevision: Number(applied_revision),
      silentMs: Math.max(0, Number(silent_ms)),
    }));
  }

  override async leave(id: string): Promise<void> {
    await this.#run(this.#sql.leave, [id]);
  }

  /**
   * Removes this process's instances while there is still a connection. The order in which Nest stops instances and
   * closes the DataSource depends on the order of imports.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isShutDown = true;
    // A heartbeat that ends after the removal would register the instance again.
    await Promise.allSettled(this.#beating);
    await Promise.allSettled(Array.from(this.#present, (id) => this.leave(id)));
  }

  async #beat(id: string, appliedRevision: number): Promise<number> {
    this.#present.add(id);
    const [row] = await this.#run<{ seen_at: BigInteger }>(this.#sql.beat, [id, appliedRevision]);
    if (!this.#hasForgotten) await this.#run(this.#sql.forgetSilent, [FORGET_AFTER_MS]);
    this.#hasForgotten = true;
    return Number(row?.seen_at);
  }

  // Not after shutdown: closing the database deletes the -wal file as well.
  #lostFile(): SqliteFile | undefined {
    return !this.#isShutDown && this.#file?.check() ? this.#file : undefined;
  }

  async #entries(filter: AuditFilter, { after, limit }: Page<number>, order: 'ASC' | 'DESC') {
    const conditions = [...conditionsOf(filter)];
    if (after !== undefined) conditions.push([order === 'ASC' ? 'seq > ?' : 'seq < ?', after]);
    const sql = this.#sql.audit(
      conditions.map(([condition]) => condition),
      order,
    );
    const parameters = conditions.flatMap(([, ...values]) => values);
    return (await this.#run<EntryRow>(sql, [...parameters, limit])).map(entryOf);
  }

  async #lock(manager: EntityManager): Promise<AuditHead> {
    if (this.#isPostgres) await this.#run(this.#sql.bound, [], manager);
    const [head] = await this.#run<HeadRow>(this.#sql.lock, [], manager);
    return headOf(head);
  }

  async #put({ kind, key, tenantId, value, expiresAt, revision }: ControlRecord, manager: EntityManager) {
    await this.#run(this.#sql.put, [kind, key, tenantId, JSON.stringify(value), expiresAt, revision], manager);
  }

  /** READ COMMITTED: every statement after the lock sees everything that the previous lock holder committed. */
  #transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(this.#isPostgres ? 'READ COMMITTED' : 'SERIALIZABLE', work);
  }

  #durably<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.#isPostgres ? this.#transaction(work) : durableTransaction(this.dataSource, work);
  }

  async #run<Row>(sql: string, parameters: readonly Parameter[], manager?: EntityManager) {
    return (await runStatement<Row>(this.dataSource, sql, parameters, manager)).records;
  }
}

type HeadRow = Record<'revision' | 'seq', BigInteger> & { readonly hash: string };

function headOf(row: HeadRow | undefined): AuditHead {
  if (!row) throw noHead();
  return { revision: Number(row.revision), seq: Number(row.seq), hash: row.hash };
}

/** The migration writes the row. If it is missing, the table was emptied from outside and the decisions are unknown. */
function noHead(): Error {
  return new Error('tool_search_control_head has lost its row');
}
