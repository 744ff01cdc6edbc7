import { parseArgs } from 'node:util';
import { ToolQuarantine, ToolSearchError } from '@tool-search/core';
import { safeText } from '@tool-search/core/adapter';
import type { DefinitionChange, QuarantinedTool } from '@tool-search/core/operators';
import type { CommandOutput } from './command.js';
import { readConfig } from './config/read-config.js';
import { createContext, localUser, stateFileOf } from './serve/gateway-application.js';

/** Printed by `--help`. */
export const APPROVE_USAGE = `Usage: tool-search approve FILE [TOOL ...] [--state FILE]

Without tools: shows the tools of FILE that are held back, why, and what has changed. With their names: approves
exactly the definitions that the servers send now. A running gateway follows within a second.

  --state FILE  the SQLite file that the gateway uses (default: in ~/.tool-search)
`;

const PATIENCE_MS = 120_000;
const MAX_CHARS = 2000;

/** The command `tool-search approve`. */
export async function approve(args: readonly string[], { out, error }: CommandOutput): Promise<number> {
  const options = { state: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [file, ...names] = positionals;
  if (file === undefined) {
    error(APPROVE_USAGE);
    return 1;
  }
  const config = readConfig(file);
  const state = values.state ?? stateFileOf(config);
  const app = await createContext({ config, state, bootWaitMs: PATIENCE_MS, logger: false });
  try {
    const quarantine = app.get(ToolQuarantine);
    const held = quarantine.list().filter(({ verdict }) => verdict?.verdict !== 'approved');
    for (const name of names) {
      if (!held.some(({ tool }) => tool.name === name)) throw notHeld(name, held);
    }
    const chosen = held.filter(({ tool }) => names.includes(tool.name));
    for (const { id, tool, verdict } of chosen) {
      const actor = localUser().userId ?? 'unknown';
      const reason = 'tool-search approve';
      await quarantine.decide(id, 'approved', { actor, reason, expectedRevision: verdict?.revision ?? 0 });
      out(`${tool.name}: approved\n`);
    }
    if (names.length > 0) return 0;
    for (const each of held) out(described(each, await quarantine.changes(each.id)));
    if (held.length === 0) out('Nothing is held back.\n');
    return 0;
  } finally {
    await app.close();
  }
}

function described({ tool, suspicion, verdict }: QuarantinedTool, changes: readonly DefinitionChange[]): string {
  const why = suspicion ?? verdict?.reason ?? '';
  const lines = changes.map(({ path, before, after }) => `  ${shown(path)}: ${json(before)} → ${json(after)}`);
  return [`${tool.name}: ${shown(why)}`, ...lines, ''].join('\n');
}

function json(value: unknown): string {
  return value === undefined ? 'nothing' : shown(JSON.stringify(value));
}

function shown(text: string): string {
  return safeText(text, MAX_CHARS);
}

function notHeld(name: string, held: readonly QuarantinedTool[]): ToolSearchError {
  return new ToolSearchError('NOT_FOUND', `No tool that is held back is named ${safeText(name, 256)}.`, {
    hint: `Held back: ${held.map(({ tool }) => tool.name).join(', ') || 'none'}.`,
  });
}
