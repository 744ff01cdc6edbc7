import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runAsync, writeJson } from '../pack-libraries.mjs';

const SOURCE = join(root, 'examples');

/** The folders of examples/ that can be played. */
export const EXAMPLES = readdirSync(SOURCE).filter((name) => existsSync(join(SOURCE, name, 'main.ts')));

/** Copies the examples into an application as one workspace, as ES modules: the repository compiles them to CommonJS. */
export function copyExamples(app) {
  const copy = join(app, 'examples');
  cpSync(SOURCE, copy, { recursive: true, filter: (path) => !/[/\\](node_modules|dist)$/.test(path) });
  const manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'));
  writeJson(join(copy, 'package.json'), { ...manifest, type: 'module' });
}

export function compileExamples(app) {
  return runAsync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], join(app, 'examples'));
}

/** Plays examples in one process, and throws unless they say what their READMEs promise. */
export async function playExamples(app, names, env = {}) {
  const said = await runAsync(process.execPath, ['dist/run.js', ...names], join(app, 'examples'), {
    ...process.env,
    ...env,
  });
  const promised = names.map((name) => (names.length > 1 ? `${name}:\n` : '') + promiseOf(name)).join('\n');
  if (said.trim() !== promised) throw new Error(`the examples said:\n${said}\nand their READMEs promise:\n${promised}`);
}

const promiseOf = (name) => /```text\n([\s\S]*?)\n```/.exec(readFileSync(join(SOURCE, name, 'README.md'), 'utf8'))[1];
