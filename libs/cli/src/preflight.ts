import { isToolSearchError, ToolSearchService } from '@tool-search/core';
import type { Preflight } from '@tool-search/core/operators';
import type { NeededTool } from '@tool-search/core/internal';
import { parseArgs } from 'node:util';
import type { CommandOutput } from './command.js';
import { readConfig } from './config/read-config.js';
import { createContext, localUser, stateFileOf } from './serve/gateway-application.js';

/** Printed by `--help`. */
export const PREFLIGHT_USAGE = `Usage: tool-search preflight FILE PROFILE [TOOL ...] [--state FILE] [--json]

Starts the servers of FILE and says which of the tools that an agent needs can be called at PROFILE. Calls none.
TOOL is a name or glob; without one, those of the profile are taken (needs, else allow).

  --state FILE  the SQLite file that the gateway uses (default: in ~/.tool-search)
  --json        prints JSON

Exit codes:
  0  ready
  1  not yet: a server has failed or a limit is reached; try again
  2  blocked: a person has to act, for example approve a tool
  3  unknown: there is no such tool or profile
  4  the arguments or FILE are wrong
`;

const EXIT_CODES: Readonly<Record<Preflight['outcome'], number>> = { ready: 0, retry: 1, blocked: 2, unknown: 3 };
const WRONG = 4;
/** Milliseconds in which servers may start and list their tools: npx may have to install them. */
const PATIENCE_MS = 120_000;
/** Failures after which waiting may help. */
const PASSING = new Set(['GATE_CLOSED', 'STORE_UNAVAILABLE', 'SOURCE_UNAVAILABLE', 'CONTEXT_UNAVAILABLE']);

/** The command `tool-search preflight`. @returns the exit code of the outcome */
export async function preflight(args: readonly string[], { out, error }: CommandOutput): Promise<number> {
  const options = { state: { type: 'string' }, json: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [file, profile, ...needs] = positionals;
  if (file === undefined || profile === undefined) {
    error(PREFLIGHT_USAGE);
    return WRONG;
  }
  const config = readConfig(file);
  const state = values.state ?? stateFileOf(config);
  const app = await createContext({ config, state, bootWaitMs: PATIENCE_MS, logger: false });
  try {
    const service = app.get(ToolSearchService);
    const report = await service.preflight(profile, localUser(), needs.length > 0 ? needs : undefined);
    out(values.json ? `${JSON.stringify({ profile, ...report }, undefined, 2)}\n` : textOf(profile, report));
    return EXIT_CODES[report.outcome];
  } finally {
    await app.close();
  }
}

/** The exit code of a preflight that failed. */
export function preflightFailure(fault: unknown): number {
  if (!isToolSearchError(fault)) return WRONG;
  if (fault.code === 'NOT_FOUND') return EXIT_CODES.unknown;
  return PASSING.has(fault.code) ? EXIT_CODES.retry : WRONG;
}

function textOf(profile: string, { outcome, tools }: Preflight): string {
  return [...tools.map(lineOf), `${profile}: ${outcome}`, ''].join('\n');
}

function lineOf({ tool, state, layer, reason }: NeededTool): string {
  const what = state.replace('_', ' ');
  return layer === undefined ? `${tool}: ${what}` : `${tool}: ${what} (${layer}: ${reason})`;
}
