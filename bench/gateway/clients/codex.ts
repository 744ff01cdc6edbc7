import { join } from 'node:path';
import { type AgentCommand, type AgentPlace, MADE_UP_KEY, PROMPT, SERVER } from './agent.js';

const BINARY = 'node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex';

/** Codex without a terminal, over the Responses API. */
export function codex({ installed, modelUrl, mcpUrl }: AgentPlace): AgentCommand {
  const config = [
    'model = "scripted"',
    'model_provider = "local"',
    'check_for_update_on_startup = false',
    'mcp_oauth_credentials_store = "file"',
    '[analytics]',
    'enabled = false',
    '[model_providers.local]',
    'name = "local"',
    `base_url = "${modelUrl}/v1"`,
    'env_key = "SCRIPTED_MODEL_KEY"',
    'wire_api = "responses"',
    `[mcp_servers.${SERVER}]`,
    `url = "${mcpUrl}"`,
    'default_tools_approval_mode = "approve"',
  ];
  const file = join(installed, BINARY);
  return {
    file,
    login: { file, args: ['mcp', 'login', SERVER] },
    args: ['exec', '--skip-git-repo-check', '--sandbox', 'read-only', PROMPT],
    env: { SCRIPTED_MODEL_KEY: MADE_UP_KEY },
    files: { '.codex/config.toml': `${config.join('\n')}\n` },
  };
}
