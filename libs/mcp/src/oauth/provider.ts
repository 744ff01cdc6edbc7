import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  type OAuthClientInformationMixed,
  registerClient,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import { Egress } from '@tool-search/core/source';
import type { EgressFetch } from '@tool-search/core/internal';
import { boundedFetch } from '../transport/bounded-fetch.js';
import { isSecure, type McpOAuthOptions } from './oauth-options.js';

const MAX_BYTES = 256 * 1024;

/** The authorization server that protects a server, and the name of the server there. */
export interface Provider {
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata;
  /** The resource indicator (RFC 8707) of every request. */
  readonly resource: string;
  /** Scopes that the server names, separated by spaces. */
  readonly scope: string | undefined;
}

/** Finds the provider of a server (RFC 9728, RFC 8414), and the client that this application is there. */
export class ProviderDirectory {
  readonly #egress: Egress;
  #search: Promise<Provider> | undefined;
  /** By issuer and redirect URI. */
  readonly #clients = new Map<string, Promise<OAuthClientInformationMixed>>();

  constructor(
    private readonly url: URL,
    allow: readonly string[],
    private readonly options: McpOAuthOptions,
  ) {
    this.#egress = new Egress({ allow });
  }

  /** A `fetch` for the provider: bounded, without redirects, and only to addresses that the source may reach. */
  fetch(signal: AbortSignal): EgressFetch {
    const send = boundedFetch(this.#egress.request, { maxBytes: MAX_BYTES });
    return (target, init) => send(target, { ...init, signal });
  }

  /** Searched for anew each time, because a server may change its provider. Concurrent callers share one search. */
  provider(signal: AbortSignal): Promise<Provider> {
    this.#search ??= this.#find(signal).finally(() => (this.#search = undefined));
    return this.#search;
  }

  /** The client of the options; otherwise one that is registered once for each process. */
  async client({ issuer, metadata }: Provider, redirectUri: string, signal: AbortSignal) {
    const configured = this.configuredClient();
    if (configured) return configured;
    const key = JSON.stringify([issuer, redirectUri]);
    let client = this.#clients.get(key);
    if (!client) {
      client = registerClient(issuer, {
        metadata,
        clientMetadata: {
          client_name: 'ToolSearch',
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
          application_type: new URL(redirectUri).protocol === 'https:' ? 'web' : 'native',
        },
        fetchFn: this.fetch(signal),
      });
      this.#clients.set(key, client);
      client.catch(() => this.#clients.delete(key));
    }
    const { client_id, client_secret } = await client;
    return { client_id, ...(client_secret !== undefined && { client_secret }) };
  }

  /** The client of the options. */
  configuredClient(): OAuthClientInformationMixed | undefined {
    const { clientId, clientSecret } = this.options;
    if (clientId === undefined) return undefined;
    return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
  }

  close(): Promise<void> {
    return this.#egress.close();
  }

  async #find(signal: AbortSignal): Promise<Provider> {
    const fetchFn = this.fetch(signal);
    const described = await discoverOAuthProtectedResourceMetadata(this.url, {}, fetchFn);
    const wanted = resourceUrlFromServerUrl(this.url);
    if (!checkResourceAllowed({ requestedResource: wanted, configuredResource: described.resource })) {
      throw new Error('the server describes another resource');
    }
    const [first] = described.authorization_servers ?? [];
    const named = (described.authorization_servers ?? []).map(withoutSlash);
    const issuer = this.options.issuer ?? first;
    if (issuer === undefined || !named.includes(withoutSlash(issuer))) {
      throw new Error('the server does not name the authorization server');
    }
    const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn });
    if (!metadata) throw new Error('the authorization server has no metadata');
    const { authorization_endpoint: authorize, token_endpoint: token, registration_endpoint: register } = metadata;
    if (![issuer, authorize, token, ...(register === undefined ? [] : [register])].every(isSecure)) {
      throw new Error('the authorization server has an address without https:');
    }
    const scope = this.options.scope ?? described.scopes_supported?.join(' ');
    return { issuer: metadata.issuer, metadata, resource: described.resource, scope: scope === '' ? undefined : scope };
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
