import { TOKENS } from './scenarios/killswitch.scenario.js';
import { runMixed } from './mixed/mixed.scenario.js';
import { inOwnFolder } from './scenarios/own-database.js';
import { startServer, UNLIMITED_OPERATORS } from './scenarios/server-process.js';
import { main } from './command/command.js';
import { count } from './command/options.js';

main({
  purpose: 'Mixed requests over many connections to the built reference server with its own sources.',
  options: { connections: count(200), requests: count(60_000, 100_000_000) },
  run: ({ connections, requests }) =>
    inOwnFolder(async (folder) => {
      const env = { DATA_DIR: folder, DEMO_TOKENS: TOKENS, TOOL_SEARCH_BOOT_WAIT_MS: '60000', ...UNLIMITED_OPERATORS };
      const server = await startServer(env, ['mixed/measured-server.js']);
      try {
        return await runMixed(server, connections, requests);
      } finally {
        await server.stop();
      }
    }),
  text: ({ requests, connections, kinds, eventLoop, rssMb, heapMb, ...times }) =>
    [
      `${requests} requests over ${connections} connections in ${times.seconds} s: ${times.requestsPerSecond} requests a second, ${times.cpuMsPerRequest} ms CPU each`,
      `  p50 ${times.p50Ms} ms, p99 ${times.p99Ms} ms`,
      ...Object.entries(kinds).map(
        ([kind, { p50Ms, p99Ms }]) => `    ${kind.padEnd(6)} p50 ${p50Ms} ms, p99 ${p99Ms} ms`,
      ),
      `  event loop late by ${eventLoop.p50Ms} ms at p50, ${eventLoop.p99Ms} at p99, ${eventLoop.maxMs} at most`,
      `  resident ${rssMb.before} MB before, ${rssMb.peak} at most, ${rssMb.after} after`,
      `  heap after a collection ${heapMb.before} MB before, ${heapMb.after} after`,
    ].join('\n'),
});
