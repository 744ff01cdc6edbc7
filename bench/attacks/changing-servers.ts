import { join } from 'node:path';
import { McpSource } from '@tool-search/mcp';
import type { Attack } from './attack.js';
import { LOOK_ON, WITHOUT_BUDGET } from './costly-sources.js';

/** MCP servers (child processes) that replace all their 600 tools (4.9 MB) every 5 s. */
export const CHANGING_SERVERS: readonly Attack[] = [
  changing('descriptions', 'strict'),
  changing('descriptions', 'trust'),
  changing('schemas', 'strict'),
  changing('schemas', 'trust'),
];

function changing(large: 'descriptions' | 'schemas', changes: 'strict' | 'trust'): Attack {
  return {
    name: `a server that changes 600 tools with large ${large} every 5 s, ${changes}`,
    sources: () => [
      new McpSource({
        name: 'hostile',
        command: process.execPath,
        args: [join(__dirname, 'changing-mcp-server.js'), large],
        changes,
      }),
    ],
    env: WITHOUT_BUDGET,
    forMs: 16_000,
    promised: [200],
    once: LOOK_ON,
  };
}
