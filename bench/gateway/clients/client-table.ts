import type { AgentPlace } from './agent.js';
import { claudeCode } from './claude-code.js';
import { codex } from './codex.js';
import { geminiCli } from './gemini-cli.js';
import { opencode } from './opencode.js';
import { playAgent } from './play-agent.js';
import { playInspector } from './play-inspector.js';
import type { Played } from './story.js';

/** A published MCP client. All are installed on demand; none is a dependency. */
export interface Client {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** Plays the story. `kill` switches the tool off. */
  play(place: Omit<AgentPlace, 'modelUrl'>, kill: () => Promise<void>): Promise<Played>;
}

/** The newest versions that were tested. */
export const CLIENTS: readonly Client[] = [
  {
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.330',
    play: (place, kill) => playAgent(claudeCode, place, kill),
  },
  {
    name: 'Codex',
    package: '@openai/codex',
    version: '0.169.0',
    play: (place, kill) => playAgent(codex, place, kill),
  },
  {
    name: 'OpenCode',
    package: 'opencode-ai',
    version: '1.18.33',
    play: (place, kill) => playAgent(opencode, place, kill),
  },
  {
    name: 'Gemini CLI',
    package: '@google/gemini-cli',
    version: '0.61.0',
    play: (place, kill) => playAgent(geminiCli, place, kill),
  },
  { name: 'Inspector CLI', package: '@modelcontextprotocol/inspector', version: '2.12.0', play: playInspector },
];
