import { isToolSearchError } from '@tool-search/core';
import { approve, APPROVE_USAGE } from './approve.js';
import { enrichCommand, ENRICH_USAGE } from './enrich.js';
import { serve, SERVE_USAGE } from './serve/serve.js';

/** Where a command writes. */
export interface CommandOutput {
  /** What the command was asked for. While it serves over standard input and output, only the protocol writes there. */
  readonly out: (text: string) => void;
  /** Everything else: logs, errors, what to do next. */
  readonly error: (text: string) => void;
}

const PROCESS: CommandOutput = {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
};

const COMMANDS = {
  serve: { run: serve, usage: SERVE_USAGE },
  approve: { run: approve, usage: APPROVE_USAGE },
  enrich: { run: enrichCommand, usage: ENRICH_USAGE },
} as const;

const USAGE = `Usage: tool-search COMMAND

  serve FILE     serves all MCP servers of an mcp.json as one, searched and governed; --check looks without serving
  approve FILE   approves tools that are held back
  enrich         writes example queries for the tools of a NestJS application

tool-search COMMAND --help explains a command.
`;

/**
 * Runs the command `tool-search`.
 *
 * @param args without the program, for example `['serve', 'mcp.json', '--check']`
 * @returns the exit code: 0, or 1 if something failed or is missing
 */
export async function runCommand(args: readonly string[], output: CommandOutput = PROCESS): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '--help' || name === '-h') {
    output.out(USAGE);
    return 0;
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    output.error(USAGE);
    return 1;
  }
  const { run, usage } = COMMANDS[name as keyof typeof COMMANDS];
  if (rest.includes('--help') || rest.includes('-h')) {
    output.out(usage);
    return 0;
  }
  try {
    return await run(rest, output);
  } catch (fault) {
    const { message } = fault as Error;
    const hint = isToolSearchError(fault) && fault.hint !== undefined ? `\n${fault.hint}` : '';
    output.error(`tool-search: ${message}${hint}\n`);
    return 1;
  }
}
