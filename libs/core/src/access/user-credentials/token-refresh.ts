import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { withDeadline } from '../../async/deadline.js';
import type { JsonObject } from '../../json/json.js';
import { guardStore } from '../../tool/store-guard.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { UserAuthorizer, UserGrant } from '../../tool/source/user-authorization.js';
import { credentialsRequired, providerFailure, providerUnavailable, unreadable } from './credential-errors.js';
import type { CredentialSeal } from './credential-seal.js';
import type { CredentialKey, StoredCredential, UserCredentialStore } from './user-credential-store.js';

/** A lease lasts as long as a request and the write after it, so that two instances never use one refresh token. */
const WRITE_MS = 20_000;
const LOOK_AGAIN_MS = 100;
/** Calls wait longer than a lease: an instance that died with it must not fail the calls of the others. */
const AFTER_LEASE_MS = 10_000;

/** Services that the credentials of all sources share. */
export interface CredentialParts {
  readonly store: UserCredentialStore;
  readonly seal: CredentialSeal;
  readonly events: ToolEvents;
  readonly refreshBeforeMs: number;
  readonly providerTimeoutMs: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** One user's use of one source. */
export interface CredentialUse {
  readonly key: CredentialKey;
  readonly authorizer: UserAuthorizer;
  readonly context: ToolContext;
  readonly connectUrl: string;
}

/** Reads, refreshes and writes the grants of users. */
export class TokenRefresh {
  constructor(private readonly parts: CredentialParts) {}

  /**
   * A usable access token. Of all instances that share the store, the holder of the lease refreshes it; the others wait
   * for the new one.
   *
   * @param rejected a token that the server did not accept
   * @throws ToolSearchError as `UserTokens.token`
   */
  async token(use: CredentialUse, rejected?: string): Promise<string> {
    const { key, connectUrl } = use;
    const leaseMs = this.parts.providerTimeoutMs + WRITE_MS;
    const until = performance.now() + leaseMs + AFTER_LEASE_MS;
    while (performance.now() < until) {
      const stored = await this.#guarded((store) => store.find(key));
      if (!stored) return (await this.#exchanged(use)).accessToken;
      const grant = this.#opened(stored, connectUrl);
      const { accessToken, expiresAt = Infinity } = grant;
      const leftMs = expiresAt - this.parts.now();
      if (accessToken !== rejected && leftMs > this.parts.refreshBeforeMs) return accessToken;
      const isUsable = accessToken !== rejected && leftMs > 0;
      if (grant.refreshToken === undefined)
        return isUsable ? accessToken : (await this.#renewed(use, stored)).accessToken;
      if (!(await this.#guarded((store) => store.lease(key, stored.version, leaseMs)))) {
        // Another instance refreshes it.
        if (isUsable) return accessToken;
        await delay(LOOK_AGAIN_MS);
        continue;
      }
      const next = await this.#refreshed(use, stored, grant, isUsable);
      if (next) return next.accessToken;
    }
    throw providerUnavailable(key.source);
  }

  /** Encrypts a grant and stores it. False if `known` is not stored any more. */
  save(key: CredentialKey, grant: UserGrant, replaced?: StoredCredential, known?: string): Promise<boolean> {
    const now = this.parts.now();
    const credential = {
      ...key,
      sealed: this.parts.seal.seal(grant as unknown as JsonObject, placeOf(key)),
      version: randomUUID(),
      expiresAt: Math.round(grant.expiresAt ?? 0),
      connectedAt: replaced?.connectedAt ?? now,
      changedAt: now,
    };
    return this.#guarded((store) => store.save(credential, known));
  }

  /** The grant of a stored credential. @throws Unsealable */
  grantOf(stored: StoredCredential): UserGrant {
    return this.parts.seal.open(stored.sealed, placeOf(stored)) as unknown as UserGrant;
  }

  /** Undefined if the credential was replaced or removed meanwhile, which the caller looks at again. */
  async #refreshed(use: CredentialUse, stored: StoredCredential, grant: UserGrant, isUsable: boolean) {
    const { key, authorizer, connectUrl } = use;
    let next: UserGrant | undefined;
    try {
      next = await this.#inTime((signal) => authorizer.refresh(grant, signal));
    } catch (error) {
      // Whether the refresh token was used is not known. The next attempt shows it.
      await this.#guarded((store) => store.release(key, stored.version));
      if (isUsable) return grant;
      // A grant of another provider is kept: the server may name its former one again.
      throw providerFailure(key.source, connectUrl, error);
    }
    if (!next) return this.#renewed(use, stored);
    if (await this.save(key, next, stored, stored.version)) {
      const { tenantId, userId, source } = key;
      this.parts.events.emit({ type: 'credentials.refreshed', tenantId, userId, source });
      return next;
    }
    // Removed or replaced: the new tokens belong to nobody.
    const unused = next;
    await this.#inTime((signal) => authorizer.revoke(unused, signal)).catch(() => false);
    return undefined;
  }

  /** After a grant has ended: another one by exchange, or the user connects again. */
  async #renewed(use: CredentialUse, stored: StoredCredential): Promise<UserGrant> {
    const { key } = use;
    if (await this.#guarded((store) => store.remove(key, stored.version))) {
      const { tenantId, userId, source } = key;
      this.parts.events.emit({ type: 'credentials.ended', tenantId, userId, source });
    }
    return this.#exchanged(use);
  }

  async #exchanged({ key, authorizer, context, connectUrl }: CredentialUse): Promise<UserGrant> {
    if (!authorizer.exchange) throw credentialsRequired(key.source, connectUrl);
    let grant: UserGrant | undefined;
    try {
      grant = await this.#inTime(async (signal) => authorizer.exchange?.(context, signal));
    } catch (error) {
      throw providerUnavailable(key.source, error);
    }
    if (!grant) throw credentialsRequired(key.source, connectUrl);
    await this.save(key, grant);
    return grant;
  }

  #opened(stored: StoredCredential, connectUrl: string): UserGrant {
    try {
      return this.grantOf(stored);
    } catch {
      throw unreadable(stored.source, connectUrl);
    }
  }

  #inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withDeadline(this.parts.providerTimeoutMs, work);
  }

  #guarded<T>(work: (store: UserCredentialStore) => Promise<T>): Promise<T> {
    return guardStore('Credentials of users', () => work(this.parts.store));
  }
}

function placeOf({ tenantId, userId, owner, source }: CredentialKey): readonly string[] {
  return ['grant', tenantId, userId, owner, source];
}
