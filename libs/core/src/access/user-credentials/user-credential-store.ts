import { createHash } from 'node:crypto';
import type { Page } from '../control/control-store.js';

/** Whose credential it is, and for which source. */
export interface CredentialKey {
  readonly tenantId: string;
  readonly userId: string;
  readonly source: string;
  /** The tenant that owns the source; `''` for a shared one. */
  readonly owner: string;
}

/** A credential as it is stored: encrypted. */
export interface StoredCredential extends CredentialKey {
  /** The encrypted grant, with the id of its key. */
  readonly sealed: string;
  /** Changes with every write, and is never used again. */
  readonly version: string;
  /** When the access token expires, in epoch milliseconds; 0 = unknown. */
  readonly expiresAt: number;
  /** When the user connected, in epoch milliseconds. */
  readonly connectedAt: number;
  /** Epoch milliseconds. */
  readonly changedAt: number;
}

/** A connection that a user has begun and not finished. */
export interface ConnectAttempt extends CredentialKey {
  /** Random; names the attempt in the redirect. */
  readonly id: string;
  /** The data needed to finish it, encrypted. */
  readonly sealed: string;
}

/** Selects credentials; all given fields must match. */
export type CredentialFilter = Partial<CredentialKey>;

/**
 * Port for the credentials of users. Abstract class, so that it is also the injection token. A store sees only
 * encrypted values. There is at most one credential, and one attempt, for each {@link CredentialKey}.
 */
export abstract class UserCredentialStore {
  abstract find(key: CredentialKey): Promise<StoredCredential | undefined>;

  /**
   * Writes a credential. It ends the lease of the one that it replaces.
   *
   * @param known the version that must be stored now; undefined: whatever is stored
   * @returns false if another version is stored, or none; then nothing was written
   */
  abstract save(credential: StoredCredential, known?: string): Promise<boolean>;

  /**
   * Takes the lease of one version, by the store's clock: of all instances, only its holder refreshes the credential.
   *
   * @returns false if it is taken, or if this version is not stored any more
   */
  abstract lease(key: CredentialKey, version: string, forMs: number): Promise<boolean>;

  /** Ends the lease of one version early. */
  abstract release(key: CredentialKey, version: string): Promise<void>;

  /** Removes a credential, with `version` only that one. Returns whether it was there. */
  abstract remove(key: CredentialKey, version?: string): Promise<boolean>;

  /** Matching credentials by ascending {@link credentialId}; `after` is such an id. */
  abstract list(filter: CredentialFilter, page: Page<string>): Promise<readonly StoredCredential[]>;

  /** Keeps an attempt for `forMs` milliseconds. It replaces the earlier one of its key. */
  abstract begin(attempt: ConnectAttempt, forMs: number): Promise<void>;

  /** Removes an attempt and returns it: once, and undefined if it has expired. */
  abstract take(id: string): Promise<ConnectAttempt | undefined>;

  /** Removes up to `batch` expired attempts. Returns the number of removed ones. */
  abstract sweep(batch: number): Promise<number>;
}

/** Identifies a credential by 64 hexadecimal digits, which every database sorts alike. */
export function credentialId({ tenantId, userId, owner, source }: CredentialKey): string {
  return createHash('sha256')
    .update(JSON.stringify([tenantId, userId, owner, source]))
    .digest('hex');
}

/** Whether a filter selects a credential. */
export function credentialMatches(key: CredentialKey, filter: CredentialFilter): boolean {
  return (['tenantId', 'userId', 'owner', 'source'] as const).every(
    (field) => filter[field] === undefined || filter[field] === key[field],
  );
}
