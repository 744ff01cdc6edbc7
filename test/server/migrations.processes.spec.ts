import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from '../support/built-server.js';

const ROOT = join(__dirname, '../..');
const PLACES = ['DATABASE_URL', 'SQLITE_PATH', 'DATA_DIR'];

describe('the TypeORM CLI with ormconfig.ts', () => {
  const home = mkdtempSync(join(tmpdir(), 'tool-search-migrations-'));
  beforeAll(() => build());
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const typeorm = async (command: string): Promise<string> => {
    const args = [join(ROOT, 'node_modules/typeorm/cli.js'), command, '-d', join(ROOT, 'dist/ormconfig.js')];
    const env = Object.entries(process.env).filter(([name]) => !PLACES.includes(name));
    return (await promisify(execFile)(process.execPath, args, { cwd: home, env: Object.fromEntries(env) })).stdout;
  };

  it('works on the database that .env names to the server', async () => {
    writeFileSync(join(home, '.env'), 'SQLITE_PATH=named-in-env.sqlite\n');
    expect(await typeorm('migration:run')).toContain('CreateActivations');
    expect(existsSync(join(home, 'named-in-env.sqlite'))).toBe(true);
    expect(existsSync(join(home, '.tool-search'))).toBe(false);
    expect(await typeorm('migration:show')).not.toContain('[ ]');
    await typeorm('migration:revert');
    expect(await typeorm('migration:show')).toContain('[ ]');
  });

  it('is built before each of its commands of npm', () => {
    const { scripts } = jest.requireActual<{ scripts: Record<string, string> }>('../../package.json');
    const commands = Object.keys(scripts).filter((name) => name.startsWith('migration:'));
    expect(commands).toHaveLength(3);
    for (const name of commands) expect(scripts[`pre${name}`]).toBe('node scripts/build-if-changed.mjs');
  });
});
