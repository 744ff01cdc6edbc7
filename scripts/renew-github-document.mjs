// Renews the copy of GitHub's REST API description in src/github from the npm package that publishes it:
// `node scripts/renew-github-document.mjs [VERSION]`. Needs the npm registry. Then run the tests of libs/openapi and
// test/openapi, which count its operations, and `npm run check:catalogs`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const PACKAGE = '@octokit/openapi';
const DOCUMENT = 'api.github.com.json';

const [version = 'latest'] = process.argv.slice(2);
const home = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src/github');
const folder = mkdtempSync(join(tmpdir(), 'github-document-'));
try {
  const run = (command, args) => execFileSync(command, args, { cwd: folder, encoding: 'utf8' });
  const [packed] = JSON.parse(run('npm', ['pack', '--json', `${PACKAGE}@${version}`]));
  run('tar', ['xzf', packed.filename, `package/generated/${DOCUMENT}`, 'package/LICENSE']);
  // Without blanks, and without a time in the header of gzip: equal documents are equal files.
  const document = JSON.stringify(JSON.parse(readFileSync(join(folder, 'package/generated', DOCUMENT), 'utf8')));
  writeFileSync(join(home, `${DOCUMENT}.gz`), gzipSync(document, { level: 9 }));
  const licence = readFileSync(join(folder, 'package/LICENSE'), 'utf8').trim();
  writeFileSync(
    join(home, 'LICENSE'),
    `${DOCUMENT}.gz is ${DOCUMENT} of ${PACKAGE} ${packed.version}.\n\n${licence}\n`,
  );
  process.stderr.write(`${PACKAGE} ${packed.version}, ${document.length} characters\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
