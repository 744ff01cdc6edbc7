import { createHash } from 'node:crypto';
import type { ToolContext } from '@tool-search/core';
import { Secrets } from '@tool-search/core/source';
import { AddressRules, areHeaders, namedLoopback } from '@tool-search/core/internal';
import {
  areVariables,
  type McpCredentials,
  type McpHttpServer,
  type McpStdioServer,
  type McpVariables,
} from '../mcp-source-options.js';

export type Endpoint =
  | {
      readonly url: URL;
      readonly headers: McpVariables;
      /** Egress rules for addresses that are not public. */
      readonly allow: readonly string[];
    }
  | { readonly command: string; readonly args: readonly string[]; readonly env: McpVariables; readonly cwd?: string };

/** An endpoint together with the identity that may use a connection to it. */
export interface Access {
  readonly endpoint: Endpoint;
  /** Identifies tenant and user; `''` for the shared connection, which also lists the tools. */
  readonly holder: string;
  /** The tenant that the connection counts to; `''` for the shared one. */
  readonly tenantId: string;
  /** Hash of the credentials, to detect changes without storing the values. */
  readonly digest: string;
  /** The user's access token, where the source has `auth: 'user'`. */
  readonly token?: string;
}

/** The application's credentials function threw or returned unusable values. */
export class CredentialsFailed extends Error {
  constructor(cause: unknown) {
    super('the credentials could not be made', { cause });
    this.name = 'CredentialsFailed';
  }
}

/** Holder of the connection that all contexts share and that lists the tools. */
export const SHARED = '';

/**
 * Returns the function that maps a context to its access. If the credentials are fixed, all contexts share one access.
 *
 * @param isOwned whether a tenant owns the source; then its url is not trusted and loopback is not allowed implicitly
 */
export function accessTo(
  server: McpHttpServer | McpStdioServer,
  isOwned: boolean,
): (context: ToolContext | undefined) => Promise<Access> {
  const credentials = 'url' in server ? server.headers : server.env;
  const endpointWith = endpointOf(server, isOwned);
  if (typeof credentials !== 'function') {
    const shared = { endpoint: endpointWith({ ...credentials }), holder: SHARED, tenantId: '', digest: '' };
    return () => Promise.resolve(shared);
  }
  const areUsable = 'url' in server ? areHeaders : areVariables;
  return async (context) => {
    const made = await madeBy(credentials, context);
    // Copied, so that the application's function cannot change the values of an open connection later.
    const variables = areUsable(made) ? { ...made } : undefined;
    if (!variables) throw new CredentialsFailed(new Error('they are no names and values that could be used'));
    const whose = { holder: holderOf(context), tenantId: context?.tenantId ?? '' };
    return { endpoint: endpointWith(variables), ...whose, digest: digestOf(variables) };
  };
}

function endpointOf(server: McpHttpServer | McpStdioServer, isOwned: boolean): (variables: McpVariables) => Endpoint {
  if (!('url' in server)) {
    const { command, args = [], cwd } = server;
    return (env) => ({ command, args: [...args], env, ...(cwd === undefined ? {} : { cwd }) });
  }
  const url = new URL(server.url);
  const allow = allowedPlaces(server, isOwned);
  return (headers) => ({ url, headers, allow });
}

/** Egress rules for addresses that are not public. @param isOwned as for {@link accessTo} */
export function allowedPlaces({ url, egress }: McpHttpServer, isOwned: boolean): readonly string[] {
  return [...(isOwned ? [] : namedLoopback(url)), ...(egress?.allow ?? [])];
}

/**
 * Whether the server may learn of the traces of its calls.
 *
 * @param propagate the operator's choice. @default a child process, and an address that is not public
 * @param isOwned as for {@link accessTo}
 */
export function sharesTraces(
  server: McpHttpServer | McpStdioServer,
  isOwned: boolean,
  propagate: boolean | undefined,
): boolean {
  if (propagate !== undefined) return propagate;
  return !('url' in server) || new AddressRules({ allow: allowedPlaces(server, isOwned) }).namesPrivate(server.url);
}

async function madeBy(
  credentials: Exclude<McpCredentials, McpVariables>,
  context: ToolContext | undefined,
): Promise<unknown> {
  try {
    return await credentials(context);
  } catch (error) {
    throw new CredentialsFailed(error);
  }
}

function holderOf(context: ToolContext | undefined): string {
  return context ? JSON.stringify([context.tenantId, context.userId ?? null]) : SHARED;
}

/** A hash of headers or variables. */
export function digestOf(variables: McpVariables): string {
  const entries = Object.entries(variables).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex');
}

/** The credentials of an endpoint, which its server may echo. */
export function secretsOf(endpoint: Endpoint): Secrets {
  const secrets = new Secrets();
  if ('url' in endpoint) {
    secrets.addNamed(endpoint.headers);
    secrets.addUrl(endpoint.url);
  } else {
    secrets.addNamed(endpoint.env);
    for (const named of namedArguments(endpoint.args)) secrets.addNamed(named);
  }
  return secrets;
}

/** All values that an endpoint is reached with: an error for a log needs none of them. */
export function valuesOf(endpoint: Endpoint): Secrets {
  const secrets = secretsOf(endpoint);
  for (const value of Object.values('url' in endpoint ? endpoint.headers : endpoint.env)) secrets.addValue(value);
  return secrets;
}

const FLAG = /^-{1,2}([\w-]+)(?:=(.*))?$/s;
/** Ends the name of a flag whose next argument is its value; others may take none. */
const TAKES_CREDENTIAL = /(?:token|secret|passw(?:or)?d|pwd|key|credentials?|auth|bearer|pat)$/i;
const HEADER = /^([\w-]+): *(.+)$/s;

/** `--token=T`, `--token T`, `--header "Authorization: T"`, and addresses. */
function* namedArguments(args: readonly string[]): Generator<McpVariables> {
  for (const [index, arg] of args.entries()) {
    const [, flag = '', value] = FLAG.exec(arg) ?? [];
    const [, header, headerValue = ''] = HEADER.exec(arg) ?? [];
    const next = args[index + 1];
    if (value !== undefined) yield { [flag]: value };
    else if (TAKES_CREDENTIAL.test(flag) && next?.startsWith('-') === false) yield { [flag]: next };
    else if (header !== undefined) yield { [header]: headerValue };
    yield { '': arg };
  }
}
