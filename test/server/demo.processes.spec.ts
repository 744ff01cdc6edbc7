import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from '../support/built-server.js';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');
const start = (args: readonly string[], nodeArgs: readonly string[] = []) =>
  run(process.execPath, [...nodeArgs, join(ROOT, 'dist/src/demo/main.js'), ...args], {
    cwd: ROOT,
    env: { ...process.env, OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '', OPENAI_BASE_URL: '' },
    maxBuffer: 10_000_000,
  });
const demo = async (...args: string[]) => (await start(args)).stdout;

describe('npm run demo', () => {
  beforeAll(() => build());

  it('serves its requests on the real catalog and says what was saved', async () => {
    const report = JSON.parse(await demo('--json'));
    expect(report).toMatchObject({ catalogTools: expect.any(Number), tokensAll: expect.any(Number) });
    expect(report.catalogTools).toBeGreaterThanOrEqual(1250);
    expect(report.tokensShownFirst / report.tokensAll).toBeLessThan(0.03);
    expect(report.tokensShownMax).toBeGreaterThanOrEqual(report.tokensShownFirst);
    const called = report.conversations.map(({ steps }: any) =>
      steps.filter(({ type }: any) => type === 'call').map(({ tool }: any) => tool),
    );
    expect(called[0][0]).toMatch(/^files\.read/);
    expect(called[1][0]).toMatch(/^memory\.create/);
    expect(called[2]).toEqual(['billing.refund_invoice']);
    expect(called[3]).not.toContain('billing.refund_invoice');
    for (const { steps, answer } of report.conversations) {
      expect(answer.length).toBeGreaterThan(10);
      for (const step of steps) {
        expect(['list', 'search', 'get', 'activate', 'call', 'denied', 'answer']).toContain(step.type);
        expect(step).toMatchObject({ ms: expect.any(Number), tokensShown: expect.any(Number) });
      }
      expect(steps.at(-1).type).toBe('answer');
    }
  });

  it('serves requests it has never seen, for either tenant, and reads as a person would want to see it', async () => {
    const text = await demo(
      '--ask',
      'Which files are in the notes folder?',
      '--tenant',
      'acme',
      '--ask',
      'Add the numbers 17 and 25',
      '--tenant',
      'globex',
    );
    const [, ofAcme, ofGlobex] = /^acme \(.*?:([^]*)^globex \(.*?:([^]*)/m.exec(text)!;
    expect(ofAcme).toMatch(
      /searches "[^]*found .*files\.list_directory[^]*calls\s+files\.list_directory[^]*welcome\.txt/,
    );
    expect(ofGlobex).toMatch(/answers\n.*42/);
    expect(text).toMatch(/^[\d,]+ tools in the catalog/);
    expect(text).toMatch(/Shown at first/);
  });

  it('fails with the reason if a source cannot be loaded', async () => {
    const failed = await start([], ['--require', join(ROOT, 'test/support/unreadable-github.cjs')]).catch((e) => e);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toMatch(
      /The demo needs all its sources\. github could not be loaded: The document .* cannot be read/,
    );
  });

  it('explains its flags, and refuses others', async () => {
    expect(await demo('--help')).toContain('--ask TEXT');
    const refused = await start(['--aks', 'Refund an invoice.']).catch((e) => e);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^Unknown option '--aks'[^]*--ask TEXT/);
  });
});
