import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
// The type is unknown: scripts are plain JavaScript.
const script: string = '../../scripts/next-version.mjs';
const { changelogWith, highestOf, withVersion } = require(script);

describe('the release script', () => {
  const copy = mkdtempSync(join(tmpdir(), 'tool-search-release-test-'));
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('refuses to publish while the root does not say whose the packages are', () => {
    cpSync(join(ROOT, 'scripts'), join(copy, 'scripts'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    mkdirSync(join(copy, '.changeset'));
    writeFileSync(join(copy, '.changeset', 'a-change.md'), "---\n'@tool-search/core': patch\n---\n\nA fault.\n");
    writeFileSync(join(copy, 'CHANGELOG.md'), '# Changelog\n\n## 0.1.0\n');
    writeFileSync(join(copy, 'package.json'), JSON.stringify({ version: '0.2.0', author: 'Ada', workspaces: [] }));
    spawnSync('git', ['init', '--quiet'], { cwd: copy });
    const { status, stderr, stdout } = spawnSync(process.execPath, ['scripts/release.mjs'], {
      cwd: copy,
      encoding: 'utf8',
    });
    expect(stderr.trim().split('\n')).toEqual([
      'Nothing can be published: fill in "bugs" in the root\'s package.json.',
      'Nothing can be published: fill in "homepage" in the root\'s package.json.',
      'Nothing can be published: fill in "repository" in the root\'s package.json.',
      'Nothing can be published: .changeset has changes without a version: run npm run release:version.',
      'Nothing can be published: CHANGELOG.md says nothing of 0.2.0.',
      'Nothing can be published: there are changes that are not committed.',
    ]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  });
});

describe('the next version', () => {
  it('is the same in every package, and exact where one depends on another', () => {
    const manifest = {
      version: '0.1.0',
      dependencies: { ajv: '8.0.0', '@tool-search/core': '0.1.0' },
      optionalDependencies: { '@tool-search/sqlite-node20': 'file:libs/sqlite-node20' },
      peerDependencies: { '@tool-search/core': '^0.1.0', rxjs: '^7.8.0' },
    };
    expect(withVersion(manifest, '0.2.0')).toEqual({
      version: '0.2.0',
      dependencies: { ajv: '8.0.0', '@tool-search/core': '0.2.0' },
      optionalDependencies: { '@tool-search/sqlite-node20': 'file:libs/sqlite-node20' },
      peerDependencies: { '@tool-search/core': '^0.2.0', rxjs: '^7.8.0' },
    });
    expect(highestOf(['0.9.1', '0.10.0', '0.2.0'])).toBe('0.10.0');
  });

  it('is at the top of the changelog, with breaking changes first', () => {
    const changes = [
      "---\n'@tool-search/core': patch\n---\n\nA fault is gone.\n",
      "---\n'@tool-search/mcp': minor\n'@tool-search/core': patch\n---\n\nA new option\nof the source.\n",
    ];
    expect(changelogWith('# Changelog\n\nWords.\n\n## 0.1.0\n\nFirst.\n', '0.2.0', changes)).toBe(
      `# Changelog

Words.

## 0.2.0

### Added and changed

- A new option
  of the source.

### Fixed

- A fault is gone.

## 0.1.0

First.
`,
    );
  });
});
