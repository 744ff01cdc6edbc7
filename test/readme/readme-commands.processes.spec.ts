import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ReferenceServer, startReferenceServer } from '../support/reference-server.js';

const read = (path: string) => readFileSync(join(__dirname, '../..', path), 'utf8');
/** The shell commands under a heading of a page. */
const commandsOf = (page: string, title: string) =>
  /```sh\n(AUTH=[\s\S]*?)```/.exec(read(page).split(`\n## ${title}\n`)[1]!)![1]!;

describe('the commands that the documentation shows', () => {
  let server: ReferenceServer;
  beforeAll(async () => {
    server = await startReferenceServer({ DEMO_TOKENS: /^DEMO_TOKENS=(.*)$/m.exec(read('.env.example'))![1]! });
  });
  afterAll(() => server?.close());

  /** Runs the commands in a shell and parses each line of the output. */
  const run = async (commands: string): Promise<any[]> => {
    const script = `curl() { command curl "$@"; echo; }\n${commands.replaceAll('localhost:3000', new URL(server.url).host)}`;
    const { stdout } = await promisify(execFile)('bash', ['-euc', script]);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  };

  it('find, read and call a tool, and chat', async () => {
    const [listed, found, read, called, chat] = await run(commandsOf('docs/guides/reference-server.md', 'A tour'));
    expect(listed.mode).toBe('deferred');
    expect(found.tools[0].name).toBe('billing.refund_invoice');
    expect(read.tools[0].name).toBe('billing.refund_invoice');
    expect(called).toMatchObject({ ok: true });
    expect(chat.answer).toContain('Welcome');
  });

  it("turn refunds off and on again, as an operator's", async () => {
    const [explained, released, verified] = await run(commandsOf('docs/guides/governance.md', 'Try it'));
    expect(explained).toMatchObject({ outcome: expect.stringMatching(/den/) });
    expect(released).toMatchObject({ revision: expect.any(Number) });
    expect(verified).toMatchObject({ entries: 2 });
    const token = 'demo-acme-token';
    const body = { name: 'billing.refund_invoice', arguments: { invoiceId: 'inv_1001', amount: 1 } };
    expect((await server.request('/toolbox/call', { token, body })).body).toMatchObject({ ok: true });
  });
});
