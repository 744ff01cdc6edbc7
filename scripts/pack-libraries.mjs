import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { copyWorkspace } from './copy-workspace.mjs';
import { publishedManifest, publishedReadme } from './published-files.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The folders of all published packages: the workspaces and the package with SQLite for Node.js 20. */
export const published = [...manifest.workspaces, 'libs/sqlite-node20'];

/** The package that is put together from the others. */
const COMPOSITION = 'libs/cli';

/** The package with files for browsers. */
const CONSOLE = 'libs/console';

/** The version that this repository is tested with. */
export const versionOf = (name) => manifest.dependencies[name] ?? manifest.devDependencies[name];

/** SQLite compiled for Node.js 20 (later versions have their own package). Compiled once and then copied. */
export const COMPILED_SQLITE = 'node_modules/better-sqlite3-12/build';

export const writeJson = (path, value) => writeFileSync(path, JSON.stringify(value, undefined, 2));

/** Runs a command and returns its standard output. Throws with the complete output if it fails. */
export function run(command, args, cwd, env = process.env) {
  try {
    return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: 'pipe', maxBuffer: 64 << 20 });
  } catch (error) {
    throw failed(command, args, error);
  }
}

/** Like `run`, but asynchronous. */
export async function runAsync(command, args, cwd, env = process.env) {
  try {
    return (await promisify(execFile)(command, args, { cwd, env, maxBuffer: 64 << 20 })).stdout;
  } catch (error) {
    throw failed(command, args, error);
  }
}

const failed = (command, args, error) =>
  new Error(`${command} ${args.join(' ')} failed:\n${error.stdout ?? ''}${error.stderr ?? ''}`, { cause: error });

/** Runs work for each item, two at a time, because each is a CPU-bound process. Returns the results in item order. */
export async function twoAtATime(items, work) {
  const waiting = [...items.entries()];
  const results = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all([worker(), worker()]);
  return results;
}

/**
 * Builds every library and packs it as it is published, in a copy of the workspace: tests may run in it meanwhile.
 *
 * @returns by package name: the tarball's path, its size in bytes and its files
 */
export async function packLibraries(folder) {
  const home = join(folder, 'workspace');
  copyWorkspace(root, home);
  const [core, ...others] = manifest.workspaces.filter((library) => library !== COMPOSITION);
  await build(home, core);
  await twoAtATime(others, (library) => build(home, library));
  await build(home, COMPOSITION);
  const packed = published.map((library) => pack(home, library, folder));
  return Object.fromEntries(packed.map((item) => [item.name, item]));
}

async function build(home, library) {
  const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  await runAsync(process.execPath, [nest, 'build', library.slice(5)], home);
  if (library === CONSOLE) await runAsync(process.execPath, [join(home, CONSOLE, 'browser/build.mjs')], home);
}

/** Packs a library of the copy with the manifest and the README of the published package. */
function pack(home, library, folder) {
  const copy = join(home, library);
  const source = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'));
  const readme = readFileSync(join(copy, 'README.md'), 'utf8');
  writeFileSync(
    join(copy, 'package.json'),
    `${JSON.stringify(publishedManifest(source, manifest, library), undefined, 2)}\n`,
  );
  writeFileSync(join(copy, 'README.md'), publishedReadme(readme, manifest, library, root));
  const [{ name, version, filename, size, unpackedSize, files }] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, copy], root),
  );
  const paths = files.map(({ path }) => path);
  checkFiles(name, paths);
  const peersMayBeAbsent = source.peerDependenciesMeta !== undefined;
  const siblings = Object.keys(source.dependencies ?? {}).filter((other) => other.startsWith('@tool-search/'));
  return { name, version, path: join(folder, filename), size, unpackedSize, files: paths, peersMayBeAbsent, siblings };
}

const EXPECTED =
  /^(dist\/.*\.(js|d\.ts)|dist\/schematics\/.*\.json|data\/[\w.-]+\.json|browser\/dist\/(console\.(js|css)|index\.html)|(bin\/[\w-]+|index)\.js)$/;
const REQUIRED = ['LICENSE', 'README.md', 'package.json'];
const PAGE = ['index.html', 'console.js', 'console.css'].map((file) => `browser/dist/${file}`);

/** Throws unless a package contains all required files and nothing unexpected, such as sources or source maps. */
function checkFiles(name, files) {
  const stray = files.filter((path) => !REQUIRED.includes(path) && !EXPECTED.test(path));
  const page = name === '@tool-search/console' ? PAGE : [];
  const absent = [...REQUIRED, ...page].filter((path) => !files.includes(path));
  if (stray.length > 0) throw new Error(`${name} would publish ${stray.join(', ')}`);
  if (absent.length > 0) throw new Error(`${name} would be published without ${absent.join(', ')}`);
}

/** Dependencies of an application that installs the tarballs, as two fields of its package.json. */
export function dependenciesOn(packages) {
  const { '@tool-search/sqlite-node20': sqlite, ...others } = packages;
  return {
    dependencies: Object.fromEntries(Object.values(others).map(({ name, path }) => [name, `file:${path}`])),
    // npm skips a package that does not fit this Node.js only if it is an optional dependency.
    optionalDependencies: { '@tool-search/sqlite-node20': `file:${sqlite.path}` },
  };
}
