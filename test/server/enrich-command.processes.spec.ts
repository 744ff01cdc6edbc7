import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from '../support/built-server.js';

const COMMAND = join(__dirname, '../../dist/libs/cli/src/index.js');
// What libs/cli/bin/tool-search.js does, with the build of the workspace.
const RUN = `void require(${JSON.stringify(COMMAND)}).runCommand(process.argv.slice(1)).then((code) => process.exit(code));`;

beforeAll(build, 300_000);

const CONFIG = `
  const source = {
    name: 'shop',
    load: async () => [{ name: 'refund', description: 'Reverses a charge.' }],
    call: async () => ({ content: [] }),
    close: async () => {},
  };
  const write = async (tools) => ({ tools: tools.map(({ name }) => ({ name, queries: ['give the money back'] })) });
  export default async () => ({ sources: [source], writer: { id: 'scripted', write } });
`;

it('tool-search enrich reads a configuration that is an ES module, and writes the file', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'enrich-'));
  try {
    writeFileSync(join(cwd, 'tools.config.mjs'), CONFIG);
    const run = (...args: string[]) => promisify(execFile)(process.execPath, ['-e', RUN, ...args], { cwd });
    const { stdout } = await run('enrich', '--config', 'tools.config.mjs');
    expect(stdout).toMatch(/^example-queries\.json: 1 tools, 1 written now/);
    expect(JSON.parse(readFileSync(join(cwd, 'example-queries.json'), 'utf8'))).toEqual({
      package: 'application',
      tools: { 'shop.refund': { hash: expect.stringMatching(/^[0-9a-f]{12}$/), queries: ['give the money back'] } },
    });
    await expect(run('enrich', '--config', 'missing.mjs')).rejects.toMatchObject({ code: 1 });
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
