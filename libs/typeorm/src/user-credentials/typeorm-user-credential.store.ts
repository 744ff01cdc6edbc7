import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type ConnectAttempt,
  type CredentialFilter,
  credentialId,
  type CredentialKey,
  type Page,
  type StoredCredential,
  UserCredentialStore,
} from '@tool-search/core/stores';
import { type DataSource, MoreThan, type Repository } from 'typeorm';
import { sweepRows } from '../database/row-statements.js';
import { Sql } from '../database/sql.js';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { ConnectAttemptEntity } from './connect-attempt.entity.js';
import { UserCredentialEntity } from './user-credential.entity.js';

/**
 * Stores the encrypted credentials of users in SQLite or PostgreSQL. Leases and attempts end by the clock of the
 * database. Requires a DataSource made by `createDataSource`.
 */
@Injectable()
export class TypeOrmUserCredentialStore extends UserCredentialStore {
  readonly #sql: Sql;
  readonly #credentials: Repository<UserCredentialEntity>;
  readonly #attempts: Repository<ConnectAttemptEntity>;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) dataSource: DataSource) {
    super();
    this.#sql = new Sql(dataSource.manager);
    this.#credentials = dataSource.getRepository(UserCredentialEntity);
    this.#attempts = dataSource.getRepository(ConnectAttemptEntity);
  }

  override async find(key: CredentialKey): Promise<StoredCredential | undefined> {
    const row = await this.#credentials.findOneBy({ id: credentialId(key) });
    return row ? credentialOf(row) : undefined;
  }

  override async save(credential: StoredCredential, known?: string): Promise<boolean> {
    const row = { id: credentialId(credential), ...credentialOf(credential), leasedUntil: 0 };
    if (known === undefined) {
      await this.#credentials.upsert(row, ['id']);
      return true;
    }
    const { affected } = await this.#credentials.update({ id: row.id, version: known }, row);
    return affected === 1;
  }

  override async lease(key: CredentialKey, version: string, forMs: number): Promise<boolean> {
    const { affected } = await this.#credentials
      .createQueryBuilder()
      .update()
      .set({ leasedUntil: () => `${this.#sql.now} + ${Math.round(forMs)}` })
      .where('id = :id AND version = :version', { id: credentialId(key), version })
      .andWhere(`leased_until <= ${this.#sql.now}`)
      .execute();
    return affected === 1;
  }

  override async release(key: CredentialKey, version: string): Promise<void> {
    await this.#credentials.update({ id: credentialId(key), version }, { leasedUntil: 0 });
  }

  override async remove(key: CredentialKey, version?: string): Promise<boolean> {
    const { affected } = await this.#credentials.delete({
      id: credentialId(key),
      ...(version !== undefined && { version }),
    });
    return affected === 1;
  }

  override async list(filter: CredentialFilter, { after = '', limit }: Page<string>) {
    const { tenantId, userId, owner, source } = filter;
    const rows = await this.#credentials.find({
      where: {
        id: MoreThan(after),
        ...(tenantId !== undefined && { tenantId }),
        ...(userId !== undefined && { userId }),
        ...(owner !== undefined && { owner }),
        ...(source !== undefined && { source }),
      },
      order: { id: 'ASC' },
      take: limit,
    });
    return rows.map(credentialOf);
  }

  override async begin(attempt: ConnectAttempt, forMs: number): Promise<void> {
    const { tenantId, userId, owner, source, id, sealed } = attempt;
    await this.#attempts
      .createQueryBuilder()
      .insert()
      .values({
        credentialId: credentialId(attempt),
        tenantId,
        userId,
        owner,
        source,
        id,
        sealed,
        expiresAt: () => `${this.#sql.now} + ${Math.round(forMs)}`,
      })
      .orUpdate(['id', 'sealed', 'expires_at'], ['credential_id'])
      .execute();
  }

  override async take(id: string): Promise<ConnectAttempt | undefined> {
    const found = await this.#attempts
      .createQueryBuilder('attempt')
      .where({ id })
      .andWhere(`attempt.expiresAt > ${this.#sql.now}`)
      .getOne();
    // Of two readers, the one that removes it has it.
    const { affected } = await this.#attempts.delete({ id });
    if (!found || affected !== 1) return undefined;
    const { tenantId, userId, owner, source, sealed } = found;
    return { tenantId, userId, owner, source, id, sealed };
  }

  override async sweep(batch: number): Promise<number> {
    const now = this.#sql.isPostgres ? await this.#clock() : Date.now();
    return sweepRows(this.#sql, ConnectAttemptEntity, 'expires_at', now + 1, batch);
  }

  async #clock(): Promise<number> {
    const { records } = await this.#sql.run<{ now: string }>(`SELECT ${this.#sql.now} AS now`);
    return Number(records[0]?.now);
  }
}

function credentialOf(row: StoredCredential): StoredCredential {
  const { tenantId, userId, owner, source, sealed, version, expiresAt, connectedAt, changedAt } = row;
  return { tenantId, userId, owner, source, sealed, version, expiresAt, connectedAt, changedAt };
}
