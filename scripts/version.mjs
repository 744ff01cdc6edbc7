// Turns the changes in .changeset into the next version of every package, and into their part of CHANGELOG.md.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changelogWith, highestOf, withVersion } from './next-version.mjs';
import { published, root, run } from './pack-libraries.mjs';

const folder = join(root, '.changeset');
const pathOf = (library) => join(root, library, 'package.json');
const write = (path, manifest) => writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
// The examples depend on what is published.
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
if (changes.length === 0) throw new Error('.changeset has no change to release: run npx changeset.');

// Changesets answers every minor version of a peer with a major one of its siblings. They are released together, so it need not
// know that they are peers.
for (const [path, manifest] of manifests) write(path, { ...manifest, peerDependencies: undefined });
run(process.execPath, [join(root, 'node_modules/@changesets/cli/bin.js'), 'version'], root);
const version = highestOf([...manifests.keys()].map((path) => JSON.parse(readFileSync(path, 'utf8')).version));
// One group: what had no change of its own has the version too, and so do the root and the package that is no workspace.
for (const [path, manifest] of manifests) write(path, withVersion(manifest, version));
for (const library of published) rmSync(join(root, library, 'CHANGELOG.md'), { force: true });
const changelog = join(root, 'CHANGELOG.md');
writeFileSync(changelog, changelogWith(readFileSync(changelog, 'utf8'), version, changes));
run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], root);
console.log(version);
