import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerAnswer, type ServerProcess, startServer } from '../../scenarios/server-process.js';
import { HIDDEN_QUERY, HIDDEN_TOOL, KILLED_TOOL } from './story.js';

/** How a user of the tenant from which {@link HIDDEN_TOOL} is hidden signs in at the authorization server. */
export const LOGIN = 'globex.homer';
const OTHER_TENANT_TOKEN = 'check-acme-token';
const OPERATOR_TOKEN = 'check-operator-token';
const TOKENS = [`${OTHER_TENANT_TOKEN}:acme:ada:business:finance`, `${OPERATOR_TOKEN}:ops:olga:business:admin`];
const SWITCHES = '/admin/tools/kill-switches';

/** The built reference server with two tenants and an operator; its gateway accepts tokens of an authorization server. */
export interface GovernedServer {
  readonly url: string;
  /** Switches {@link KILLED_TOOL} off. */
  kill(): Promise<void>;
  /** Switches it on again. */
  revive(): Promise<void>;
}

/** Whose access tokens the gateway accepts. */
export interface TokenRules {
  /** The authorization server. */
  readonly issuer: string;
  /** The gateway's address for clients. */
  readonly resource: string;
}

/**
 * Runs work with the reference server on an empty database.
 *
 * @throws Error if the other tenant does not find the hidden tool: then it would prove nothing that a client does not
 */
export async function withGovernedServer<T>(
  { issuer, resource }: TokenRules,
  work: (server: GovernedServer) => Promise<T>,
): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), 'tool-search-gateway-'));
  try {
    const env = {
      DATA_DIR: data,
      DEMO_TOKENS: TOKENS.join(','),
      HOST: '127.0.0.1',
      NODE_ENV: 'development',
      TOOL_SEARCH_GATEWAY_OAUTH_RESOURCE: resource,
      TOOL_SEARCH_GATEWAY_OAUTH_ISSUERS: issuer,
      TOOL_SEARCH_GATEWAY_OAUTH_SCOPES: 'mcp',
      TOOL_SEARCH_GATEWAY_READ_CALLS: 'true',
    };
    const server = await startServer(env);
    try {
      const found = await ask(server, '/toolbox/search', OTHER_TENANT_TOKEN, { query: HIDDEN_QUERY });
      if (!JSON.stringify(found).includes(HIDDEN_TOOL)) throw new Error(`no tenant finds ${HIDDEN_TOOL}`);
      return await work(governed(server));
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  }
}

function governed(server: ServerProcess): GovernedServer {
  let engaged: { readonly id: string; readonly revision: number } | undefined;
  return {
    url: server.url,
    kill: async () => {
      const target = { kind: 'tool', value: KILLED_TOOL, reason: 'check' };
      const answer = await ask(server, SWITCHES, OPERATOR_TOKEN, target);
      engaged = answer['killSwitch'] as typeof engaged;
    },
    revive: async () => {
      if (!engaged) return;
      const body = { expectedRevision: engaged.revision, reason: 'check' };
      await ask(server, `${SWITCHES}/${engaged.id}/release`, OPERATOR_TOKEN, body);
      engaged = undefined;
    },
  };
}

async function ask(server: ServerProcess, path: string, token: string, body: unknown): Promise<ServerAnswer['body']> {
  const answer = await server.request(path, token, body);
  if (answer.status >= 300) throw new Error(`${path} was answered ${JSON.stringify(answer)}`);
  return answer.body;
}
