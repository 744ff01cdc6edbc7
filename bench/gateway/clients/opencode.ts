import { join } from 'node:path';
import { type AgentCommand, type AgentPlace, MADE_UP_KEY, PROMPT, SERVER } from './agent.js';

/** OpenCode without a terminal, over chat completions. */
export function opencode({ installed, modelUrl, mcpUrl }: AgentPlace): AgentCommand {
  const config = {
    autoupdate: false,
    share: 'disabled',
    model: 'local/scripted',
    permission: 'allow',
    provider: {
      local: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${modelUrl}/v1`, apiKey: MADE_UP_KEY },
        models: { scripted: { tool_call: true, limit: { context: 200_000, output: 8_000 } } },
      },
    },
    mcp: { [SERVER]: { type: 'remote', url: mcpUrl } },
  };
  const file = join(installed, 'node_modules', 'opencode-linux-x64', 'bin', 'opencode');
  return {
    file,
    login: { file, args: ['mcp', 'auth', SERVER] },
    args: ['run', PROMPT],
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
    files: { '.config/opencode/opencode.json': JSON.stringify(config) },
  };
}
