import { parseArgs } from 'node:util';
import type { CommandOptions, OptionValues } from './options.js';

/** A command of this folder: `npm run NAME -- [options]`. */
export interface Command<Options extends CommandOptions, Report> {
  /** What it measures or checks, and what it needs; printed by `--help`. */
  readonly purpose: string;
  readonly options: Options;
  /** Measures. Whatever it, a library or a child process prints goes to standard error. */
  readonly run: (values: OptionValues<Options>) => Promise<Report> | Report;
  /** The report for people; with `--json` the report itself is printed. */
  readonly text: (report: Report) => string;
  /** What is not as promised, in one line; undefined if everything is. The command then ends with 1. @default nothing */
  readonly fault?: (report: Report) => string | undefined;
}

/** Where a command reads and writes. */
export interface CommandStreams {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/**
 * Runs a command: reads its arguments, and prints its report, with `--json` as one JSON object and nothing else. A failure is a
 * line on standard error.
 *
 * @returns the exit code: 0, or 1 for wrong arguments, a failure or a fault
 */
export async function runCommand<Options extends CommandOptions, Report>(
  command: Command<Options, Report>,
  args: readonly string[],
  { out, error }: CommandStreams,
): Promise<number> {
  try {
    const { json, help, ...given } = parsed(command.options, args);
    if (help === true) {
      out(usage(command));
      return 0;
    }
    const values = Object.entries(command.options).map(([name, option]) => [name, option.read(name, given[name])]);
    const report = await command.run(Object.fromEntries(values) as OptionValues<Options>);
    out(`${json === true ? JSON.stringify(report) : command.text(report)}\n`);
    const fault = command.fault?.(report);
    if (fault === undefined) return 0;
    error(`${fault}\n`);
  } catch (failure) {
    error(`${(failure instanceof Error ? failure.message : String(failure)).replaceAll(/\s*\n\s*/g, ' ')}\n`);
  }
  return 1;
}

/** Runs a command as the main program of this process. */
export function main<Options extends CommandOptions, Report>(command: Command<Options, Report>): void {
  const out = process.stdout.write.bind(process.stdout);
  // Loggers and libraries write to standard output as well, which belongs to the report.
  process.stdout.write = process.stderr.write.bind(process.stderr);
  void runCommand(command, process.argv.slice(2), {
    out: (text) => void out(text),
    error: (text) => void process.stderr.write(text),
  }).then((code) => (process.exitCode = code));
}

function parsed(options: CommandOptions, args: readonly string[]) {
  const known = Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]);
  const config = { json: { type: 'boolean' }, help: { type: 'boolean' }, ...Object.fromEntries(known) };
  return parseArgs({ args: [...args], options: config as Record<string, { type: 'string' | 'boolean' }> }).values;
}

function usage({ purpose, options }: { readonly purpose: string; readonly options: CommandOptions }): string {
  const lines = Object.entries(options).map(([name, { takes }]) => `  --${name}${takes === '' ? '' : ` ${takes}`}\n`);
  return `${purpose}\n\n${lines.join('')}  --json  prints one JSON object on standard output\n`;
}
