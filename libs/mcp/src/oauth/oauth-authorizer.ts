import {
  type AddClientAuthentication,
  exchangeAuthorization,
  OAuthError,
  type OAuthClientInformationMixed,
  refreshAuthorization,
  startAuthorization,
} from '@modelcontextprotocol/client';
import { type JsonObject, type ToolContext, ToolSearchError } from '@tool-search/core';
import type { AuthorizationAnswer, UserAuthorizer, UserGrant } from '@tool-search/core/internal';
import type { McpOAuthOptions } from './oauth-options.js';
import { type Provider, ProviderDirectory } from './provider.js';
import { authenticate, exchangeToken, type IssuedTokens, revokeToken } from './token-requests.js';

/** After these a client that was registered dynamically is gone, and its grants with it. */
const CLIENT_GONE: readonly string[] = ['invalid_client', 'unauthorized_client'];

/** The provider, resource and client that a grant belongs to. */
interface GrantClient {
  readonly issuer: string;
  readonly resource: string;
  readonly clientId: string;
  /** Only of a client that was registered dynamically: the others' is in the options. */
  readonly clientSecret?: string;
}

/** An authorization that waits for the browser. */
interface Pending extends GrantClient {
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/**
 * Gets tokens for an MCP server by its OAuth rules: the authorization code flow with PKCE and a resource indicator, for
 * a configured or dynamically registered client.
 */
export class OAuthAuthorizer implements UserAuthorizer {
  readonly exchange?: UserAuthorizer['exchange'];
  readonly #directory: ProviderDirectory;

  /** @param allow egress rules for addresses that are not public, of the server and of its provider */
  constructor(
    url: URL,
    allow: readonly string[],
    private readonly options: McpOAuthOptions,
  ) {
    this.#directory = new ProviderDirectory(url, allow, options);
    if (options.exchange) this.exchange = (context, signal) => this.#exchange(context, signal);
  }

  async begin(redirectUri: string, state: string, signal: AbortSignal) {
    const provider = await this.#directory.provider(signal);
    const { issuer, metadata, resource, scope } = provider;
    const client = await this.#directory.client(provider, redirectUri, signal);
    const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
      metadata,
      clientInformation: client,
      redirectUrl: redirectUri,
      state,
      resource,
      ...(scope !== undefined && { scope }),
    });
    const pending: Pending = { ...this.#grantClient(provider, client), codeVerifier, redirectUri };
    return { url: authorizationUrl.href, pending: { ...pending } };
  }

  async finish(pending: JsonObject, { code, iss }: AuthorizationAnswer, signal: AbortSignal): Promise<UserGrant> {
    const { codeVerifier, redirectUri, ...from } = pending as unknown as Pending;
    const { issuer, metadata, resource } = await this.#providerOf(from, signal);
    const tokens = await exchangeAuthorization(issuer, {
      metadata,
      ...this.#asClient(from),
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
      codeVerifier: codeVerifier,
      redirectUri,
      resource,
      fetchFn: this.#directory.fetch(signal),
    });
    return grantOf(tokens, from);
  }

  async refresh({ refreshToken = '', client }: UserGrant, signal: AbortSignal): Promise<UserGrant | undefined> {
    const from = client as unknown as GrantClient;
    const { issuer, metadata, resource } = await this.#providerOf(from, signal);
    try {
      const tokens = await refreshAuthorization(issuer, {
        metadata,
        ...this.#asClient(from),
        refreshToken,
        resource,
        fetchFn: this.#directory.fetch(signal),
      });
      return grantOf(tokens, from);
    } catch (error) {
      if (error instanceof OAuthError && this.#hasEnded(error.code, from)) return undefined;
      throw error;
    }
  }

  // A refused client of the options is a mistake in the options, for example an old secret: the grants are valid still.
  #hasEnded(code: string, { clientId }: GrantClient): boolean {
    if (code === 'invalid_grant') return true;
    return CLIENT_GONE.includes(code) && this.#directory.configuredClient()?.client_id !== clientId;
  }

  async revoke({ accessToken, refreshToken, client }: UserGrant, signal: AbortSignal): Promise<boolean> {
    const from = client as unknown as GrantClient;
    const provider = await this.#providerOf(from, signal);
    const fetch = this.#directory.fetch(signal);
    const own = this.#clientOf(from);
    // The refresh token first: with it the provider ends the whole grant. Tokens that a server checks by itself (JWTs)
    // are valid until they expire, and many providers refuse to revoke them.
    const ended =
      refreshToken !== undefined && (await revokeToken(fetch, provider, own, refreshToken, 'refresh_token'));
    const access = await revokeToken(fetch, provider, own, accessToken, 'access_token');
    return refreshToken === undefined ? access : ended;
  }

  close(): Promise<void> {
    return this.#directory.close();
  }

  async #exchange(context: ToolContext, signal: AbortSignal): Promise<UserGrant | undefined> {
    const { subjectToken, subjectTokenType: type = '', audience } = this.options.exchange ?? {};
    const token = await subjectToken?.(context);
    const client = this.#directory.configuredClient();
    if (token === undefined || !client) return undefined;
    const provider = await this.#directory.provider(signal);
    const subject = { token, type, audience, scope: this.options.scope };
    const tokens = await exchangeToken(this.#directory.fetch(signal), provider, client, subject);
    return tokens && grantOf(tokens, this.#grantClient(provider, client));
  }

  /**
   * The provider of now, if the grant is its own: its tokens go to nobody else.
   *
   * @throws ToolSearchError `CREDENTIALS_REQUIRED` if the server has another one by now
   */
  async #providerOf({ issuer, resource }: GrantClient, signal: AbortSignal): Promise<Provider> {
    const provider = await this.#directory.provider(signal);
    if (provider.issuer === issuer && provider.resource === resource) return provider;
    throw new ToolSearchError('CREDENTIALS_REQUIRED', 'The account is of another provider than that of the server.');
  }

  #grantClient({ issuer, resource }: Provider, client: OAuthClientInformationMixed): GrantClient {
    const { client_id: clientId, client_secret: clientSecret } = client;
    const isRegistered = this.#directory.configuredClient() === undefined;
    return { issuer, resource, clientId, ...(isRegistered && clientSecret !== undefined && { clientSecret }) };
  }

  #asClient(from: GrantClient) {
    const client = this.#clientOf(from);
    const addClientAuthentication: AddClientAuthentication = (headers, form, _url, metadata) =>
      authenticate(client, metadata?.token_endpoint_auth_methods_supported, headers, form);
    return { clientInformation: client, addClientAuthentication };
  }

  #clientOf({ clientId, clientSecret }: GrantClient): OAuthClientInformationMixed {
    const configured = this.#directory.configuredClient();
    if (configured?.client_id === clientId) return configured;
    return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
  }
}

function grantOf(tokens: IssuedTokens, from: GrantClient): UserGrant {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, token_type: type } = tokens;
  // A header accepts nothing else; and a token of another type must not be sent as a bearer token.
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]{1,16384}$/.test(accessToken) || !/^bearer$/i.test(type)) {
    throw new Error('the token endpoint issued no bearer token');
  }
  const { issuer, resource, clientId, clientSecret } = from;
  return {
    accessToken,
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(Number.isFinite(Number(seconds)) &&
      seconds !== undefined && { expiresAt: Date.now() + Number(seconds) * 1000 }),
    client: { issuer, resource, clientId, ...(clientSecret !== undefined && { clientSecret }) },
  };
}
