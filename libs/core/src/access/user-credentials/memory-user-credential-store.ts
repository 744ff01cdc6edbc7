import type { Page } from '../control/control-store.js';
import {
  type ConnectAttempt,
  type CredentialFilter,
  credentialId,
  type CredentialKey,
  credentialMatches,
  type StoredCredential,
  UserCredentialStore,
} from './user-credential-store.js';

interface Entry {
  readonly credential: StoredCredential;
  leasedUntil: number;
}

/** Credentials of users in the memory of one process; lost at exit and not shared. */
export class MemoryUserCredentialStore extends UserCredentialStore {
  readonly #entries = new Map<string, Entry>();
  /** By {@link credentialId}. */
  readonly #attempts = new Map<string, { readonly attempt: ConnectAttempt; readonly expiresAt: number }>();

  /** @param now milliseconds; default a monotonic clock */
  constructor(private readonly now: () => number = () => performance.now()) {
    super();
  }

  override async find(key: CredentialKey): Promise<StoredCredential | undefined> {
    return this.#entries.get(credentialId(key))?.credential;
  }

  override async save(credential: StoredCredential, known?: string): Promise<boolean> {
    if (known !== undefined && !this.#entry(credential, known)) return false;
    this.#entries.set(credentialId(credential), { credential: { ...credential }, leasedUntil: -Infinity });
    return true;
  }

  override async lease(key: CredentialKey, version: string, forMs: number): Promise<boolean> {
    const entry = this.#entry(key, version);
    if (!entry || entry.leasedUntil > this.now()) return false;
    entry.leasedUntil = this.now() + forMs;
    return true;
  }

  override async release(key: CredentialKey, version: string): Promise<void> {
    const entry = this.#entry(key, version);
    if (entry) entry.leasedUntil = -Infinity;
  }

  override async remove(key: CredentialKey, version?: string): Promise<boolean> {
    return this.#entry(key, version) !== undefined && this.#entries.delete(credentialId(key));
  }

  override async list(filter: CredentialFilter, { after = '', limit }: Page<string>) {
    return [...this.#entries]
      .filter(([id, { credential }]) => id > after && credentialMatches(credential, filter))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([, { credential }]) => credential);
  }

  override async begin(attempt: ConnectAttempt, forMs: number): Promise<void> {
    this.#attempts.set(credentialId(attempt), { attempt: { ...attempt }, expiresAt: this.now() + forMs });
  }

  override async take(id: string): Promise<ConnectAttempt | undefined> {
    const [key, found] = [...this.#attempts].find(([, { attempt }]) => attempt.id === id) ?? [];
    if (key === undefined || !found) return undefined;
    this.#attempts.delete(key);
    return found.expiresAt > this.now() ? found.attempt : undefined;
  }

  override async sweep(batch: number): Promise<number> {
    const expired = [...this.#attempts].filter(([, { expiresAt }]) => expiresAt <= this.now()).slice(0, batch);
    for (const [key] of expired) this.#attempts.delete(key);
    return expired.length;
  }

  #entry(key: CredentialKey, version: string | undefined): Entry | undefined {
    const entry = this.#entries.get(credentialId(key));
    return version === undefined || entry?.credential.version === version ? entry : undefined;
  }
}
