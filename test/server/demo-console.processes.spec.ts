import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../support/built-server.js';

const ROOT = join(__dirname, '../..');
const OPERATOR = { authorization: 'Bearer demo-operator-token' };

describe('npm run demo -- --console', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'tool-search-demo-test-'));
  let child: ChildProcess;
  let output = '';
  const says = async (text: RegExp) => {
    while (!text.test(output)) {
      if (child.exitCode !== null) throw new Error(`the demo ended with ${child.exitCode}: ${output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return text.exec(output)!;
  };

  beforeAll(() => {
    build();
    const args = ['--console', '--ask', 'Refund 25 euros of invoice inv_1001 because it was charged twice.'];
    child = spawn(process.execPath, [join(ROOT, 'dist/src/demo/main.js'), ...args], {
      cwd: ROOT,
      env: { ...process.env, PORT: '0', TMPDIR: temporary, OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  });

  afterAll(() => {
    child.kill('SIGKILL');
    rmSync(temporary, { recursive: true, force: true });
  });

  it('names the console and its token, and serves the requests after an operator has signed in', async () => {
    const [, url] = await says(/Open (http:\/\/127\.0\.0\.1:\d+)\/console\/ and sign in with demo-operator-token\./);
    expect(await (await fetch(`${url}/console/`)).text()).toContain('<script');
    expect((await fetch(`${url}/admin/tools/status`)).status).toBe(401);
    expect(output).not.toContain('acme (business plan)');
    const read = async (path: string) =>
      (await (await fetch(`${url}/admin/tools/${path}`, { headers: OPERATOR })).json()) as { items: object[] };
    expect((await read('calls?kind=call')).items).toEqual([]);
    await says(/All requests are served/);
    expect((await read('calls?kind=call')).items).toEqual([
      expect.objectContaining({ tenantId: 'acme', tool: 'billing.refund_invoice', outcome: 'ok' }),
    ]);
  });

  it('ends with Ctrl+C and leaves no data', async () => {
    expect(readdirSync(temporary)).not.toEqual([]);
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(readdirSync(temporary).filter((name) => name.startsWith('tool-search-demo-'))).toEqual([]);
  });
});
