import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startServer } from '../scenarios/server-process.js';
import { type ConsoleRun, DEMO_TOKENS, TOKENS, until } from './run.js';

/** What the interactions need of the servers. */
export type CheckedServers = Omit<ConsoleRun, 'page'>;

interface CheckedSettings {
  /** More variables of the servers. */
  readonly env?: Readonly<Record<string, string>>;
  /** Adds a source with 10,000 tools. @default false */
  readonly isWide?: boolean;
}

/**
 * Starts the servers of one run: one with SQLite, or two with this PostgreSQL database. They have all their real sources,
 * and one that changes.
 */
export async function withServers(
  adapter: string,
  database: string | undefined,
  work: (servers: CheckedServers) => Promise<void>,
  { isWide = false, env: more = {} }: CheckedSettings = {},
): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'tool-search-console-'));
  const docs = join(data, 'description.txt');
  writeFileSync(docs, 'Reads a page.');
  const servers: ServerProcess[] = [];
  const entry = ['console/console-server.js', adapter, docs, ...(isWide ? ['wide'] : [])] as const;
  try {
    for (let instance = 0; instance < (database === undefined ? 1 : 2); instance++) {
      const env = {
        DATA_DIR: join(data, String(instance)),
        DEMO_TOKENS,
        HOST: '127.0.0.1',
        NODE_ENV: 'development',
        TOOL_SEARCH_BOOT_WAIT_MS: '60000',
        TOOL_SEARCH_GAPS_KEEP_QUERIES: 'true',
        // Approvals show them.
        TOOL_SEARCH_RECORD_ARGUMENTS: 'billing.*',
        TOOL_SEARCH_TUNING_SEARCH_GAPS_FLUSH_EVERY_MS: '200',
        ...more,
        ...(database !== undefined && { DATABASE_URL: database, TOOL_SEARCH_INSTANCES: '2' }),
      };
      // Sequential: each starts the sources' child processes, and the machine may be small.
      servers.push(await startServer(env, [...entry]));
    }
    const run = helpersOf(servers, docs);
    await until('all sources are ready', async () => {
      const states = await Promise.all(servers.map((server) => server.request('/admin/tools/status', TOKENS.oscar)));
      return states.every(({ body }) => (body['counts'] as { sourcesNotReady: number }).sourcesNotReady === 0);
    });
    await work(run);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(data, { recursive: true, force: true });
  }
}

function helpersOf(servers: readonly ServerProcess[], docs: string): CheckedServers {
  const [first] = servers;
  if (!first) throw new Error('no server was started');
  return {
    servers,
    changeDocs: (description) => writeFileSync(docs, description),
    admin: async (path, body) => {
      const method = path.startsWith('policies/') ? 'PUT' : undefined;
      return first.request(`/admin/tools/${path}`, TOKENS.oscar, body, {}, method);
    },
    call: (token, name, input, session) =>
      Promise.all(
        servers.map(async (server) => {
          const headers: Record<string, string> = session === undefined ? {} : { 'x-session-id': session };
          const { body } = await server.request('/toolbox/call', token, { name, arguments: input }, headers);
          return body['ok'] === true ? 'ok' : String(body['code']);
        }),
      ),
  };
}
