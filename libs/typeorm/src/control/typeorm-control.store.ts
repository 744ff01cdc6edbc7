import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
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
import { Between, type DataSource, type EntityManager, In } from 'typeorm';
import { Sql } from '../database/sql.js';
import { sqliteFileOf } from '../database/serialize-sqlite.js';
import type { SqliteFile } from '../database/sqlite-file.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditEntryRepository } from './audit-entry.repository.js';
import { ControlHeadEntity } from './control-head.entity.js';
import { ControlInstanceEntity } from './control-instance.entity.js';
import { ControlInstanceRepository } from './control-instance.repository.js';
import { ControlInstances } from './control-instances.js';
import { ControlRecordEntity } from './control-record.entity.js';
import { ControlRecordRepository } from './control-record.repository.js';
import { CONTROL_CHANNEL, PostgresListener } from './postgres-listener.js';

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

  readonly #sql: Sql;
  readonly #records: ControlRecordRepository;
  readonly #entries: AuditEntryRepository;
  readonly #instances: ControlInstanceRepository;
  readonly #own: ControlInstances;
  readonly #file: SqliteFile | undefined;
  #isShutDown = false;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) private readonly dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource.manager);
    this.#records = new ControlRecordRepository(ControlRecordEntity, dataSource.manager);
    this.#entries = new AuditEntryRepository(AuditEntryEntity, dataSource.manager);
    this.#instances = new ControlInstanceRepository(ControlInstanceEntity, dataSource.manager);
    this.#own = new ControlInstances(this.#instances);
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

  override async read(known?: number, kinds?: readonly ControlKind[]): Promise<ControlState | undefined> {
    const lost = this.#lostFile();
    if (lost) throw lost.lost('GATE_CLOSED');
    if (known !== undefined && (await this.#records.currentRevision()) === known) return undefined;
    const state = await this.#records.readState(kinds);
    if (!state) throw noHead();
    return state;
  }

  override async change(change: ControlChange): Promise<ControlOutcome> {
    return this.#sql.durably(async (manager) => {
      const head = await this.#lock(manager);
      const { put, remove, expectedRevision, idempotencyKey } = change;
      const known = idempotencyKey !== '' && (await manager.findOneBy(AuditEntryEntity, { idempotencyKey }));
      if (known) return { outcome: 'replayed', entry: known };
      const target = put ?? remove;
      const current = target && (await manager.withRepository(this.#records).findRecord(target.kind, target.key));
      const isOther = expectedRevision !== undefined && expectedRevision !== (current?.revision ?? 0);
      // A request that was used, replaced or erased must not come back by a decision about it.
      const needsCurrent = remove !== undefined || (put !== undefined && isAsked(put.kind));
      if (isOther || (needsCurrent && !current)) return { outcome: 'conflict', current };
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

  override find(kind: ControlKind, key: string): Promise<ControlRecord | undefined> {
    return this.#records.findRecord(kind, key);
  }

  override list(kind: ControlKind, page: Page<string>, tenantId?: string): Promise<readonly ControlRecord[]> {
    return this.#records.listRecords(kind, page, tenantId);
  }

  override async ask(record: NewControlRecord, now: number, limits: OpenLimits): Promise<ControlRecord | undefined> {
    const { kind, key, tenantId } = record;
    const known = await this.find(kind, key);
    // Models repeat a request often; a repeated one must not delay a change.
    if (known && (known.expiresAt === 0 || known.expiresAt > now)) return known;
    return this.#sql.transaction(async (manager) => {
      await this.#lock(manager);
      await manager.delete(ControlRecordEntity, { kind: In(ASKED_KINDS), expiresAt: Between(1, now) });
      const records = manager.withRepository(this.#records);
      const meanwhile = await records.findRecord(kind, key);
      if (meanwhile) return meanwhile;
      const { userId } = record.value;
      const askedBy = typeof userId === 'string' ? userId : '';
      const { open, own } = await records.countOpen({ kind, tenantId, askedBy });
      if (open >= limits.perTenant || own >= limits.perUser) return undefined;
      const asked = { ...record, revision: 0 };
      await manager.upsert(ControlRecordEntity, { ...asked, askedBy } as never, ['kind', 'key']);
      return asked;
    });
  }

  override async claim(kind: ControlKind, key: string, revision: number, now: number): Promise<boolean> {
    const isThere = async (records: ControlRecordRepository) => {
      const known = await records.findRecord(kind, key);
      return known?.revision === revision && (known.expiresAt === 0 || known.expiresAt > now);
    };
    // A repeat that comes too late must not delay others.
    if (!isAsked(kind) || !(await isThere(this.#records))) return false;
    // Durable: a record that came back after a power failure could be claimed twice.
    return this.#sql.durably(async (manager) => {
      // A decision that has read the record must not write it again once it is gone.
      await this.#lock(manager);
      if (!(await isThere(manager.withRepository(this.#records)))) return false;
      const { affected } = await manager.delete(ControlRecordEntity, { kind, key, revision });
      return affected === 1;
    });
  }

  override audit(filter: AuditFilter, page: Page<number>): Promise<readonly AuditEntry[]> {
    return this.#entries.listMatching(filter, page, 'ASC');
  }

  override newestAudit(filter: AuditFilter, page: Page<number>): Promise<readonly AuditEntry[]> {
    return this.#entries.listMatching(filter, page, 'DESC');
  }

  override async head(): Promise<AuditHead> {
    return headOf(await this.dataSource.manager.findOneBy(ControlHeadEntity, { id: 1 }));
  }

  override beat(id: string, appliedRevision: number): Promise<number> {
    return this.#own.beat(id, appliedRevision);
  }

  override instances(withinMs: number): Promise<readonly ControlInstance[]> {
    return this.#instances.listAlive(withinMs);
  }

  override leave(id: string): Promise<void> {
    return this.#own.leave(id);
  }

  /**
   * Removes this process's instances while there is still a connection. The order in which Nest stops instances and
   * closes the DataSource depends on the order of imports.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isShutDown = true;
    await this.#own.stop();
  }

  // Not after shutdown: closing the database deletes the -wal file as well.
  #lostFile(): SqliteFile | undefined {
    return !this.#isShutDown && this.#file?.check() ? this.#file : undefined;
  }

  async #lock(manager: EntityManager): Promise<AuditHead> {
    await this.#sql.boundLocks(manager);
    return headOf(await manager.findOne(ControlHeadEntity, { where: { id: 1 }, ...this.#sql.lock }));
  }
}

function isAsked(kind: ControlKind): boolean {
  return (ASKED_KINDS as readonly ControlKind[]).includes(kind);
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
