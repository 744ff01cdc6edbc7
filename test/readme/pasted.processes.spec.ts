import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '../..');
const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: ROOT, maxBuffer: 16 << 20 });

describe('the code blocks of all pages', () => {
  let folder: string;
  beforeAll(() => {
    // Inside the repository, so that the compiler finds the packages.
    mkdirSync(join(ROOT, 'dist'), { recursive: true });
    folder = mkdtempSync(join(ROOT, 'dist/pasted-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('compile as files of their own, with nothing but what the page shows', async () => {
    await run('scripts/sync-readme.mjs', '--to', folder);
    const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(70);
    const settings = {
      extends: '../../tsconfig.json',
      compilerOptions: { noEmit: true, rootDir: '../..' },
      // Of packages that only check:compat installs, where it compiles these blocks with their real types.
      include: ['**/*.ts', ...['programs/code-mode', 'workflows/packages'].map((name) => `../../test/${name}.d.ts`)],
      exclude: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    await expect(run('node_modules/typescript/bin/tsc', '-p', folder)).resolves.toMatchObject({ stdout: '' });
  });
});
