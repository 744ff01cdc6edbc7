import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, runAsync, versionOf, writeJson } from '../pack-libraries.mjs';
import { install } from './application.mjs';

const SERVERS = ['@modelcontextprotocol/server-memory', '@modelcontextprotocol/server-everything'];
/** The second client: of the SDK before the one that this repository uses. */
const OLDER_SDK = '@modelcontextprotocol/sdk';

/**
 * Installs the command `tool-search` and two servers into an empty folder, and serves them to two clients: of the newer
 * SDK over standard input and output, of the older one over HTTP.
 */
export async function tryCommand(folder, packages) {
  mkdirSync(folder, { recursive: true });
  const { siblings } = packages['tool-search'];
  const wanted = ['tool-search', ...siblings, '@tool-search/sqlite-node20'];
  await install(folder, Object.fromEntries(wanted.map((name) => [name, packages[name]])), {
    ...Object.fromEntries(SERVERS.map((name) => [name, versionOf(name)])),
    [OLDER_SDK]: '^1.20.0',
  });
  writeJson(join(folder, 'mcp.json'), {
    mcpServers: {
      memory: { command: 'npx', args: ['--no-install', 'mcp-server-memory'] },
      everything: { command: 'npx', args: ['--no-install', 'mcp-server-everything', 'stdio'] },
    },
  });
  const checked = JSON.parse(
    run(
      'npx',
      ['--no-install', 'tool-search', 'serve', 'mcp.json', '--state', 'state.sqlite', '--check', '--json'],
      folder,
    ),
  );
  if (checked.servers.length !== 2 || checked.tokens.listed > checked.tokens.plain / 3) {
    throw new Error(`tool-search serve --check said: ${JSON.stringify(checked)}`);
  }
  writeFileSync(join(folder, 'clients.mjs'), CLIENTS);
  const said = await runAsync(process.execPath, ['clients.mjs'], folder);
  const expected =
    'stdio: tool_call, tool_get, tool_search: Echo: Ada\nhttp: tool_call, tool_get, tool_search: Echo: Ada\n';
  if (said !== expected) throw new Error(`the clients of tool-search said: ${said}`);
}

const CLIENTS = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client as NewerClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const SERVE = ['--no-install', 'tool-search', 'serve', 'mcp.json', '--state', 'state.sqlite'];
const ECHO = { name: 'tool_call', arguments: { name: 'everything.echo', arguments: { message: 'Ada' } } };

async function report(title, client, transport) {
  await client.connect(transport);
  const { tools } = await client.listTools();
  const { content: [{ text }] } = await client.callTool(ECHO);
  console.log(title + ': ' + tools.map(({ name }) => name).join(', ') + ': ' + text);
  await client.close();
}

const pinned = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
await report(
  'stdio',
  new NewerClient({ name: 'newer', version: '1.0.0' }, pinned),
  new StdioClientTransport({ command: 'npx', args: SERVE, stderr: 'ignore' }),
);

const token = 'a-token-of-this-check';
const env = { ...process.env, TOOL_SEARCH_TOKEN: token };
const server = spawn(process.execPath, ['node_modules/tool-search/bin/tool-search.js', ...SERVE.slice(2), '--http', '0'], { env });
let said = '';
server.stderr.on('data', (chunk) => (said += chunk));
while (!/serving (\\S+)\\n/.test(said)) await Promise.race([once(server.stderr, 'data'), once(server, 'exit').then(() => { throw new Error(said); })]);
const url = new URL(/serving (\\S+)\\n/.exec(said)[1]);
const requestInit = { headers: { authorization: 'Bearer ' + token } };
await report('http', new OlderClient({ name: 'older', version: '1.0.0' }), new StreamableHTTPClientTransport(url, { requestInit }));
server.kill('SIGTERM');
const [code] = await once(server, 'exit');
if (code !== 0) throw new Error('tool-search ended with ' + code + ': ' + said);
`;
