import type { JsonObject } from '@tool-search/core';
import {
  ASKED_KINDS,
  type ControlKind,
  type ControlRecord,
  type ControlState,
  type Page,
} from '@tool-search/core/stores';
import { Repository, type SelectQueryBuilder } from 'typeorm';
import { type BigInteger, Sql } from '../database/sql.js';
import { ControlHeadEntity } from './control-head.entity.js';
import type { ControlRecordEntity } from './control-record.entity.js';

/** Whose undecided records are counted. */
export type Asker = Required<Pick<ControlRecordEntity, 'kind' | 'tenantId' | 'askedBy'>>;

/** Numbers of undecided records: of the tenant, and of one user. */
export interface OpenCounts {
  readonly open: number;
  readonly own: number;
}

const RECORD = 'kind, key, tenant_id AS "tenantId", value, expires_at AS "expiresAt", record.revision';

/**
 * The repository of what operators decided: the methods of TypeORM, and the reads of the control store. Injectable where
 * `ToolSearchTypeOrmModule` is imported. Write through the services: they append to the audit trail.
 */
export class ControlRecordRepository extends Repository<ControlRecordEntity> {
  readonly #sql = new Sql(this.manager);

  /** Returns the current revision; undefined if the store has lost it. */
  async currentRevision(): Promise<number | undefined> {
    const { records } = await this.#sql.run<{ revision: BigInteger }>(
      this.#sql.text(ControlHeadEntity, 'revision', (heads) => `SELECT revision FROM ${heads} WHERE id = 1`),
    );
    return records[0] && Number(records[0].revision);
  }

  /**
   * Returns all records of these kinds with the revision; undefined if the store has lost it.
   *
   * @param kinds all that are not asked for by calls by default
   */
  async readState(kinds?: readonly ControlKind[]): Promise<ControlState | undefined> {
    // Revision and records in one statement, so that both are of the same moment. Without records: one row of nulls.
    const { records } = await this.#sql.run<RecordRow & { readonly head: BigInteger }>(
      `SELECT head.revision AS head, ${RECORD} FROM ${this.#heads} AS head LEFT JOIN ${this.#table} AS record ` +
        `ON kind ${kinds ? 'IN' : 'NOT IN'} (${(kinds ?? ASKED_KINDS).map(() => '?').join(', ') || 'NULL'}) WHERE head.id = 1`,
      kinds ?? ASKED_KINDS,
    );
    return records[0] && { revision: Number(records[0].head), records: records.flatMap(recordOf) };
  }

  async findRecord(kind: ControlKind, key: string): Promise<ControlRecord | undefined> {
    const { records } = await this.#sql.run<RecordRow>(
      this.#sql.text(
        this.target,
        'find',
        (table) => `SELECT ${RECORD} FROM ${table} AS record WHERE kind = ? AND key = ?`,
      ),
      [kind, key],
    );
    return records[0] && recordOf(records[0])[0];
  }

  /** Returns a page of the records of a kind in the order of their keys, of all tenants or of one. */
  async listRecords(
    kind: ControlKind,
    { after, limit }: Page<string>,
    tenantId?: string,
  ): Promise<readonly ControlRecord[]> {
    // Sorted by bytes, as SQLite does; all other collations differ between servers.
    const key = `record.key${this.#sql.isPostgres ? ' COLLATE "C"' : ''}`;
    const query = this.createQueryBuilder('record').where({ kind });
    if (tenantId !== undefined) query.andWhere({ tenantId });
    if (after !== undefined) query.andWhere(`${key} > :after`, { after });
    return query.orderBy(key).limit(limit).getMany();
  }

  /** Counts undecided records in their index, without reading one: a tenant may have thousands. */
  async countOpen(asker: Asker): Promise<OpenCounts> {
    const counts = await this.openCounts(asker).getRawOne<{ open: BigInteger; own: BigInteger }>();
    return { open: Number(counts?.open), own: Number(counts?.own) };
  }

  /** The query of `countOpen`. The index is partial, so the revision is part of the text and no parameter. */
  openCounts(asker: Asker): SelectQueryBuilder<ControlRecordEntity> {
    return this.createQueryBuilder('record')
      .select('count(*)', 'open')
      .addSelect('count(CASE WHEN record.askedBy = :askedBy THEN 1 END)', 'own')
      .where('record.kind = :kind AND record.tenantId = :tenantId AND record.revision = 0', asker);
  }

  get #table(): string {
    return this.#sql.table(this.target);
  }

  get #heads(): string {
    return this.#sql.table(ControlHeadEntity);
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
