import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { JsonObject } from '@tool-search/core';
import {
  ASKED_KINDS,
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
} from '@tool-search/core/stores';
import {
  Between,
  type DataSource,
  type EntityManager,
  type FindOptionsWhere,
  In,
  LessThan,
  MoreThan,
  MoreThanOrEqual,
  Raw,
} from 'typeorm';
import { type BigInteger, Sql } from '../database/sql.js';
import { sqliteFileOf } from '../database/serialize-sqlite.js';
import type { SqliteFile } from '../database/sqlite-file.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { ControlHeadEntity } from './control-head.entity.js';
import { countOpen } from './count-open.js';
import { ControlInstances } from './control-instances.js';
import { ControlRecordEntity } from './control-record.entity.js';
import { CONTROL_CHANNEL, PostgresListener } from './postgres-listener.js';

const LOOK_AT_FILE_MS = 500;

const RECORD = 'kind, key, tenant_id AS "tenantId", value, expires_at AS "expiresAt", record.revision';

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

  readonly #sql: Sql;
  readonly #heads: string;
  readonly #records: string;
  readonly #find: string;
  readonly #instances: ControlInstances;
  readonly #file: SqliteFile | undefined;
  #isShutDown = false;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource);
    this.#heads = this.#sql.table(ControlHeadEntity);
    this.#records = this.#sql.table(ControlRecordEntity);
    this.#find = `SELECT ${RECORD} FROM ${this.#records} AS record WHERE kind = ? AND key = ?`;
    this.#instances = new ControlInstances(this.#sql);
    if (this.#sql.isPostgres) {
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
    return this.#sql.isPostgres;
  }

  override async read(known?: number): Promise<ControlState | undefined> {
    const lost = this.#lostFile();
    if (lost) throw lost.lost('GATE_CLOSED');
    if (known !== undefined) {
      const { records } = await this.#sql.run<{ revision: BigInteger }>(
        `SELECT revision FROM ${this.#heads} WHERE id = 1`,
      );
      if (records[0] && Number(records[0].revision) === known) return undefined;
    }
    // Revision and records in one statement, so that both are of the same moment. Without records: one row of nulls.
    const { records } = await this.#sql.run<RecordRow & { head: BigInteger }>(
      `SELECT head.revision AS head, ${RECORD} FROM ${this.#heads} AS head LEFT JOIN ${this.#records} AS record ` +
        "ON kind IN ('kill_switch', 'policy', 'quarantine', 'example_queries', 'limit', 'profile', 'deprecation', " +
        "'canary') WHERE head.id = 1",
    );
    if (!records[0]) throw noHead();
    return { revision: Number(records[0].head), records: records.flatMap(recordOf) };
  }

  override async change(change: ControlChange): Promise<ControlOutcome> {
    return this.#sql.durably(async (manager) => {
      const head = await this.#lock(manager);
      const { put, remove, expectedRevision, idempotencyKey } = change;
      const known = idempotencyKey !== '' && (await manager.findOneBy(AuditEntryEntity, { idempotencyKey }));
      if (known) return { outcome: 'replayed', entry: known };
      const target = put ?? remove;
      const current = target && (await this.find(target.kind, target.key, manager));
      const isOther = expectedRevision !== undefined && expectedRevision !== (current?.revision ?? 0);
      if (isOther || (remove && !current)) return { outcome: 'conflict', current };
      const entry = nextEntry(head, change, current?.value ?? null, put?.value ?? null);
      const { revision, seq, hash } = entry;
      // `as never`: TypeORM's type of a written row does not end for JSON.
      if (put) await manager.upsert(ControlRecordEntity, { ...put, revision } as never, ['kind', 'key']);
      else if (remove) await manager.delete(ControlRecordEntity, { kind: remove.kind, key: remove.key });
      await manager.insert(AuditEntryEntity, entry as never);
      await manager.update(ControlHeadEntity, { id: 1 }, { revision, seq, hash });
      if (this.#sql.isPostgres && revision > head.revision) {
        await this.#sql.run('SELECT pg_notify(?, ?)', [CONTROL_CHANNEL, String(revision)], manager);
      }
      return { outcome: 'changed', entry };
    });
  }

  override async find(kind: ControlKind, key: string, manager?: EntityManager): Promise<ControlRecord | undefined> {
    const { records } = await this.#sql.run<RecordRow>(this.#find, [kind, key], manager);
    return records[0] && recordOf(records[0])[0];
  }

  override async list(
    kind: ControlKind,
    { after, limit }: Page<string>,
    tenantId?: string,
  ): Promise<readonly ControlRecord[]> {
    // Sorted by bytes, as SQLite does; all other collations differ between servers.
    const key = `record.key${this.#sql.isPostgres ? ' COLLATE "C"' : ''}`;
    const query = this.dataSource.createQueryBuilder(ControlRecordEntity, 'record').where({ kind });
    if (tenantId !== undefined) query.andWhere({ tenantId });
    if (after !== undefined) query.andWhere(`${key} > :after`, { after });
    return query.orderBy(key).limit(limit).getMany();
  }

  override async ask(record: NewControlRecord, now: number, limits: OpenLimits): Promise<ControlRecord | undefined> {
    const { kind, key, tenantId } = record;
    const known = await this.find(kind, key);
    // Models repeat a request often; a repeated one must not delay a change.
    if (known && (known.expiresAt === 0 || known.expiresAt > now)) return known;
    return this.#sql.transaction(async (manager) => {
      await this.#lock(manager);
      await manager.delete(ControlRecordEntity, { kind: In(ASKED_KINDS), expiresAt: Between(1, now) });
      const meanwhile = await this.find(kind, key, manager);
      if (meanwhile) return meanwhile;
      const { userId } = record.value;
      const askedBy = typeof userId === 'string' ? userId : '';
      const { open, own } = await countOpen(manager, { kind, tenantId, askedBy });
      if (open >= limits.perTenant || own >= limits.perUser) return undefined;
      const asked = { ...record, revision: 0 };
      await manager.upsert(ControlRecordEntity, { ...asked, askedBy } as never, ['kind', 'key']);
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
    return headOf(await this.dataSource.manager.findOneBy(ControlHeadEntity, { id: 1 }));
  }

  override beat(id: string, appliedRevision: number): Promise<number> {
    return this.#instances.beat(id, appliedRevision);
  }

  override instances(withinMs: number): Promise<readonly ControlInstance[]> {
    return this.#instances.list(withinMs);
  }

  override leave(id: string): Promise<void> {
    return this.#instances.leave(id);
  }

  /**
   * Removes this process's instances while there is still a connection. The order in which Nest stops instances and
   * closes the DataSource depends on the order of imports.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isShutDown = true;
    await this.#instances.stop();
  }

  // Not after shutdown: closing the database deletes the -wal file as well.
  #lostFile(): SqliteFile | undefined {
    return !this.#isShutDown && this.#file?.check() ? this.#file : undefined;
  }

  async #entries(filter: AuditFilter, { after, limit }: Page<number>, order: 'ASC' | 'DESC') {
    const query = this.dataSource.createQueryBuilder(AuditEntryEntity, 'entry').where(conditionsOf(filter));
    if (after !== undefined) query.andWhere({ seq: order === 'ASC' ? MoreThan(after) : LessThan(after) });
    return query.orderBy('entry.seq', order).limit(limit).getMany();
  }

  async #lock(manager: EntityManager): Promise<AuditHead> {
    await this.#sql.boundLocks(manager);
    return headOf(await manager.findOne(ControlHeadEntity, { where: { id: 1 }, ...this.#sql.lock }));
  }
}

/** A record as the driver returns it. */
type RecordRow = ControlRecord & { readonly value: unknown };

/** Empty for the row of nulls. */
function recordOf({ kind, key, tenantId, value, expiresAt, revision }: RecordRow): ControlRecord[] {
  if (typeof value !== 'string') return [];
  const json = JSON.parse(value) as JsonObject;
  return [{ kind, key, tenantId, value: json, expiresAt: Number(expiresAt), revision: Number(revision) }];
}

function conditionsOf({ tenantId, actor, action, since = 0, until }: AuditFilter): FindOptionsWhere<AuditEntryEntity> {
  // Not LIKE: it ignores case on SQLite and treats % and _ as wildcards.
  const startsWith = (noun: string) =>
    Raw((column) => `substr(${column}, 1, length(CAST(:noun AS text))) = :noun`, { noun });
  return {
    ...(tenantId !== undefined && { tenantId }),
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action: action.endsWith('.') ? startsWith(action) : action }),
    at: until === undefined ? MoreThanOrEqual(since) : Between(since, until - 1),
  };
}

function headOf(head: ControlHeadEntity | null): AuditHead {
  if (!head) throw noHead();
  const { revision, seq, hash } = head;
  return { revision, seq, hash };
}

/** The migration writes the row. If it is missing, the table was emptied from outside and the decisions are unknown. */
function noHead(): Error {
  return new Error('tool_search_control_head has lost its row');
}
