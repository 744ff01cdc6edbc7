// Builds the workspace's application unless its inputs are unchanged since the last build. Prints nothing on stdout, so
// that commands that print JSON may run it first.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist', '.built-from');
const inputs = [
  'src',
  'bench',
  'examples',
  'libs',
  'ormconfig.ts',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

function* files(path) {
  if (!statSync(path, { throwIfNoEntry: false })) return;
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) {
    if (name !== 'node_modules' && name !== 'dist' && !name.endsWith('.spec.ts')) yield* files(join(path, name));
  }
}

const hash = createHash('sha256');
for (const input of inputs) {
  for (const file of files(join(root, input))) hash.update(file).update(readFileSync(file));
}
const wanted = hash.digest('hex');
let built = '';
try {
  built = readFileSync(stamp, 'utf8');
} catch {
  // not built yet
}
// Removes library builds made for packing. With such a build, the Nest CLI would keep the library's package name instead
// of the path to its sources, and the application would always run that build.
for (const lib of readdirSync(join(root, 'libs')))
  rmSync(join(root, 'libs', lib, 'dist'), { recursive: true, force: true });

const hasPage = statSync(join(root, 'libs/console/browser/dist/console.js'), { throwIfNoEntry: false });
if (built !== wanted || !hasPage) {
  const nest = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  execFileSync(process.execPath, [nest, 'build'], { cwd: root, stdio: ['ignore', 2, 2] });
  const page = join(root, 'libs', 'console', 'browser', 'build.mjs');
  execFileSync(process.execPath, [page], { cwd: root, stdio: ['ignore', 2, 2] });
  writeFileSync(stamp, wanted);
}
