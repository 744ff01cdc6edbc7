import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type ToolDefinition, ToolQuarantine, ToolSearchError } from '@tool-search/core';
import { type DefinitionChange, type QuarantinedTool, safeText } from '@tool-search/core/internal';
import type { CommandOutput } from './command.js';
import { readConfig } from './config/read-config.js';
import { createContext, localUser, stateFileOf } from './serve/gateway-application.js';

/** Printed by `--help`. */
export const APPROVE_USAGE = `Usage: tool-search approve FILE [TOOL@HASH ...] [--state FILE]

Without tools: shows the tools of FILE that are held back, why, what has changed, and the hash of each definition.
With tools: approves the definitions with these hashes, and nothing if a server sends another one by now. A running
gateway follows within a second.

  --state FILE  the SQLite file that the gateway uses (default: in ~/.tool-search)
`;

const PATIENCE_MS = 120_000;
const MAX_CHARS = 2000;
/** So many differences of a definition are computed. */
const MAX_CHANGES = 100;
/** 128 bits: a server that wants two definitions with one hash has to try 2^64. */
const HASH_CHARS = 32;

/** The command `tool-search approve`. */
export async function approve(args: readonly string[], { out, error }: CommandOutput): Promise<number> {
  const options = { state: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [file, ...wanted] = positionals;
  if (file === undefined) {
    error(APPROVE_USAGE);
    return 1;
  }
  const config = readConfig(file);
  const state = values.state ?? stateFileOf(config);
  const app = await createContext({ config, state, bootWaitMs: PATIENCE_MS, logger: false });
  try {
    const quarantine = app.get(ToolQuarantine);
    const all = quarantine.list();
    const heldTools = all.filter(({ verdict }) => verdict?.verdict !== 'approved');
    // All are checked before the first is approved.
    const chosen = [...new Set(wanted)].map((name) => definitionNamed(name, all, heldTools, file));
    for (const { id, tool, verdict, ...rest } of chosen) {
      const shown = described({ id, tool, ...rest }, await quarantine.changes(id));
      if (verdict?.verdict !== 'approved') {
        const actor = localUser().userId ?? 'unknown';
        const reason = 'tool-search approve';
        await quarantine.decide(id, 'approved', { actor, reason, expectedRevision: verdict?.revision ?? 0 });
      }
      out(`${shown}${versionOf(tool)}: ${verdict?.verdict === 'approved' ? 'was approved before' : 'approved'}\n`);
    }
    if (wanted.length > 0) return 0;
    for (const each of heldTools) out(described(each, await quarantine.changes(each.id)));
    if (heldTools.length === 0) out('Nothing is held back.\n');
    else out(`To approve: tool-search approve ${file} ${heldTools.map(({ tool }) => versionOf(tool)).join(' ')}\n`);
    return 0;
  } finally {
    await app.close();
  }
}

/** The definition that `name@hash` names. @throws ToolSearchError `INVALID_REQUEST`, `NOT_FOUND`, `REVISION_CONFLICT` */
function definitionNamed(
  wanted: string,
  all: readonly QuarantinedTool[],
  heldTools: readonly QuarantinedTool[],
  file: string,
): QuarantinedTool {
  const [name = '', hash] = wanted.split(/@(?=[^@]*$)/);
  const look = `tool-search approve ${file} shows what is held back, and the hash of each definition.`;
  if (hash === undefined) {
    const message = `${safeText(name, 256)} needs the hash of the definition that you have seen: TOOL@HASH.`;
    throw new ToolSearchError('INVALID_REQUEST', message, { hint: look });
  }
  const found = all.find(({ tool }) => versionOf(tool) === wanted);
  if (found) return found;
  if (heldTools.some(({ tool }) => tool.name === name)) {
    const message = `The definition of ${safeText(name, 256)} that is held back now does not have this hash.`;
    throw new ToolSearchError('REVISION_CONFLICT', message, { hint: `Nothing was approved. ${look}` });
  }
  throw new ToolSearchError('NOT_FOUND', `No tool that is held back is named ${safeText(name, 256)}.`, {
    hint: `Held back: ${heldTools.map(({ tool }) => tool.name).join(', ') || 'none'}.`,
  });
}

/** The name and the hash of everything that an approval accepts: the definition, and what the source sent. */
function versionOf({ name, hash, fingerprint }: ToolDefinition): string {
  const both = createHash('sha256')
    .update(`${hash} ${fingerprint ?? ''}`)
    .digest('hex');
  return `${name}@${both.slice(0, HASH_CHARS)}`;
}

function described(
  { tool, suspicion, finding, verdict }: QuarantinedTool,
  changes: readonly DefinitionChange[],
): string {
  const reasons = [suspicion ?? verdict?.reason, finding && `suspicious: ${finding.reason}`];
  const lines = [
    ...reasons.filter((reason) => reason !== undefined),
    ...changes.map(({ path, before, after }) => `${path}: ${json(before)} → ${json(after)}`),
    ...(changes.length < MAX_CHANGES ? [] : [`The first ${MAX_CHANGES} differences; there may be more.`]),
  ];
  return [versionOf(tool), ...lines.map((line) => `  ${shown(line)}`), ''].join('\n');
}

function json(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function shown(text: string): string {
  const rest = text.length - MAX_CHARS;
  return safeText(text, MAX_CHARS) + (rest > 0 ? `… ${rest} characters more` : '');
}
