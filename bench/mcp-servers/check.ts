import { type ServerCheck, serverCheck } from './mcp-server-check.js';
import { PUBLISHED_SERVERS } from './mcp-server-table.js';
import { textTable } from '../measuring/text-table.js';
import { packageCache } from '../scenarios/installed-package.js';
import { main } from '../command/command.js';
import { text } from '../command/options.js';

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

main({
  purpose: 'Whether published MCP servers can be used: installs, lists, finds and calls their tools.',
  options: { only: text(), cache: text('FOLDER') },
  run: async ({ only, cache = packageCache('mcp-servers') }) => {
    const servers: ServerCheck[] = [];
    for (const server of PUBLISHED_SERVERS) {
      // Sequential: each server may use the whole machine while it starts.
      if (only === undefined || server.package.includes(only)) servers.push(await serverCheck(server, cache));
    }
    return { servers };
  },
  text: ({ servers }) => report(servers),
  fault: ({ servers }) => {
    const ok = servers.filter((server) => server.ok).length;
    const called = servers.filter((server) => server.called).length;
    if (servers.length < PUBLISHED_SERVERS.length || (ok >= MIN_OK && called >= MIN_CALLED)) return undefined;
    return `${ok} servers could be used, ${called} called; at least ${MIN_OK} and ${MIN_CALLED} are promised`;
  },
});
