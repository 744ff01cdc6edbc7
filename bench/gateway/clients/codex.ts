import { join } from 'node:path';
import { type AgentCommand, type AgentPlace, MADE_UP_KEY, PROMPT, SERVER } from './agent.js';

const BINARY = 'node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex';

/** Codex without a terminal, over the Responses API. */
export function codex({ installed, modelUrl, mcpUrl, token }: AgentPlace): AgentCommand {
  const config = [
    'model = "scripted"',
    'model_provider = "local"',
    'check_for_update_on_startup = false',
    '[analytics]',
    'enabled = false',
    '[model_providers.local]',
    'name = "local"',
    `base_url = "${modelUrl}/v1"`,
    'env_key = "SCRIPTED_MODEL_KEY"',
    'wire_api = "responses"',
    `[mcp_servers.${SERVER}]`,
    `url = "${mcpUrl}"`,
    'bearer_token_env_var = "TOOLBOX_TOKEN"',
    'default_tools_approval_mode = "approve"',
  ];
  return {
    file: join(installed, BINARY),
    args: ['exec', '--skip-git-repo-check', '--sandbox', 'read-only', PROMPT],
    env: { SCRIPTED_MODEL_KEY: MADE_UP_KEY, TOOLBOX_TOKEN: token },
    files: { '.codex/config.toml': `${config.join('\n')}\n` },
  };
}
