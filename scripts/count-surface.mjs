// Counts what the packages promise: the exports of each entry point, and the names that the schemas of options accept.
// Usage: node scripts/count-surface.mjs [--json] [--names]; `--names` lists them, so that two states can be compared.
import { build } from 'esbuild';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// Counted apart: what nearly nobody sets, on a page of its own.
const TUNING = '`tuning`';
const flags = new Set(process.argv.slice(2));
const surface = { exports: exportsOfDoors(), options: await namesOfOptions() };

if (flags.has('--json')) console.log(JSON.stringify(flags.has('--names') ? surface : counted(surface), undefined, 2));
else for (const [what, groups] of Object.entries(surface)) print(what, groups);

/** The exported names of each entry point of each package that is published. */
function exportsOfDoors() {
  const paths = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions.paths;
  const files = doors().map((door) => [door, join(root, paths[door][0])]);
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const program = ts.createProgram(
    files.map(([, file]) => file),
    options,
  );
  const checker = program.getTypeChecker();
  const namesOf = (file) => {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(file));
    return checker.getExportsOfModule(symbol).map(({ name }) => name);
  };
  return Object.fromEntries(files.map(([door, file]) => [door, namesOf(file).sort()]));
}

function doors() {
  return readdirSync(join(root, 'libs')).flatMap((lib) => {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, 'libs', lib, 'package.json'), 'utf8'));
    return Object.keys(exports)
      .filter((subpath) => subpath !== './package.json')
      .map((subpath) => name + subpath.slice(1));
  });
}

/** The paths of all options of each schema that the docs document. */
async function namesOfOptions() {
  const file = join(root, `.count-surface.${process.pid}.cjs`);
  try {
    await build({
      entryPoints: [join(root, 'test/options/documented-options.ts')],
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'cjs',
      outfile: file,
      tsconfig: join(root, 'tsconfig.json'),
      plugins: [ownSources()],
      logLevel: 'error',
    });
    const { DOCUMENTED_OPTIONS, optionNames } = createRequire(import.meta.url)(file);
    const all = DOCUMENTED_OPTIONS.map(([title, schema]) => [title, optionNames(schema)]);
    const isTuning = (name) => name.startsWith('tuning.');
    const decided = all.map(([title, names]) => [title, names.filter((name) => !isTuning(name))]);
    return Object.fromEntries([...decided, [TUNING, all.flatMap(([, names]) => names.filter(isTuning))]]);
  } finally {
    rmSync(file, { force: true });
  }
}

/** Takes the packages of this repository from their sources, as tsconfig.json does. */
function ownSources() {
  const paths = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).compilerOptions.paths;
  return {
    name: 'own-sources',
    setup: ({ onResolve }) =>
      // Others, such as a package.json, are read from node_modules.
      onResolve({ filter: /^@tool-search\// }, ({ path }) => paths[path] && { path: join(root, paths[path][0]) }),
  };
}

function counted(groups) {
  return Object.fromEntries(
    Object.entries(groups).map(([what, group]) => [
      what,
      Object.fromEntries(Object.entries(group).map(([name, names]) => [name, names.length])),
    ]),
  );
}

function print(what, groups) {
  const all = Object.entries(groups);
  for (const [group, names] of all) {
    console.log(`${String(names.length).padStart(5)} ${what} of ${group}`);
    if (flags.has('--names')) for (const name of names) console.log(`        ${name}`);
  }
  // What the packages share among themselves is no promise.
  const promised = all.filter(([group]) => !group.endsWith('/internal') && group !== TUNING);
  const apart = what === 'options' ? TUNING : '/internal';
  const count = promised.reduce((sum, [, names]) => sum + names.length, 0);
  console.log(`${String(count).padStart(5)} ${what}${promised.length < all.length ? ` without ${apart}` : ''}\n`);
}
