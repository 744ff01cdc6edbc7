import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ToolSource } from '@tool-search/core';
import { checkedEnvironment } from '../src/settings/environment.js';
import { toolSources } from '../src/settings/tool-sources.js';
import { type CatalogCheck, catalogCheck } from './scenarios/catalog-check.js';
import { listedSources } from './datasets/listed-source.js';
import { loadedSource } from './datasets/loaded-source.js';
import { textTable } from './measuring/text-table.js';

/** The sources of the reference server, installed as dependencies of the project. */
async function ownSources(): Promise<ToolSource[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tool-search-catalogs-'));
  try {
    const env = checkedEnvironment({ DATA_DIR: folder, DEMO_TOKENS: 'check-token:acme:ada:business' });
    const sources: ToolSource[] = [];
    for (const source of toolSources(env)) sources.push(await loadedSource(source));
    return sources;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report({
  files,
  tools,
  accepted,
  refused,
  quarantined,
  reported,
  amended,
  msPerTool,
  compileMs,
}: CatalogCheck): string {
  const found = [
    ...refused.map((each) => ({ ...each, what: 'refused' })),
    ...quarantined.map((each) => ({ ...each, what: 'quarantined' })),
    ...reported.map((each) => ({ ...each, what: 'reported' })),
  ];
  const rows = found.map(({ what, source, name, code, reason }) => [what, source, name, code, reason]);
  return [
    `${tools} tools of ${files} sources: ${accepted} accepted (${amended} with changes), ${refused.length} refused, ${quarantined.length} quarantined, ${reported.length} reported`,
    `${msPerTool.toFixed(3)} ms a tool; compiling all schemas takes ${compileMs.toFixed(0)} ms`,
    ...(rows.length > 0 ? [textTable([['', 'source', 'tool', 'code', 'reason'], ...rows])] : []),
  ].join('\n');
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { dir: { type: 'string' }, json: { type: 'boolean', default: false } } });
  const sources = values.dir === undefined ? await ownSources() : listedSources(values.dir);
  const check = await catalogCheck(sources);
  const { broken, ...result } = check;
  console.log(values.json ? JSON.stringify(result) : report(check));
  // The exit code is 0 whatever was found: a check of other people's servers is a report, not a test.
  if (broken.length > 0) console.error(broken.join('\n'));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
