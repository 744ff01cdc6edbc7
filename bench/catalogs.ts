import type { ToolSource } from '@tool-search/core';
import { checkedEnvironment } from '../src/settings/environment.js';
import { toolSources } from '../src/settings/tool-sources.js';
import { type CatalogCheck, catalogCheck } from './scenarios/catalog-check.js';
import { type DocumentsCheck, documentsCheck } from './openapi/documents-check.js';
import { listedSources } from './datasets/listed-source.js';
import { loadedSource } from './datasets/loaded-source.js';
import { inOwnFolder } from './scenarios/own-database.js';
import { textTable } from './measuring/text-table.js';
import { main } from './command/command.js';
import { text } from './command/options.js';

/** The sources of the reference server, installed as dependencies of the project. */
function ownSources(): Promise<ToolSource[]> {
  return inOwnFolder(async (folder) => {
    const env = checkedEnvironment({ DATA_DIR: folder, DEMO_TOKENS: 'check-token:acme:ada:business' });
    const sources: ToolSource[] = [];
    for (const source of toolSources(env)) sources.push(await loadedSource(source));
    return sources;
  });
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
}: Omit<CatalogCheck, 'broken'>): string {
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

function documentsReport({ documents, loaded, notLoaded, tools, refused, amended, ...more }: DocumentsCheck): string {
  const { held, reported, unusable, undecided, slowestMs } = more;
  const counted = (what: string, counts: DocumentsCheck['refused']) =>
    counts.map(({ reason, count }) => [what, String(count), reason]);
  const named = (what: string, each: readonly { document: string; tool?: string; reason?: string }[]) =>
    each.map(({ document, tool = '', reason = '' }) => [what, '', `${document} ${tool} ${reason}`.trimEnd()]);
  const rows = [
    ...counted('refused', refused),
    ...counted('amended', amended),
    ...named('not loaded', notLoaded),
    ...named('unusable', unusable),
    ...named('undecided', undecided),
  ];
  return [
    `${loaded} of ${documents} documents loaded into ${tools} tools, the slowest in ${slowestMs} ms; ${held} held, ${reported} reported`,
    `${unusable.length} tools cannot be called with any arguments, ${undecided.length} are undecided`,
    ...(rows.length > 0 ? [textTable([['', 'count', 'reason'], ...rows])] : []),
  ].join('\n');
}

main({
  purpose:
    'What ingestion makes of the tools of real servers, and of OpenAPI documents. A report, not a test: ends with 0 whatever was found.',
  options: { dir: text('FOLDER'), openapi: text('FOLDER') },
  run: async ({ dir, openapi }) => {
    if (openapi !== undefined) return documentsCheck(openapi);
    const { broken, ...check } = await catalogCheck(dir === undefined ? await ownSources() : listedSources(dir));
    for (const each of broken) process.stderr.write(`${each}\n`);
    return check;
  },
  text: (found) => ('documents' in found ? documentsReport(found) : report(found)),
});
