import { createHash } from 'node:crypto';
import { abortable, withDeadline } from '../../async/deadline.js';
import { guardStore } from '../../tool/store-guard.js';
import type { JsonObject } from '../../json/json.js';
import type { ToolContext } from '../../tool/tool-context.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolSource } from '../../tool/tool-source.js';
import type { AuthorizationAnswer, UserAuthorizer, UserTokens } from '../../tool/source/user-authorization.js';
import type { AuditTrail } from '../control/audit-trail.js';
import type { Page } from '../control/control-store.js';
import { type ConnectedSource, connectUrlOf, redirectUriOf } from './connect-addresses.js';
import {
  credentialsRequired,
  notBegun,
  providerFailure,
  providerUnavailable,
  unreadable,
} from './credential-errors.js';
import { keyIdOf } from './credential-seal.js';
import { removedFrom } from './removed-from.js';
import { type CredentialParts, type CredentialUse, TokenRefresh } from './token-refresh.js';
import { type CredentialFilter, credentialId, type CredentialKey } from './user-credential-store.js';

const SWEPT_AT_ONCE = 100;

/** A credential as operators see it: everything but the credential. */
export interface CredentialStatus extends CredentialKey {
  /** The encryption key that it needs. */
  readonly keyId: string;
  /** When the access token expires, in epoch milliseconds; 0 = unknown. */
  readonly expiresAt: number;
  /** Epoch milliseconds. */
  readonly connectedAt: number;
  /** When it was written last, for example by a refresh, in epoch milliseconds. */
  readonly changedAt: number;
}

/** Result of a revocation. */
export interface CredentialRevocation {
  /** Whether there was a credential. */
  readonly removed: boolean;
  /** Whether the provider has ended it too. */
  readonly endedAtProvider: boolean;
}

/** Parts of {@link UserCredentials}. */
export interface UserCredentialParts extends CredentialParts {
  readonly connectUrl: string;
  readonly connectForMs: number;
  readonly trail: AuditTrail;
  /** A source that is loaded now. */
  readonly source: (name: string, owner: string) => ToolSource | undefined;
}

/** The accounts of users at the servers of sources: connects them, gets their tokens, and revokes them. */
export class UserCredentials {
  readonly #refresh: TokenRefresh | undefined;
  /** By credential and rejected token: simultaneous callers share one read or refresh. */
  readonly #flights = new Map<string, Promise<string>>();
  readonly #listeners = new WeakMap<ToolSource, (user: { tenantId: string; userId: string }) => void>();

  /** @param parts undefined without the option `userCredentials` */
  constructor(private readonly parts: UserCredentialParts | undefined) {
    this.#refresh = parts && new TokenRefresh(parts);
  }

  /** The tokens of a source's users. @throws ToolSearchError `INVALID_CONFIGURATION` without `userCredentials` */
  tokensOf(source: ToolSource, authorizer: UserAuthorizer): UserTokens {
    const { connectUrl } = this.#on(source.name);
    const { name, owner = '' } = source;
    return {
      token: async (context, signal, rejected) => {
        const { tenantId, userId } = context;
        if (userId === undefined) throw credentialsRequired(name);
        const use = {
          key: { tenantId, userId, source: name, owner },
          authorizer,
          context,
          connectUrl: connectUrlOf(connectUrl, { source: name, owner }),
        };
        return abortable(() => this.#shared(use, rejected), signal);
      },
      onConnected: (listener) => void this.#listeners.set(source, listener),
    };
  }

  /**
   * Begins a connection of this user, and ends the one that the user has begun before for the same source.
   *
   * @param isOwned whether the source belongs to the user's tenant
   * @returns where to send the user's browser
   * @throws ToolSearchError `NOT_FOUND`, `FORBIDDEN`, `SOURCE_UNAVAILABLE`, `STORE_UNAVAILABLE`
   */
  async begin(context: ToolContext, sourceName: string, isOwned: boolean): Promise<string> {
    const { store, seal, connectUrl, connectForMs, providerTimeoutMs } = this.#on(sourceName);
    const key = keyOf(context, sourceName, isOwned);
    const authorizer = this.#authorizer(key);
    const { id, state } = seal.newState();
    const begun = await withDeadline(providerTimeoutMs, (signal) =>
      authorizer.begin(redirectUriOf(connectUrl, key), state, signal),
    ).catch((error: unknown) => {
      throw providerUnavailable(sourceName, error);
    });
    const sealed = seal.seal(begun.pending, ['attempt', id, ...Object.values(key)]);
    await guardStore('Credentials of users', async () => {
      await store.sweep(SWEPT_AT_ONCE);
      await store.begin({ ...key, id, sealed }, connectForMs);
    });
    return begun.url;
  }

  /**
   * Finishes a connection with what the provider's redirect brought. Each state counts once, for the user who began, and
   * at the redirect address of its source: otherwise no code is sent anywhere.
   *
   * @param returned the source whose redirect address was opened
   * @param answer undefined if the provider, or the user there, refused
   * @returns the name of the source
   * @throws ToolSearchError `INVALID_REQUEST`, `NOT_FOUND`, `FORBIDDEN`, `SOURCE_UNAVAILABLE`, `STORE_UNAVAILABLE`,
   *   `CREDENTIALS_UNREADABLE`, `CREDENTIALS_REQUIRED` if the server has another provider by now
   */
  async finish(
    context: ToolContext,
    returned: ConnectedSource,
    state: string,
    answer: AuthorizationAnswer | undefined,
  ): Promise<string> {
    const { store, seal, events, connectUrl, providerTimeoutMs } = this.#on('');
    const id = seal.idOfState(state);
    if (id === undefined) throw notBegun();
    const attempt = await guardStore('Credentials of users', () => store.take(id));
    if (!attempt || attempt.tenantId !== context.tenantId || attempt.userId !== context.userId) throw notBegun();
    if (attempt.source !== returned.source || attempt.owner !== returned.owner) throw notBegun();
    const key = keyOf(context, attempt.source, attempt.owner !== '');
    const authorizer = this.#authorizer(key);
    if (!answer) {
      throw new ToolSearchError('INVALID_REQUEST', `The provider did not grant access for ${key.source}.`, {
        hint: 'Open the address of the connection again, and agree there.',
      });
    }
    const pending = this.#opened(attempt.sealed, ['attempt', id, ...Object.values(key)], key);
    const grant = await withDeadline(providerTimeoutMs, (signal) => authorizer.finish(pending, answer, signal)).catch(
      (error: unknown) => {
        throw providerFailure(key.source, connectUrlOf(connectUrl, key), error);
      },
    );
    await this.#refresh?.save(key, grant);
    this.#forget(key);
    const { tenantId, userId, source, owner } = key;
    events.emit({ type: 'credentials.connected', tenantId, userId, source });
    const loaded = this.parts?.source(source, owner);
    if (loaded) this.#listeners.get(loaded)?.({ tenantId, userId });
    return source;
  }

  /** Credentials by a stable order, at most `limit` after the id `after`. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async list(filter: CredentialFilter, page: Page<string>): Promise<readonly CredentialStatus[]> {
    if (!this.parts) return [];
    const { store } = this.parts;
    const found = await guardStore('Credentials of users', () => store.list(filter, page));
    return found.map(({ tenantId, userId, source, owner, sealed, expiresAt, connectedAt, changedAt }) => {
      return { tenantId, userId, source, owner, keyId: keyIdOf(sealed), expiresAt, connectedAt, changedAt };
    });
  }

  /**
   * Removes a credential here and ends it at the provider, if the provider can be asked and its source is loaded. The
   * audit entry comes first: without it nothing is removed.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async revoke(
    key: CredentialKey,
    by: { readonly actor: string; readonly reason: string },
  ): Promise<CredentialRevocation> {
    const { store, trail, events, providerTimeoutMs } = this.#on(key.source);
    const { tenantId, userId, source } = key;
    const stored = await guardStore('Credentials of users', () => store.find(key));
    if (!stored) return { removed: false, endedAtProvider: false };
    await trail.note({ ...by, tenantId, subject: `${userId} at ${source}`, action: 'credentials.revoked' });
    const last = await guardStore('Credentials of users', () => removedFrom(store, key));
    this.#forget(key);
    const authorizer = this.parts?.source(source, key.owner)?.authorizer;
    const endedAtProvider = await withDeadline(providerTimeoutMs, (signal) => {
      const grant = this.#refresh?.grantOf(last ?? stored);
      return grant && authorizer ? authorizer.revoke(grant, signal) : false;
    }).catch(() => false);
    events.emit({ type: 'credentials.revoked', tenantId, userId, source, actor: by.actor, endedAtProvider });
    return { removed: last !== undefined, endedAtProvider };
  }

  #opened(sealed: string, place: readonly string[], key: CredentialKey): JsonObject {
    const { seal, connectUrl } = this.#on(key.source);
    try {
      return seal.open(sealed, place);
    } catch {
      throw unreadable(key.source, connectUrlOf(connectUrl, key));
    }
  }

  #shared(use: CredentialUse, rejected?: string): Promise<string> {
    const id = `${credentialId(use.key)}${rejected === undefined ? '' : createHash('sha256').update(rejected).digest('base64url')}`;
    const running = this.#flights.get(id);
    if (running) return running;
    const flight = (this.#refresh?.token(use, rejected) ?? Promise.reject(credentialsRequired(use.key.source))).finally(
      () => {
        if (this.#flights.get(id) === flight) this.#flights.delete(id);
      },
    );
    this.#flights.set(id, flight);
    return flight;
  }

  /** Callers that come after a change must not get what was read before it. */
  #forget(key: CredentialKey): void {
    const id = credentialId(key);
    for (const flight of this.#flights.keys()) if (flight.startsWith(id)) this.#flights.delete(flight);
  }

  #authorizer({ source, owner }: CredentialKey): UserAuthorizer {
    const authorizer = this.parts?.source(source, owner)?.authorizer;
    if (authorizer) return authorizer;
    throw new ToolSearchError('NOT_FOUND', 'There is no such source to connect to.', {
      hint: 'Open the address that the refused call named.',
    });
  }

  #on(source: string): UserCredentialParts {
    if (this.parts) return this.parts;
    const what = source === '' ? 'Accounts of users' : `${source} has auth: 'user': accounts of users`;
    throw new ToolSearchError('INVALID_CONFIGURATION', `${what} need the option userCredentials.`, {
      hint: 'Set userCredentials: { keys, connectUrl } of ToolSearchModule.',
    });
  }
}

function keyOf({ tenantId, userId }: ToolContext, source: string, isOwned: boolean): CredentialKey {
  if (userId !== undefined) return { tenantId, userId, owner: isOwned ? tenantId : '', source };
  throw new ToolSearchError('FORBIDDEN', 'Only a user can connect an account, and this request names none.', {
    hint: 'Let the context name a userId.',
  });
}
