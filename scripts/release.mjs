// Packs, checks and publishes every package. `--dry-run` does everything except publishing, lists the packages, and
// reports what prevents publishing.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifest, packLibraries, root, run, twoAtATime } from './pack-libraries.mjs';
import { missingAddresses } from './published-files.mjs';

const dry = process.argv.includes('--dry-run');
const obstacles = obstaclesNow();
for (const obstacle of obstacles) console.error(`Nothing can be published: ${obstacle}`);
if (obstacles.length > 0 && !dry) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), 'tool-search-release-'));
try {
  const { lint } = await import('./packages/lint.mjs');
  const packages = Object.values(await packLibraries(folder));
  await twoAtATime(packages, lint);
  // Packages that others depend on come first.
  const rank = ({ name }) => ['@tool-search/sqlite-node20', '@tool-search/core'].indexOf(name) >>> 0;
  for (const item of packages.toSorted((a, b) => rank(a) - rank(b))) {
    const kilobytes = (bytes) => `${Math.ceil(bytes / 1000)} kB`;
    console.log(`${item.name}@${item.version}`, kilobytes(item.size), `${item.files.length} files`);
    if (!dry && !isPublished(item)) execFileSync('npm', ['publish', item.path], { cwd: root, stdio: 'inherit' });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function obstaclesNow() {
  const found = missingAddresses(manifest).map((field) => `fill in "${field}" in the root's package.json.`);
  const changes = readdirSync(join(root, '.changeset')).filter((file) => file.endsWith('.md') && file !== 'README.md');
  if (changes.length > 0) found.push('.changeset has changes without a version: run npm run release:version.');
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## ${manifest.version}\n`)) {
    found.push(`CHANGELOG.md says nothing of ${manifest.version}.`);
  }
  if (run('git', ['status', '--porcelain'], root).trim()) found.push('there are changes that are not committed.');
  return found;
}

/** Whether an earlier run that failed later has published it already. */
function isPublished({ name, version }) {
  try {
    return run('npm', ['view', `${name}@${version}`, 'version'], root).trim() === version;
  } catch {
    return false;
  }
}
