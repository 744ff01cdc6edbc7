import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TOKENS } from './scenarios/killswitch.scenario.js';
import { runMixed } from './mixed/mixed.scenario.js';
import { startServer } from './scenarios/server-process.js';

/**
 * `npm run bench:mixed -- [--connections 200] [--requests 60000] [--json]`; runs the built reference server with its
 * own sources.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '200' },
      requests: { type: 'string', default: '60000' },
      json: { type: 'boolean', default: false },
    },
  });
  const [connections, requests] = [Number(values.connections), Number(values.requests)];
  if (![connections, requests].every((count) => Number.isInteger(count) && count >= 1))
    throw new Error('--connections and --requests take a whole number from 1');
  const folder = mkdtempSync(join(tmpdir(), 'tool-search-mixed-'));
  const server = await startServer(
    {
      DATA_DIR: folder,
      DEMO_TOKENS: TOKENS,
      TOOL_SEARCH_BOOT_WAIT_MS: '60000',
      TOOL_SEARCH_ADMIN_WRITES_PER_MINUTE: '1000000',
      TOOL_SEARCH_ADMIN_READS_PER_MINUTE: '1000000',
    },
    ['mixed/measured-server.js'],
  );
  try {
    const report = await runMixed(server, connections, requests);
    if (values.json) return void process.stdout.write(`${JSON.stringify(report)}\n`);
    const { seconds, requestsPerSecond, cpuMsPerRequest, p50Ms, p99Ms, kinds, eventLoop, rssMb, heapMb } = report;
    console.log(
      `${requests} requests over ${connections} connections in ${seconds} s: ${requestsPerSecond} requests a second, ${cpuMsPerRequest} ms CPU each`,
    );
    console.log(`  p50 ${p50Ms} ms, p99 ${p99Ms} ms`);
    for (const [kind, known] of Object.entries(kinds))
      console.log(`    ${kind.padEnd(6)} p50 ${known.p50Ms} ms, p99 ${known.p99Ms} ms`);
    console.log(
      `  event loop late by ${eventLoop.p50Ms} ms at p50, ${eventLoop.p99Ms} at p99, ${eventLoop.maxMs} at most`,
    );
    console.log(`  resident ${rssMb.before} MB before, ${rssMb.peak} at most, ${rssMb.after} after`);
    console.log(`  heap after a collection ${heapMb.before} MB before, ${heapMb.after} after`);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error((error instanceof Error ? error.message : String(error)).replaceAll('\n', ' '));
  process.exitCode = 1;
});
