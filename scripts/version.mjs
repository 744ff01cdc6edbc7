// Turns the changes in .changeset into the next version of every package, and into an entry of CHANGELOG.md.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changelogWith, highestOf, withVersion } from './next-version.mjs';
import { published, root, run } from './pack-libraries.mjs';

const folder = join(root, '.changeset');
const pathOf = (library) => join(root, library, 'package.json');
const write = (path, manifest) => writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
// The examples depend on the published packages.
const examples = readdirSync(join(root, 'examples'))
  .filter((name) => !name.endsWith('.md'))
  .map((name) => join('examples', name));
const manifests = new Map(
  ['', ...published, ...examples].map((library) => [
    pathOf(library),
    JSON.parse(readFileSync(pathOf(library), 'utf8')),
  ]),
);

const changes = readdirSync(folder)
  .filter((file) => file.endsWith('.md') && file !== 'README.md')
  .map((file) => readFileSync(join(folder, file), 'utf8'));
if (changes.length === 0) throw new Error('.changeset has no change to release: run npx @changesets/cli.');

// For a minor version of a peer, Changesets would raise the major version of its siblings. They are released together,
// so the peers are hidden from it.
for (const [path, manifest] of manifests) write(path, { ...manifest, peerDependencies: undefined });
// 25 MB that only a release needs: not a dependency.
run('npx', ['--yes', '@changesets/cli@2.31.1', 'version'], root);
const version = highestOf([...manifests.keys()].map((path) => JSON.parse(readFileSync(path, 'utf8')).version));
// One version for all: packages without changes, the root and the package outside the workspaces get it too.
for (const [path, manifest] of manifests) write(path, withVersion(manifest, version));
for (const library of published) rmSync(join(root, library, 'CHANGELOG.md'), { force: true });
const changelog = join(root, 'CHANGELOG.md');
writeFileSync(changelog, changelogWith(readFileSync(changelog, 'utf8'), version, changes));
run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], root);
console.log(version);
