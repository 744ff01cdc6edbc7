import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeSource } from '@tool-search/core/testing';
import { runCommand } from './command.js';
import { enrichCommand } from './enrich.js';

describe('tool-search enrich', () => {
  let folder: string;
  const said = { out: '', error: '' };
  const output = { out: (text: string) => void (said.out += text), error: (text: string) => void (said.error += text) };
  const write = async (tools: readonly { readonly name: string }[]) => ({
    tools: tools.map(({ name }) => ({ name, queries: [`use ${name}`] })),
  });
  const setup = () => ({ sources: [new FakeSource('shop', ['refund'])], writer: { id: 'w', write } });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'command-'));
    said.out = said.error = '';
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ['an object', () => ({ default: setup() })],
    ['a function', () => ({ default: async () => setup() })],
    ['a compiled module', () => ({ default: { default: setup() } })],
  ])('enriches the tools of a configuration that is %s', async (_title, exported) => {
    const file = join(folder, 'queries.json');
    const args = ['--config', 'tools.config.mjs', '--out', file];
    expect(await enrichCommand(args, output, async () => exported())).toBe(0);
    expect(said).toEqual({ out: expect.stringMatching(/queries\.json: 1 tools, 1 written now/), error: '' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      tools: { 'shop.refund': { queries: ['use shop.refund'] } },
    });
  });

  it('fails with a reason', async () => {
    expect(await runCommand(['enrich'], output)).toBe(1);
    expect(said.error).toContain('Usage: tool-search enrich');
    expect(await runCommand(['enrich', '--wrong'], output)).toBe(1);
    expect(said.error).toContain('--wrong');
    await expect(enrichCommand(['--config', 'x'], output, async () => ({}))).rejects.toThrow(
      'The default export of the configuration',
    );
  });

  it('explains itself', async () => {
    expect(await runCommand(['enrich', '--help'], output)).toBe(0);
    expect(said.out).toContain('--config FILE');
  });
});
