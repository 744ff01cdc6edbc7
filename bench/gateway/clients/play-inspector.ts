import { join } from 'node:path';
import { type AgentPlace } from './agent.js';
import { runAgent } from './run-agent.js';
import { KILL_BEFORE, type Played, STORY } from './story.js';

/** Exit code of the Inspector where a tool returned an error. */
const TOOL_ERROR = 5;

// It opens a browser without a terminal, and keeps the tokens for the next invocation without a keychain.
const ENVIRONMENT = { MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' };

/**
 * Lets the Inspector CLI play the story, one invocation for each step. It signs in for the list, which must also pass
 * its check of schemas that all clients can read (`--strict`).
 *
 * @param kill switches the tool off between two invocations
 */
export async function playInspector(
  { installed, mcpUrl, node, ...place }: Omit<AgentPlace, 'modelUrl'>,
  kill: () => Promise<void>,
): Promise<Played> {
  const launcher = ['node_modules', '@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js'];
  const server = [mcpUrl, '--transport', 'http'];
  const invoke = async (...args: readonly string[]) => {
    const command = [join(installed, ...launcher), '--cli', ...server, '--quiet', '--format', 'json', ...args];
    const { code, output } = await runAgent({ file: node, args: command, env: ENVIRONMENT }, place);
    if (code !== 0 && code !== TOOL_ERROR) console.error(`the Inspector ended with ${code}:\n${output}`);
    return { code, output };
  };
  const list = await invoke('--method', 'tools/list', '--strict');
  const listed = list.code === 0 ? [...list.output.matchAll(/"name":\s*"([^"]+)"/g)].map(([, name = '']) => name) : [];
  const results: string[] = [];
  for (const [step, call] of STORY.entries()) {
    if (step === KILL_BEFORE) await kill();
    const input = JSON.stringify(call.arguments);
    const method = ['--method', 'tools/call', '--tool-name', call.tool, '--tool-args-json', input];
    const { output } = await invoke(...method, '--stored-auth-only');
    results.push(output);
  }
  return { listed, results };
}
