import type { EgressOptions } from '@tool-search/core/source';
import {
  described,
  egressOptions,
  func,
  isObject,
  list,
  neverUndefined,
  object,
  oneOf,
  type OptionsOf,
  part,
  record,
  rule,
  type SettingsOf,
  someOf,
  text,
  value,
  whole,
  namedLoopback,
  scope,
} from '@tool-search/core/internal';
import { z } from 'zod';

const MINUTE_MS = 60_000;
// Asymmetric only: with a symmetric one, everyone who can check a token could issue it.
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;
const SAFE_URL = 'an https: URL (http: only for localhost) without credentials, query and fragment';

/** The claims of an access token whose signature, issuer, audience and time were checked. */
export interface AccessTokenClaims {
  readonly iss: string;
  readonly aud: string | readonly string[];
  /** Seconds since 1970. */
  readonly exp: number;
  /** Who the token is for; unique within the issuer only. */
  readonly sub?: string;
  readonly client_id?: string;
  /** Separated by spaces. */
  readonly scope?: string;
  readonly [claim: string]: unknown;
}

const url = () => described(z.string().max(2000).refine(isSafeUrl), SAFE_URL);
const jwks = object({
  /** Where the keys of an issuer are, by issuer. @default as its metadata says */
  uris: record(url()).default({}),
  /** Milliseconds after which the keys of an issuer are fetched anew. @default 600000 (10 min) */
  maxAgeMs: whole(100, 24 * 60 * MINUTE_MS).default(10 * MINUTE_MS),
  /** Milliseconds beyond `maxAgeMs` for which keys still count while the issuer does not answer. @default 3600000 (1 h) */
  staleMs: whole(0, 24 * 60 * MINUTE_MS).default(60 * MINUTE_MS),
  /** Milliseconds between two fetches: an unknown key causes no more. @default 10000 */
  cooldownMs: whole(0, 10 * MINUTE_MS).default(10_000),
  /** Milliseconds in which the issuer has to answer a request. @default 5000 */
  timeoutMs: whole(100, MINUTE_MS).default(5000),
});

/** How the keys of authorization servers are fetched. */
export interface GatewayJwksOptions extends OptionsOf<typeof jwks> {}

/** The schema of {@link GatewayOAuthOptions}. */
export const oauthOptions = object({
  /** The public URL of the endpoint, for example `https://api.example.com/mcp`; tokens are issued for it. */
  resource: url(),
  /** The authorization servers whose tokens count, as in the claim `iss`. */
  issuers: someOf(url()),
  /**
   * The caller for the claims of a verified token; becomes `request.user`, which the `context` option reads. `undefined`
   * refuses the caller with 403. With several issuers, equal values of `sub` are different people.
   */
  user: func<(claims: AccessTokenClaims) => object | undefined | Promise<object | undefined>>(),
  /** Values of `aud` that count at every URL. @default the URL itself, and `resource` */
  audience: someOf(text(2000)).optional(),
  /** Scopes that every request needs. @default none */
  scopes: list(scope()).default([]),
  /** Scopes that a request to `/all` needs too. @default none */
  allScopes: list(scope()).default([]),
  /** Accepted signatures. @default all of them, which are asymmetric */
  algorithms: someOf(oneOf(...ALGORITHMS)).default([...ALGORITHMS]),
  /** Accepted values of the header `typ`. @default ['at+jwt', 'JWT'] */
  types: someOf(text(50)).default(['at+jwt', 'JWT']),
  /** Milliseconds by which clocks may differ. @default 10000 */
  clockToleranceMs: whole(0, 5 * MINUTE_MS).default(10_000),
  jwks: part<GatewayJwksOptions>(jwks),
  /** Allows issuers at addresses that are not public; `localhost` is allowed without it. @default public addresses only */
  egress: part<EgressOptions>(egressOptions),
});

/** The gateway as an OAuth 2.1 resource server. */
export interface GatewayOAuthOptions extends OptionsOf<typeof oauthOptions> {}

const TOKEN = 'a text of 16 to 500 visible characters';

/** The schema of {@link GatewayToken}. */
export const tokenOptions = object({
  /** The token itself. */
  token: neverUndefined(described(z.string().regex(/^[\x21-\x7e]{16,500}$/), TOKEN)).optional(),
  /** The SHA-256 of the token, in hexadecimal, in place of the token. */
  sha256: neverUndefined(described(z.string().regex(/^[0-9a-fA-F]{64}$/), '64 hexadecimal digits')).optional(),
  /** The caller; becomes `request.user`. */
  user: value<object>(isObject, 'an object'),
}).check(
  rule(
    'token',
    'given, or sha256, and not both',
    ({ token, sha256 }) => (token === undefined) !== (sha256 === undefined),
  ),
);

/** A fixed bearer token with its caller, for local use. */
export interface GatewayToken extends OptionsOf<typeof tokenOptions> {}

/** Checked options with their defaults. */
export type OAuthSettings = Omit<SettingsOf<typeof oauthOptions>, 'jwks' | 'egress'> & {
  readonly jwks: SettingsOf<typeof jwks>;
  readonly egress: SettingsOf<typeof egressOptions>;
};

/** Fills in the defaults of nested options. */
export function oauthSettings(given: GatewayOAuthOptions): OAuthSettings {
  const checked = oauthOptions.parse(given);
  return {
    ...checked,
    jwks: jwks.parse(checked.jwks ?? {}),
    egress: egressOptions.parse(checked.egress ?? {}),
  };
}

/** Whether tokens and keys may travel to a URL: encrypted, or within this machine. */
export function isSafeUrl(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const { protocol, username, password, search, hash } = new URL(given);
  if (username + password + search + hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && namedLoopback(given).length > 0);
}
