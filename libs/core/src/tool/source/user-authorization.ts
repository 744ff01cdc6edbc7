import type { JsonObject } from '../../json/json.js';
import type { ToolContext } from '../tool-context.js';

/** Tokens that a provider issued for one user. Secret: in memory while they are used, and encrypted in a store. */
export interface UserGrant {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Epoch milliseconds; absent if the provider does not say. */
  readonly expiresAt?: number;
  /** Data of the source with which it refreshes or revokes the grant. */
  readonly client: JsonObject;
}

/** The parameters of the provider's redirect. */
export interface AuthorizationAnswer {
  readonly code: string;
  /** The issuer of the answer (RFC 9207), where the provider sends it. */
  readonly iss?: string;
}

/** Gets grants of users from the provider that protects a source. Errors must contain no token. */
export interface UserAuthorizer {
  /**
   * Begins the authorization of one user.
   *
   * @returns where to send the user's browser, and what `finish` needs, which stays secret
   */
  begin(
    redirectUri: string,
    state: string,
    signal: AbortSignal,
  ): Promise<{ readonly url: string; readonly pending: JsonObject }>;
  finish(pending: JsonObject, answer: AuthorizationAnswer, signal: AbortSignal): Promise<UserGrant>;
  /**
   * Undefined if the provider does not accept the grant any more. Rejects if that is not known, with the code
   * `CREDENTIALS_REQUIRED` if the server has another provider by now; the grant is kept.
   */
  refresh(grant: UserGrant, signal: AbortSignal): Promise<UserGrant | undefined>;
  /** Gets a grant without the user's browser (RFC 8693). Undefined if the provider refuses this user. */
  exchange?(context: ToolContext, signal: AbortSignal): Promise<UserGrant | undefined>;
  /** Ends the grant at the provider (RFC 7009). False if the provider has no way to do that. */
  revoke(grant: UserGrant, signal: AbortSignal): Promise<boolean>;
}

/** The access tokens of the users of one source. */
export interface UserTokens {
  /**
   * The access token of a caller, refreshed if needed.
   *
   * @param rejected a token that the server did not accept; another one is got
   * @throws ToolSearchError `CREDENTIALS_REQUIRED` if the user has to connect, `CREDENTIALS_UNREADABLE`,
   *   `SOURCE_UNAVAILABLE`, `STORE_UNAVAILABLE`
   */
  token(context: ToolContext, signal: AbortSignal, rejected?: string): Promise<string>;
  /** Calls the listener when a user has connected in this process. */
  onConnected(listener: (user: { readonly tenantId: string; readonly userId: string }) => void): void;
}
