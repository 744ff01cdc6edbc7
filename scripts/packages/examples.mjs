import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, runAsync } from '../pack-libraries.mjs';

const SOURCE = join(root, 'examples');

/** The folders of examples/, each an application. */
export const EXAMPLES = readdirSync(SOURCE).filter((name) => statSync(join(SOURCE, name)).isDirectory());

/** Copies the examples into an application as workspaces: one installation for all, with the version ranges of each. */
export function copyExamples(app) {
  for (const name of EXAMPLES) {
    const copy = join(app, 'examples', name);
    mkdirSync(copy, { recursive: true });
    for (const part of ['package.json', 'tsconfig.json', 'src']) {
      cpSync(join(SOURCE, name, part), join(copy, part), { recursive: true });
    }
  }
}

/** Compiles and runs an example and checks its last line against its README. Returns that line. */
export async function tryExample(app, name, env = {}) {
  const home = join(app, 'examples', name);
  await runAsync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], home);
  const said = (await runAsync(process.execPath, ['dist/try.js'], home, { ...process.env, ...env }))
    .trim()
    .split('\n')
    .at(-1);
  const promised = /npm run try +# (.+)/.exec(readFileSync(join(SOURCE, name, 'README.md'), 'utf8'))?.[1];
  if (said !== promised) throw new Error(`examples/${name} said "${said}", and its README "${promised}"`);
  return said;
}
