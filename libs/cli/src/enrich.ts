import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { enrich } from '@tool-search/core/operators';
import { type EnrichSetup, isObject } from '@tool-search/core/internal';
import type { CommandOutput } from './command.js';

/** Printed by `--help`. */
export const ENRICH_USAGE = `Usage: tool-search enrich --config FILE [--out FILE]

Writes example queries for the tools of an application into a file to review and commit.

  --config FILE  a JavaScript module whose default export is { sources, writer, … }, or a function that returns it
  --out FILE     the file; tools that it has already, with the same description, stay as they are
                 (default: example-queries.json)
`;

/** The command `tool-search enrich`. */
export async function enrichCommand(
  args: readonly string[],
  { out, error }: CommandOutput,
  load: (path: string) => Promise<unknown> = (path) => import(pathToFileURL(resolve(path)).href),
): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { config: { type: 'string' }, out: { type: 'string', default: 'example-queries.json' } },
  });
  if (values.config === undefined) {
    error(ENRICH_USAGE);
    return 1;
  }
  const setup = await setupOf(await load(values.config));
  const { tools, written, missing, spend, reason } = await enrich(values.out, setup);
  const { inputTokens, outputTokens } = spend;
  out(`${values.out}: ${tools} tools, ${written} written now (${inputTokens} tokens in, ${outputTokens} out)\n`);
  if (missing.length === 0) return 0;
  error(
    `${missing.length} tools have no queries${reason === undefined ? '' : ` (${reason})`}: ${missing.join(', ')}\n`,
  );
  return 1;
}

/** The setup of a module: its default export, also of a module that was compiled to CommonJS. */
async function setupOf(module: unknown): Promise<EnrichSetup> {
  let exported: unknown = module;
  for (let depth = 0; depth < 2 && isObject(exported) && 'default' in exported; depth++) exported = exported['default'];
  const setup: unknown = typeof exported === 'function' ? await (exported as () => unknown)() : exported;
  if (isObject(setup) && Array.isArray(setup['sources'])) return setup as unknown as EnrichSetup;
  throw new Error(
    'The default export of the configuration must be { sources, writer, … }, or a function that returns it.',
  );
}
