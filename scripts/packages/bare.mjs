import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../pack-libraries.mjs';
import { compile, entriesOf, install } from './application.mjs';

/** Entries that need an optional peer, with that peer. */
const MADE_FOR = {
  '@tool-search/agents/ai-sdk': 'ai',
  '@tool-search/agents/anthropic': '@anthropic-ai/sdk',
  '@tool-search/agents/langchain': '@langchain/core',
  '@tool-search/agents/openai': 'openai',
  '@tool-search/agents/openai-responses': 'openai',
  '@tool-search/telemetry/opentelemetry': '@opentelemetry/api',
  '@tool-search/telemetry/terminus': '@nestjs/terminus',
};

/**
 * Installs a package with its required peers only, loads every entry, and compiles imports of it. An entry that needs
 * an optional peer may fail to load only because that peer is missing.
 */
export async function checkBare(folder, { name, peersMayBeAbsent, siblings }, packages) {
  const wanted = new Set([name, ...siblings, '@tool-search/core', '@tool-search/sqlite-node20']);
  await install(folder, Object.fromEntries([...wanted].map((each) => [each, packages[each]])));
  const entries = entriesOf(folder, name);
  for (const entry of entries) {
    try {
      load(folder, entry);
    } catch (error) {
      if (!MADE_FOR[entry] || !error.message.includes(`Cannot find module '${MADE_FOR[entry]}`)) throw error;
    }
  }
  const usable = entries.filter((entry) => !MADE_FOR[entry]);
  if (peersMayBeAbsent && usable.length > 0) await compile(folder, [importing(folder, usable)], 'nodenext');
}

/** Requires an entry, imports it, and compares the exports of both. */
function load(folder, entry) {
  const text = `const required = Object.keys(require('${entry}'));
    import('${entry}').then((imported) => {
      const missing = required.filter((name) => !(name in imported));
      if (missing.length > 0) throw new Error('import does not give ' + missing);
    });`;
  run(process.execPath, ['-e', text], folder);
}

/** Writes a file that imports these entries. Returns its name. */
export function importing(folder, entries) {
  const file = 'entries.ts';
  writeFileSync(
    join(folder, file),
    entries.map((entry, index) => `export * as entry${index} from '${entry}';\n`).join(''),
  );
  return file;
}
