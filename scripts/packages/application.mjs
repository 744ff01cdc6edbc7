import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPILED_SQLITE, dependenciesOn, root, runAsync, writeJson } from '../pack-libraries.mjs';

/** Creates an application outside the workspace with these packages and additional dependencies. */
export async function install(folder, packages, dependencies = {}) {
  const own = dependenciesOn(packages);
  mkdirSync(folder, { recursive: true });
  writeJson(join(folder, 'package.json'), {
    name: 'an-application',
    private: true,
    workspaces: ['examples'],
    ...own,
    dependencies: { ...own.dependencies, ...dependencies },
  });
  await runAsync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], folder);
  const compiled = join(root, COMPILED_SQLITE);
  if (existsSync(compiled) && existsSync(join(folder, COMPILED_SQLITE, '..'))) {
    cpSync(compiled, join(folder, COMPILED_SQLITE), { recursive: true });
  }
}

/** The import specifiers of a package's entries. */
export function entriesOf(folder, name) {
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
  return Object.entries(exports)
    .filter(([, target]) => target.types)
    .map(([entry]) => name + entry.slice(1));
}

/** Compiler options for every way to resolve modules. */
export const RESOLUTIONS = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  node16: { module: 'node16' },
};

/** Compiles files of an application with the workspace's compiler, including the declarations of its dependencies. */
export function compile(folder, files, resolution, options = { noEmit: true }) {
  const config = join(folder, `tsconfig.${resolution}.json`);
  writeJson(config, {
    compilerOptions: {
      ...RESOLUTIONS[resolution],
      target: 'ES2023',
      strict: true,
      skipLibCheck: false,
      emitDecoratorMetadata: true,
      experimentalDecorators: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      ...options,
    },
    files,
  });
  return runAsync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], folder);
}
