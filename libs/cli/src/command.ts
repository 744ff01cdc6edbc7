import { isToolSearchError } from '@tool-search/core';
import { approve, APPROVE_USAGE } from './approve.js';
import { enrichCommand, ENRICH_USAGE } from './enrich.js';
import { preflight, preflightFailure, PREFLIGHT_USAGE } from './preflight.js';
import { serve, SERVE_USAGE } from './serve/serve.js';

/** Where a command writes. */
export interface CommandOutput {
  /** Writes the command's output. While it serves over standard input and output, only the protocol writes there. */
  readonly out: (text: string) => void;
  /** Everything else: logs, errors, what to do next. */
  readonly error: (text: string) => void;
}

const PROCESS: CommandOutput = {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
};

interface Command {
  readonly run: (args: readonly string[], output: CommandOutput) => number | Promise<number>;
  readonly usage: string;
  /** The exit code of a failure. @default 1 */
  readonly failure?: (fault: unknown) => number;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: { run: serve, usage: SERVE_USAGE },
  preflight: { run: preflight, usage: PREFLIGHT_USAGE, failure: preflightFailure },
  approve: { run: approve, usage: APPROVE_USAGE },
  enrich: { run: enrichCommand, usage: ENRICH_USAGE },
};

const USAGE = `Usage: tool-search COMMAND

  serve FILE               serves all MCP servers of an mcp.json as one, searched and governed; --check looks without serving
  preflight FILE PROFILE   says which of the tools that an agent needs can be called now
  approve FILE             approves tools that are held back
  enrich                   writes example queries for the tools of a NestJS application

tool-search COMMAND --help explains a command.
`;

/**
 * Runs the command `tool-search`.
 *
 * @param args without the program, for example `['serve', 'mcp.json', '--check']`
 * @returns the exit code: 0, or 1 if something failed or is missing; `preflight` has exit codes of its own
 */
export async function runCommand(args: readonly string[], output: CommandOutput = PROCESS): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '--help' || name === '-h') {
    output.out(USAGE);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    output.error(USAGE);
    return 1;
  }
  const { run, usage, failure = () => 1 } = command;
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
    return failure(fault);
  }
}
