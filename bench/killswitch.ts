import { join } from 'node:path';
import { Client } from 'pg';
import { chaos, sameProcess, spread, TOKENS } from './scenarios/killswitch.scenario.js';
import { memberTable } from './measuring/text-table.js';
import { inOwnDatabase, inOwnFolder, postgresServer } from './scenarios/own-database.js';
import { type ServerProcess, startServer, UNLIMITED_OPERATORS } from './scenarios/server-process.js';
import { main } from './command/command.js';
import { count } from './command/options.js';

const INSTANCES = 3;

async function withServers<T>(
  url: string,
  env: Readonly<Record<string, string>>,
  work: (servers: readonly ServerProcess[]) => Promise<T>,
): Promise<T> {
  return inOwnFolder(async (data) => {
    const servers: ServerProcess[] = [];
    try {
      for (let i = 0; i < INSTANCES; i++) {
        const own = { DATABASE_URL: url, DATA_DIR: join(data, String(i)), DEMO_TOKENS: TOKENS, ...env };
        // Sequential: each starts the sources' child processes, and the machine may be small.
        servers.push(await startServer({ ...own, ...UNLIMITED_OPERATORS }));
      }
      return await work(servers);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  });
}

main({
  purpose: 'How fast kill switches count on three instances over PostgreSQL, also while connections are killed.',
  options: { checks: count(100_000), flips: count(500), polls: count(40), chaos: count(60) },
  run: ({ checks, flips, polls, chaos: seconds }) =>
    inOwnDatabase(postgresServer(), async (url) => {
      const database = new Client(url);
      await database.connect();
      try {
        const listening = await withServers(url, {}, async (servers) => ({
          sameProcess: await sameProcess(servers, checks),
          notify: await spread(servers, flips),
          chaos: await chaos(servers, database, seconds),
        }));
        const poll = await withServers(url, { TOOL_SEARCH_CONTROL_LISTEN: 'false' }, (servers) =>
          spread(servers, polls),
        );
        return { ...listening, poll: { flips: poll.flips, p50Ms: poll.p50Ms, maxMs: poll.maxMs } };
      } finally {
        await database.end();
      }
    }),
  text: memberTable,
});
