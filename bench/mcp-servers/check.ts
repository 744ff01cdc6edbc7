import { parseArgs } from 'node:util';
import { type ServerCheck, serverCheck } from './mcp-server-check.js';
import { PUBLISHED_SERVERS } from './mcp-server-table.js';
import { textTable } from '../measuring/text-table.js';
import { packageCache } from '../scenarios/installed-package.js';

const MIN_OK = 12;
const MIN_CALLED = 8;

function report(servers: readonly ServerCheck[]): string {
  const rows = servers.map(({ package: name, version, tools, ok, called, reason = '' }) => [
    `${name}@${version}`,
    String(tools),
    ok ? 'yes' : 'NO',
    called ? 'yes' : '',
    reason,
  ]);
  return textTable([['server', 'tools', 'found', 'called', ''], ...rows]);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      cache: { type: 'string', default: packageCache('mcp-servers') },
      json: { type: 'boolean', default: false },
    },
  });
  const { only } = values;
  const wanted = PUBLISHED_SERVERS.filter((server) => only === undefined || server.package.includes(only));
  const servers: ServerCheck[] = [];
  // Sequential: each server may use the whole machine while it starts.
  for (const server of wanted) servers.push(await serverCheck(server, values.cache));
  console.log(values.json ? JSON.stringify({ servers }) : report(servers));
  const ok = servers.filter((server) => server.ok).length;
  const called = servers.filter((server) => server.called).length;
  if (only !== undefined || (ok >= MIN_OK && called >= MIN_CALLED)) return;
  console.error(`${ok} servers could be used, ${called} called; at least ${MIN_OK} and ${MIN_CALLED} are promised`);
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
