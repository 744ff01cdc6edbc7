import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type ConnectAttempt,
  type CredentialFilter,
  type CredentialKey,
  type Page,
  type StoredCredential,
  UserCredentialStore,
} from '@tool-search/core/stores';
import type { DataSource } from 'typeorm';
import { TOOL_SEARCH_DATA_SOURCE } from '../database/tool-search-data-source.js';
import { ConnectAttemptEntity } from './connect-attempt.entity.js';
import { ConnectAttemptRepository } from './connect-attempt.repository.js';
import { UserCredentialEntity } from './user-credential.entity.js';
import { UserCredentialRepository } from './user-credential.repository.js';

/**
 * Stores the encrypted credentials of users in SQLite or PostgreSQL. Leases and attempts end by the clock of the
 * database. Requires a DataSource made by `createDataSource`.
 */
@Injectable()
export class TypeOrmUserCredentialStore extends UserCredentialStore {
  readonly #credentials: UserCredentialRepository;
  readonly #attempts: ConnectAttemptRepository;

  constructor(@InjectDataSource(TOOL_SEARCH_DATA_SOURCE) { manager }: DataSource) {
    super();
    this.#credentials = new UserCredentialRepository(UserCredentialEntity, manager);
    this.#attempts = new ConnectAttemptRepository(ConnectAttemptEntity, manager);
  }

  override find(key: CredentialKey): Promise<StoredCredential | undefined> {
    return this.#credentials.findKey(key);
  }

  override save(credential: StoredCredential, known?: string): Promise<boolean> {
    return this.#credentials.put(credential, known);
  }

  override lease(key: CredentialKey, version: string, forMs: number): Promise<boolean> {
    return this.#credentials.lease(key, version, forMs);
  }

  override release(key: CredentialKey, version: string): Promise<void> {
    return this.#credentials.release(key, version);
  }

  override remove(key: CredentialKey, version?: string): Promise<boolean> {
    return this.#credentials.removeKey(key, version);
  }

  override list(filter: CredentialFilter, page: Page<string>): Promise<readonly StoredCredential[]> {
    return this.#credentials.listMatching(filter, page);
  }

  override begin(attempt: ConnectAttempt, forMs: number): Promise<void> {
    return this.#attempts.begin(attempt, forMs);
  }

  override take(id: string): Promise<ConnectAttempt | undefined> {
    return this.#attempts.take(id);
  }

  override sweep(batch: number): Promise<number> {
    return this.#attempts.sweep(batch);
  }
}
