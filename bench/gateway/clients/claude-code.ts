import { join } from 'node:path';
import { type AgentCommand, type AgentPlace, MADE_UP_KEY, PROMPT, SERVER } from './agent.js';

/** Claude Code without a terminal. Its binary runs directly, because the package's install script would download one. */
export function claudeCode({ installed, home, modelUrl, mcpUrl, token }: AgentPlace): AgentCommand {
  const servers = { [SERVER]: { type: 'http', url: mcpUrl, headers: { Authorization: `Bearer ${token}` } } };
  return {
    file: join(installed, 'node_modules', '@anthropic-ai', 'claude-code-linux-x64', 'claude'),
    args: [
      '--print',
      '--model=claude-sonnet-4-5',
      '--no-session-persistence',
      `--mcp-config=${join(home, 'mcp.json')}`,
      '--strict-mcp-config',
      `--allowedTools=mcp__${SERVER}`,
      '--',
      PROMPT,
    ],
    env: {
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: MADE_UP_KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    files: { 'mcp.json': JSON.stringify({ mcpServers: servers }) },
  };
}
