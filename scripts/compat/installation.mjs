import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { COMPILED_SQLITE, dependenciesOn, root, run, versionOf, writeJson } from '../pack-libraries.mjs';

const RUNNERS = { jest: '^30.0.0', vitest: '^4.1.0', 'unplugin-swc': '^1.5.9' };
const TOOLS = ['@swc/core', '@swc/jest', '@types/node', 'typescript', 'zod'];
const SOURCES = ['application.ts', 'journey.ts', 'journey.spec.ts', 'server.ts'];
const NPM = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');

/** Installs an application outside the workspace with the tarballs, one stack of peers and both test runners. */
export function install(folder, node, tarballs, stack) {
  mkdirSync(folder, { recursive: true });
  const own = dependenciesOn(tarballs);
  writeJson(join(folder, 'package.json'), {
    name: 'an-application',
    private: true,
    dependencies: { ...own.dependencies, ...stack },
    optionalDependencies: own.optionalDependencies,
    devDependencies: { ...RUNNERS, ...Object.fromEntries(TOOLS.map((name) => [name, versionOf(name)])) },
    allowScripts: { 'better-sqlite3': true },
  });
  // Already compiled for the workspace, or for the previous application.
  const compiled = [root, dirname(folder)].map((place) => join(place, COMPILED_SQLITE)).find(existsSync);
  const scripts = compiled ? ['--ignore-scripts'] : [];
  const npm = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--install-links', ...scripts];
  run(node, [npmPath(), ...npm], folder, pathWith(node));
  const target = join(folder, COMPILED_SQLITE);
  if (existsSync(dirname(target)) && !existsSync(target)) cpSync(compiled, target, { recursive: true });
  if (existsSync(target)) cpSync(target, join(dirname(folder), COMPILED_SQLITE), { recursive: true });
}

/** Runs one cell in an installed application: compiles its TypeScript, then runs its test. Throws if either fails. */
export function runCell(folder, node, { adapter, module, runner }) {
  const home = join(folder, module);
  mkdirSync(join(home, 'src'), { recursive: true });
  for (const file of SOURCES) cpSync(join(root, 'test/compat', file), join(home, 'src', file));
  cpSync(join(root, 'scripts/compat', `${runner}.config.mjs`), join(home, `${runner}.config.mjs`));
  writeJson(join(home, 'package.json'), { type: module === 'esm' ? 'module' : 'commonjs' });
  const env = { ...pathWith(node), TOOL_SEARCH_ADAPTER: adapter };
  compile(node, folder, home, ['src/journey.ts', 'src/server.ts']);
  const args = runner === 'jest' ? ['--ci', '--forceExit=false'] : ['run'];
  run(node, [bin(folder, runner, runner), ...args], home, env);
}

/**
 * Checks the types of files of an application. Errors in them and in our declarations are failures; those in other
 * packages' declarations are not.
 */
export function compile(node, folder, home, files) {
  writeJson(join(home, 'tsconfig.json'), { compilerOptions: COMPILER_OPTIONS, files });
  try {
    run(node, [bin(folder, 'typescript', 'tsc')], home, pathWith(node));
  } catch (error) {
    const errors = error.message.split('\n').filter((line) => line.includes('error TS'));
    const faults = errors.filter((line) => !/^\.\.\/node_modules\/(?!@tool-search\/)/.test(line));
    if (errors.length === 0 || faults.length > 0) throw error;
  }
}

const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'ES2023',
  strict: true,
  strictPropertyInitialization: false,
  skipLibCheck: false,
  esModuleInterop: true,
  emitDecoratorMetadata: true,
  experimentalDecorators: true,
  types: ['node'],
  noEmit: true,
};

/** The npm of the current Node.js, so that every cell is installed by the same one. */
const npmPath = () => process.env.npm_execpath ?? NPM;

/** The environment in which `node` is this Node.js. */
export const pathWith = (node) => ({ ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` });

/** Path of a command of an installed package. */
export function bin(folder, name, command) {
  const home = join(folder, 'node_modules', name);
  const declared = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).bin;
  return join(home, typeof declared === 'string' ? declared : declared[command]);
}
