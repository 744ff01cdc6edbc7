import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { isObject } from '../json/json.js';
import { enrich, type EnrichSetup } from '../runtime/enrich.js';
import { isToolSearchError } from '../tool/tool-search.error.js';

const USAGE = `Usage: tool-search enrich --config FILE [--out FILE]

Writes example queries for the tools of an application into a file to review and commit.

  --config FILE  a JavaScript module whose default export is { sources, writer, … }, or a function that returns it
  --out FILE     the file; tools that it has already, with the same description, stay as they are
                 (default: example-queries.json)
`;

interface Output {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

const PROCESS: Output = {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
};

/** Runs the command `tool-search`. @returns the exit code: 0, or 1 if something failed or is missing */
export async function runCommand(
  args: readonly string[],
  { out, error }: Output = PROCESS,
  load: (path: string) => Promise<unknown> = (path) => import(pathToFileURL(resolve(path)).href),
): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: { type: 'string' },
        out: { type: 'string', default: 'example-queries.json' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      out(USAGE);
      return 0;
    }
    if (positionals.length !== 1 || positionals[0] !== 'enrich' || values.config === undefined) {
      error(USAGE);
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
  } catch (fault) {
    const { message } = fault as Error;
    const hint = isToolSearchError(fault) && fault.hint !== undefined ? `\n${fault.hint}` : '';
    error(`tool-search: ${message}${hint}\n`);
    return 1;
  }
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
