import type { ToolContext } from '@tool-search/core';
import { func, neverUndefined, object, type OptionsOf, part, rule, text, value } from '@tool-search/core/internal';

const exchange = object({
  /**
   * The token that proves to the provider who the user is, for example the ID token of the application's own sign-in.
   * It goes to the provider and nowhere else. `undefined`: this user is not exchanged and connects instead.
   */
  subjectToken: func<(context: ToolContext) => string | undefined | Promise<string | undefined>>(),
  /** The type of that token. @default 'urn:ietf:params:oauth:token-type:access_token' */
  subjectTokenType: text(256).default('urn:ietf:params:oauth:token-type:access_token'),
  /** The provider's name of the server, where it does not know it by its address. @default none */
  audience: text(2048).optional(),
});

/** Token exchange (RFC 8693): users need not connect, because the provider already knows them. */
export interface McpTokenExchangeOptions extends OptionsOf<typeof exchange> {}

export const oauthOptions = object({
  /**
   * The authorization server that issues the tokens; the server must name it too.
   *
   * @default the first one that the server names
   */
  issuer: value<string>(isSecure, 'an absolute https: address; http: on loopback').optional(),
  /** The client that was registered there. @default one is registered dynamically (RFC 7591) */
  clientId: neverUndefined(text(2048)).optional(),
  /** The secret of that client. @default a public client */
  clientSecret: neverUndefined(text(2048)).optional(),
  /** Scopes to ask for, separated by spaces. @default those that the server names */
  scope: text(2048).optional(),
  /** Gets tokens without the user's browser. @default every user connects */
  exchange: part<McpTokenExchangeOptions>(exchange),
}).check(
  // Otherwise the server, which names its own issuer, could have the secret or the user's token sent to itself.
  rule('issuer', 'given with clientId', ({ issuer, clientId }) => issuer !== undefined || clientId === undefined),
  rule('clientSecret', 'left out without clientId', (set) => set.clientId !== undefined || !set.clientSecret),
  rule('clientId', 'given with exchange', (set) => set.clientId !== undefined || set.exchange === undefined),
);

/** The provider of the users' accounts. */
export interface McpOAuthOptions extends OptionsOf<typeof oauthOptions> {}

export const listAsOptions = object({
  tenantId: text(256),
  userId: text(256),
});

/** The user whose account lists the tools. */
export interface McpListAsOptions extends OptionsOf<typeof listAsOptions> {}

/** Whether an address may be sent tokens: `https:`, or `http:` on this machine. */
export function isSecure(given: unknown): boolean {
  if (!URL.canParse(String(given))) return false;
  const { protocol, hostname } = new URL(String(given));
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}
