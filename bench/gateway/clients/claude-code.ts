import { join } from 'node:path';
import { type AgentCommand, type AgentPlace, MADE_UP_KEY, PROMPT, SERVER } from './agent.js';

/** Claude Code without a terminal. Its binary runs directly, because the package's install script would download one. */
export function claudeCode({ installed, modelUrl, mcpUrl }: AgentPlace): AgentCommand {
  const servers = { [SERVER]: { type: 'http', url: mcpUrl } };
  const file = join(installed, 'node_modules', '@anthropic-ai', 'claude-code-linux-x64', 'claude');
  return {
    file,
    // It signs in only in a terminal, which "script" stands for.
    login: { file: 'script', args: ['--quiet', '--return', '--command', `'${file}' mcp login ${SERVER}`, '/dev/null'] },
    args: [
      '--print',
      '--model=claude-sonnet-4-5',
      '--no-session-persistence',
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
    files: { '.claude.json': JSON.stringify({ mcpServers: servers }) },
  };
}
