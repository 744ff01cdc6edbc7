// Measures the test coverage of the code for which PenguiFlow's RFC sets targets (docs/parity.md), and fails below a
// target. Takes minutes, so it is not part of `npm test`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const CORE = 'libs/core/src';

/** Module of the RFC, required coverage of lines and statements in percent, and the corresponding code here. */
const TARGETS = [
  ['tool_search_cache.py', 95, /^(libs\/core\/src\/search\/.*|libs\/fts5\/src\/.*)\.ts$/],
  [
    'tool_search_tool.py',
    90,
    /^libs\/core\/src\/(toolbox\/(.*\/)?(meta-.*|search-.*|toolbox-search|tool-finder|described-tool|name-bounds|fair-lines|one-line)|exposure\/presets\/.*)\.ts$/,
  ],
  [
    'catalog.py',
    90,
    /^libs\/core\/src\/(catalog\/.*|nest\/(.*\/)?(decorated-tools|tool\.decorator|define-tool|code\.source))\.ts$/,
  ],
  [
    'react_init.py',
    85,
    /^libs\/core\/src\/(runtime\/(create-runtime|toolbox-options)|exposure\/exposure-mode|nest\/(.*\/)?(check-options|tool-search\.module|tool-search\.module-definition|runtime\.providers))\.ts$/,
  ],
  [
    'prompts.py',
    90,
    /^libs\/core\/src\/(exposure\/(.*\/)?(directory|directory-groups|guidance|prompt-exposure)|toolbox\/(.*\/)?(listed-description|toolbox-surface))\.ts$/,
  ],
];
const SPECS = [
  `${CORE}/(search|catalog|toolbox|exposure)/`,
  `${CORE}/nest/.*/(check-options|code.source|decorated-tools|discovered-visibility|presets|tool-search.module|tool.decorator)`,
  'libs/fts5/src/',
  'test/parity/',
];
// Property tests: coverage slows them down tenfold, and other specs run the same code.
const TOO_SLOW = 'toolbox/(rug-pull|worlds)';
const ROOT = join(import.meta.dirname, '..');

const directory = mkdtempSync(join(tmpdir(), 'tool-search-coverage-'));
process.exitCode = 1;
try {
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
  const sources = [CORE, 'libs/fts5/src']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true }).map((file) => `${folder}/${String(file)}`),
    )
    .filter((file) => !/\.(spec|contract)\.ts$/.test(file));
  const groups = TARGETS.map(([name, target, pattern]) => ({
    name,
    target,
    files: sources.filter((file) => pattern.test(file)),
  }));
  const run = spawnSync(
    process.execPath,
    [
      jest,
      ...SPECS,
      '--coverage',
      `--testPathIgnorePatterns=${TOO_SLOW}`,
      '--testTimeout=300000',
      '--coverageReporters=json-summary',
      `--coverageDirectory=${directory}`,
      ...groups.flatMap(({ files }) => files.map((file) => `--collectCoverageFrom=${file}`)),
    ],
    { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (run.status !== 0) throw new Error('The tests did not pass, so there is nothing to measure.');
  const summary = JSON.parse(readFileSync(join(directory, 'coverage-summary.json'), 'utf8'));
  const measured = new Map(Object.entries(summary).map(([file, counts]) => [relative(ROOT, file), counts]));
  let isEnough = true;
  for (const { name, target, files } of groups) {
    const counts = files.flatMap((file) => measured.get(file) ?? []);
    const shares = ['lines', 'statements', 'branches'].map((kind) => {
      const of = (field) => counts.reduce((sum, each) => sum + each[kind][field], 0);
      return [kind, (100 * of('covered')) / of('total')];
    });
    const isMet = counts.length > 0 && shares.every(([kind, share]) => kind === 'branches' || share >= target);
    isEnough &&= isMet;
    const text = shares.map(([kind, share]) => `${kind} ${share.toFixed(1)} %`).join(', ');
    console.log(`${isMet ? 'ok  ' : 'LESS'} ${name} (at least ${target} %): ${text}, of ${counts.length} files`);
  }
  if (isEnough) process.exitCode = 0;
} catch (error) {
  console.error(error.message);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
