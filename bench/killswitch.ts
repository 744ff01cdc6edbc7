import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { chaos, sameProcess, spread, TOKENS } from './scenarios/killswitch.scenario.js';
import { type ServerProcess, startServer } from './scenarios/server-process.js';

const INSTANCES = 3;

/**
 * `npm run bench:killswitch -- [--checks 100000] [--flips 500] [--polls 40] [--chaos 60] [--json]`; needs a PostgreSQL
 * server.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      checks: { type: 'string', default: '100000' },
      flips: { type: 'string', default: '500' },
      polls: { type: 'string', default: '40' },
      chaos: { type: 'string', default: '60' },
      json: { type: 'boolean', default: false },
    },
  });
  const counts = Object.fromEntries(
    ['checks', 'flips', 'polls', 'chaos'].map((name) => [name, Number(values[name as 'checks'])]),
  );
  const { checks = 0, flips = 0, polls = 0, chaos: seconds = 0 } = counts;
  if (!Object.values(counts).every((count) => Number.isInteger(count) && count >= 1)) {
    throw new Error('--checks, --flips, --polls and --chaos take a whole number from 1');
  }
  const server = process.env['TOOL_SEARCH_TEST_POSTGRES_URL'];
  if (!server)
    throw new Error('TOOL_SEARCH_TEST_POSTGRES_URL is not set: this measures instances on a real PostgreSQL.');
  await inOwnDatabase(server, async (url, database) => {
    const listening = await withServers(url, {}, async (servers) => ({
      sameProcess: await sameProcess(servers, checks),
      notify: await spread(servers, flips),
      chaos: await chaos(servers, database, seconds),
    }));
    const poll = await withServers(url, { TOOL_SEARCH_CONTROL_LISTEN: 'false' }, (servers) => spread(servers, polls));
    const { p50Ms, maxMs } = poll;
    report({ ...listening, poll: { flips: poll.flips, p50Ms, maxMs } }, values.json);
  });
}

async function inOwnDatabase(server: string, work: (url: string, database: Client) => Promise<void>): Promise<void> {
  const name = `tool_search_bench_${randomUUID().replaceAll('-', '')}`;
  const admin = new Client(server);
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${name}`);
    const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
    const database = new Client(url);
    await database.connect();
    try {
      await work(url, database);
    } finally {
      await database.end();
    }
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  }
}

async function withServers<T>(
  url: string,
  env: Readonly<Record<string, string>>,
  work: (servers: readonly ServerProcess[]) => Promise<T>,
): Promise<T> {
  const data = mkdtempSync(join(tmpdir(), 'tool-search-bench-'));
  const servers: ServerProcess[] = [];
  try {
    for (let i = 0; i < INSTANCES; i++) {
      const own = { DATABASE_URL: url, DATA_DIR: join(data, String(i)), DEMO_TOKENS: TOKENS, ...env };
      // Sequential: each starts the sources' child processes, and the machine may be small.
      servers.push(
        await startServer({
          ...own,
          TOOL_SEARCH_ADMIN_WRITES_PER_MINUTE: '1000000',
          TOOL_SEARCH_ADMIN_READS_PER_MINUTE: '1000000',
        }),
      );
    }
    return await work(servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(data, { recursive: true, force: true });
  }
}

function report(found: object, json: boolean): void {
  if (json) console.log(JSON.stringify(found));
  else for (const [part, figures] of Object.entries(found)) console.log(`${part}: ${JSON.stringify(figures)}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
