import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { describeOnPostgres } from '../../libs/typeorm/test/describe-on-postgres.js';
import { build } from '../support/built-server.js';

const ROOT = join(__dirname, '../..');
const RUN = join(ROOT, 'dist/examples/run.js');

beforeAll(() => build());

describeOnPostgres('the example of several instances', (url) => {
  it('says what its README promises', async () => {
    const env = { ...process.env, DATABASE_URL: url() };
    const { stdout } = await promisify(execFile)(process.execPath, [RUN, 'several-instances'], { env });
    const readme = readFileSync(join(ROOT, 'examples/several-instances/README.md'), 'utf8');
    expect(stdout.trim()).toBe(/```text\n([\s\S]*?)\n```/.exec(readme)?.[1]);
  });
});

describe('an example that is served', () => {
  let child: ChildProcess | undefined;
  afterEach(async () => {
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });

  it('has the console of the guide', async () => {
    const env = { ...process.env, PORT: '0', STATE_FILE: ':memory:' };
    child = spawn(process.execPath, [RUN, 'from-guard-to-console', '--serve'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout! });
    const url = await new Promise<string>((resolve, reject) => {
      lines.on('line', (line) => {
        const found = / listens on (\S+)$/.exec(line)?.[1];
        if (found !== undefined) resolve(found);
      });
      lines.once('close', () => reject(new Error('the example has ended')));
    });
    const page = await fetch(`${url}/console`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')]);
    const data = await fetch(`${url}/admin/tools/me`, { headers: { authorization: 'Bearer olga-token' } });
    expect(await data.json()).toMatchObject({ tenants: 'all' });
  });
});
