import { createHash } from 'node:crypto';
import type { ToolContext } from '@tool-search/core';
import { namedLoopback } from '@tool-search/core/egress';
import { areHeaders, areVariables } from '../checked-options.js';
import type { McpCredentials, McpHttpServer, McpStdioServer, McpVariables } from '../mcp-source-options.js';

/** A server as one connection reaches it. */
export type Endpoint =
  | {
      readonly url: URL;
      readonly headers: McpVariables;
      /** What its address may be besides a public one. */
      readonly allow: readonly string[];
    }
  | { readonly command: string; readonly args: readonly string[]; readonly env: McpVariables; readonly cwd?: string };

/** An endpoint and who may use a connection to it. */
export interface Access {
  readonly endpoint: Endpoint;
  /** Equal only for the same tenant and user; `''` for what all share, and for listing. */
  readonly holder: string;
  /** Equal only for equal credentials; does not tell them. */
  readonly digest: string;
}

/** The application's own function could not say the credentials of a call. */
export class CredentialsFailed extends Error {
  constructor(cause: unknown) {
    super('the credentials could not be made', { cause });
    this.name = 'CredentialsFailed';
  }
}

/** What all share, and what tools are listed over. */
export const SHARED = '';

/**
 * Says how a context reaches the server. Without a function that makes credentials, all contexts share one access.
 *
 * @param isOwned the source belongs to a tenant, so that its url is not the application's own word
 */
export function accessTo(
  server: McpHttpServer | McpStdioServer,
  isOwned: boolean,
): (context: ToolContext | undefined) => Promise<Access> {
  const credentials = 'url' in server ? server.headers : server.env;
  const endpointWith = endpointOf(server, isOwned);
  if (typeof credentials !== 'function') {
    const shared = { endpoint: endpointWith({ ...credentials }), holder: SHARED, digest: '' };
    return () => Promise.resolve(shared);
  }
  const areUsable = 'url' in server ? areHeaders : areVariables;
  return async (context) => {
    const made = await madeBy(credentials, context);
    // A copy: what the function keeps and changes later must not reach a connection.
    const variables = areUsable(made) ? { ...made } : undefined;
    if (!variables) throw new CredentialsFailed(new Error('they are no names and values that could be used'));
    return { endpoint: endpointWith(variables), holder: holderOf(context), digest: digestOf(variables) };
  };
}

function endpointOf(server: McpHttpServer | McpStdioServer, isOwned: boolean): (variables: McpVariables) => Endpoint {
  if (!('url' in server)) {
    const { command, args = [], cwd } = server;
    return (env) => ({ command, args: [...args], env, ...(cwd === undefined ? {} : { cwd }) });
  }
  const url = new URL(server.url);
  const allow = [...(isOwned ? [] : namedLoopback(url)), ...(server.egress?.allow ?? [])];
  return (headers) => ({ url, headers, allow });
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

function digestOf(variables: McpVariables): string {
  const entries = Object.entries(variables).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex');
}
