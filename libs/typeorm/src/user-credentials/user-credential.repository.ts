import {
  type CredentialFilter,
  credentialId,
  type CredentialKey,
  type Page,
  type StoredCredential,
} from '@tool-search/core/stores';
import { MoreThan, Repository } from 'typeorm';
import { Sql } from '../database/sql.js';
import type { UserCredentialEntity } from './user-credential.entity.js';

/** Statements on the encrypted credentials of users. Leases end by the clock of the database. */
export class UserCredentialRepository extends Repository<UserCredentialEntity> {
  readonly #sql = new Sql(this.manager);

  /** Returns a credential; undefined if there is none. */
  async findKey(key: CredentialKey): Promise<StoredCredential | undefined> {
    const row = await this.findOneBy({ id: credentialId(key) });
    return row ? credentialOf(row) : undefined;
  }

  /** Returns a page of the matching credentials in the order of their ids. */
  async listMatching(
    { tenantId, userId, owner, source }: CredentialFilter,
    { after = '', limit }: Page<string>,
  ): Promise<readonly StoredCredential[]> {
    const rows = await this.find({
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

  /** Writes a credential without a lease. Returns false if `known` is given and is not the version of the stored one. */
  async put(credential: StoredCredential, known?: string): Promise<boolean> {
    const row = { id: credentialId(credential), ...credentialOf(credential), leasedUntil: 0 };
    if (known === undefined) {
      await this.upsert(row, ['id']);
      return true;
    }
    const { affected } = await this.update({ id: row.id, version: known }, row);
    return affected === 1;
  }

  /** Leases a version to one instance. Returns false if another one holds it, or if the version is no longer stored. */
  async lease(key: CredentialKey, version: string, forMs: number): Promise<boolean> {
    const { affected } = await this.createQueryBuilder()
      .update()
      .set({ leasedUntil: () => `${this.#sql.now} + ${Math.round(forMs)}` })
      .where('id = :id AND version = :version', { id: credentialId(key), version })
      .andWhere(`leased_until <= ${this.#sql.now}`)
      .execute();
    return affected === 1;
  }

  /** Ends a lease. */
  async release(key: CredentialKey, version: string): Promise<void> {
    await this.update({ id: credentialId(key), version }, { leasedUntil: 0 });
  }

  /** Removes a credential, of any version by default. Returns whether it was there. */
  async removeKey(key: CredentialKey, version?: string): Promise<boolean> {
    const { affected } = await this.delete({ id: credentialId(key), ...(version !== undefined && { version }) });
    return affected === 1;
  }
}

function credentialOf(row: StoredCredential): StoredCredential {
  const { tenantId, userId, owner, source, sealed, version, expiresAt, connectedAt, changedAt } = row;
  return { tenantId, userId, owner, source, sealed, version, expiresAt, connectedAt, changedAt };
}
