import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, writeJson } from '../pack-libraries.mjs';
import { bin, compile, install, pathWith } from './installation.mjs';

/** The AI SDK's code mode, and the only version of the SDK that it takes. */
const CODE_MODE = { '@ai-sdk/code-mode': '1.0.42', ai: '7.0.85' };
const SOURCES = ['code-mode-package.ts', 'code-mode.spec.ts', 'program-suite.ts', 'with-programs.ts'];

/** Every Node.js that code mode supports. */
export const PROGRAMS = [22, 24, 26].map((node) => ({ name: `programs-node${node}`, node }));

/** Installs an application outside the workspace with code mode, and the tests of programs in it. */
export function installPrograms(folder, node, tarballs, stack) {
  install(folder, node, tarballs, { ...stack, ...CODE_MODE });
  const home = join(folder, 'programs');
  mkdirSync(join(home, 'src'), { recursive: true });
  for (const file of SOURCES) cpSync(join(root, 'test/programs', file), join(home, 'src', file));
  cpSync(join(root, 'scripts/compat/vitest.config.mjs'), join(home, 'vitest.config.mjs'));
  writeJson(join(home, 'package.json'), { type: 'module' });
}

/** Compiles the recipe with the types of code mode, then runs the tests. Throws if either fails. */
export function runPrograms(folder, node) {
  const home = join(folder, 'programs');
  compile(node, folder, home, ['src/with-programs.ts']);
  const env = { ...pathWith(node), TOOL_SEARCH_TEST_NO_SKIPS: '1' };
  run(node, [bin(folder, 'vitest', 'vitest'), 'run'], home, env);
}
