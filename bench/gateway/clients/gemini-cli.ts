import { join } from 'node:path';
import { type AgentCommand, type AgentPlace, MADE_UP_KEY, PROMPT, SERVER } from './agent.js';

/** Gemini CLI without a terminal. */
export function geminiCli({ installed, modelUrl, mcpUrl, node }: AgentPlace): AgentCommand {
  const settings = {
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    mcpServers: { [SERVER]: { httpUrl: mcpUrl, oauth: { enabled: true }, trust: true } },
  };
  return {
    file: node,
    args: [
      join(installed, 'node_modules', '@google', 'gemini-cli', 'bundle', 'gemini.js'),
      '--model=gemini-2.5-flash',
      `--prompt=${PROMPT}`,
    ],
    answer: { to: '[Y/n]: ', text: 'y\n' },
    env: { GEMINI_API_KEY: MADE_UP_KEY, GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    files: { '.gemini/settings.json': JSON.stringify(settings) },
  };
}
