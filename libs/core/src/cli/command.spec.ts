import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DescribedForWriter } from '../search/examples/example-query-writer.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { runCommand } from './command.js';

describe('tool-search', () => {
  let folder: string;
  const said = { out: '', error: '' };
  const output = { out: (text: string) => void (said.out += text), error: (text: string) => void (said.error += text) };
  const write = async (tools: readonly DescribedForWriter[]) => ({
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
    const args = ['enrich', '--config', 'tools.config.mjs', '--out', file];
    expect(await runCommand(args, output, async () => exported())).toBe(0);
    expect(said).toEqual({ out: expect.stringMatching(/queries\.json: 1 tools, 1 written now/), error: '' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      tools: { 'shop.refund': { queries: ['use shop.refund'] } },
    });
  });

  it.each([
    [['enrich'], 'Usage: tool-search enrich'],
    [['other', '--config', 'x'], 'Usage: tool-search enrich'],
    [['enrich', '--wrong'], '--wrong'],
    [['enrich', '--config', 'x'], 'The default export of the configuration'],
  ])('%j fails with a reason', async (args, says) => {
    expect(await runCommand(args, output, async () => ({}))).toBe(1);
    expect(said.error).toContain(says);
  });

  it('explains itself', async () => {
    expect(await runCommand(['--help'], output)).toBe(0);
    expect(said.out).toContain('--config FILE');
  });
});
