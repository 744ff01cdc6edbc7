import { type OAuthClientInformationMixed, selectClientAuthMethod } from '@modelcontextprotocol/client';
import { type EgressFetch, isObject } from '@tool-search/core/internal';
import { isSecure } from './oauth-options.js';
import type { Provider } from './provider.js';

/** Not in the SDK's type of OpenID Connect metadata. */
interface Revocation {
  readonly revocation_endpoint?: string;
  readonly revocation_endpoint_auth_methods_supported?: readonly string[];
}

/** Answer of a token endpoint. */
export interface IssuedTokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string | undefined;
  readonly expires_in?: number | undefined;
}

/**
 * Exchanges a token of the user for one of the server (RFC 8693).
 *
 * @returns undefined if the provider refuses this user
 */
export async function exchangeToken(
  fetch: EgressFetch,
  { metadata, resource }: Provider,
  client: OAuthClientInformationMixed,
  subject: {
    readonly token: string;
    readonly type: string;
    readonly audience?: string | undefined;
    readonly scope?: string | undefined;
  },
): Promise<IssuedTokens | undefined> {
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: subject.token,
    subject_token_type: subject.type,
    requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    resource,
    ...(subject.audience !== undefined && { audience: subject.audience }),
    ...(subject.scope !== undefined && { scope: subject.scope }),
  });
  const response = await fetch(
    metadata.token_endpoint,
    asClient(client, metadata.token_endpoint_auth_methods_supported, form),
  );
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && isObject(answer)) return answer as unknown as IssuedTokens;
  const error = isObject(answer) ? answer['error'] : undefined;
  // The provider knows the request, and says no to this user or this token.
  if (['invalid_grant', 'invalid_request', 'access_denied', 'invalid_target'].includes(String(error))) return undefined;
  throw new Error(`the token endpoint answered ${response.status}`);
}

/** Revokes a token (RFC 7009). False if the provider has no endpoint for it, or did not accept the request. */
export async function revokeToken(
  fetch: EgressFetch,
  { metadata }: Provider,
  client: OAuthClientInformationMixed,
  token: string,
  kind: 'access_token' | 'refresh_token',
): Promise<boolean> {
  const { revocation_endpoint: endpoint, revocation_endpoint_auth_methods_supported: methods } = metadata as Revocation;
  if (endpoint === undefined || !isSecure(endpoint)) return false;
  const form = new URLSearchParams({ token, token_type_hint: kind });
  const response = await fetch(
    endpoint,
    asClient(client, methods ?? metadata.token_endpoint_auth_methods_supported, form),
  );
  await response.body?.cancel();
  return response.ok;
}

/**
 * Adds a client's authentication to a request: RFC 6749 2.3.1. The SDK's own does not encode the parts of a basic
 * credential, which breaks ids with a colon and many secrets.
 */
export function authenticate(
  client: OAuthClientInformationMixed,
  supported: readonly string[] = [],
  headers: Headers,
  form: URLSearchParams,
): void {
  const { client_id: id, client_secret: secret = '' } = client;
  const method = selectClientAuthMethod(client, [...supported]);
  if (method === 'client_secret_basic') {
    const [user = '', password = ''] = [id, secret].map((part) => new URLSearchParams({ v: part }).toString().slice(2));
    headers.set('authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
    return;
  }
  form.set('client_id', id);
  if (method === 'client_secret_post') form.set('client_secret', secret);
}

function asClient(
  client: OAuthClientInformationMixed,
  supported: readonly string[] | undefined,
  form: URLSearchParams,
): RequestInit {
  const headers = new Headers({
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  });
  authenticate(client, supported, headers, form);
  return { method: 'POST', headers, body: form.toString() };
}
