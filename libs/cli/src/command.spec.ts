import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './command.js';

describe('tool-search', () => {
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  const file = join(folder, 'mcp.json');
  const state = join(folder, 'state.sqlite');
  beforeAll(() => writeFileSync(file, '{ "mcpServers": { "a": { "command": "a" } } }'));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function run(...args: readonly string[]) {
    const said = { out: '', error: '' };
    const output = { out: (text: string) => (said.out += text), error: (text: string) => (said.error += text) };
    return { code: await runCommand(args, output), ...said };
  }

  it.each([
    [['serve', file, '--http', '99999'], '--http must be a port'],
    [['serve', file, '--stdio', '--http', '0'], 'Usage: tool-search serve'],
    [['serve', file, '--profile', 'a', '--http', '0'], 'Usage: tool-search serve'],
    [['serve', file, '--host', '0.0.0.0'], 'Usage: tool-search serve'],
    [['serve', file, file], 'Usage: tool-search serve'],
    [['serve', file, '--profile', 'none'], 'There is no profile "none".\ntoolSearch.profiles has: none.'],
    [['serve', join(folder, 'none.json')], 'cannot be read (ENOENT)'],
    [['serve', file, '--wrong'], '--wrong'],
    [['serve'], 'Usage: tool-search serve'],
    [['approve'], 'Usage: tool-search approve'],
    [['other'], 'Usage: tool-search COMMAND'],
    [[], 'Usage: tool-search COMMAND'],
  ])('refuses %j before anything starts', async (args, says) => {
    const { code, out, error } = await run(...args, ...(args.length > 1 ? ['--state', state] : []));
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain(says);
    expect(existsSync(state)).toBe(false);
  });

  it('refuses a token that is easy to guess', async () => {
    process.env['TOOL_SEARCH_TOKEN'] = 'short';
    try {
      const { code, error } = await run('serve', file, '--http', '0', '--state', state);
      expect([code, error]).toEqual([1, expect.stringContaining('TOOL_SEARCH_TOKEN is no usable token.')]);
    } finally {
      delete process.env['TOOL_SEARCH_TOKEN'];
    }
  });

  it.each([[[]], [['serve']], [['preflight']], [['approve']], [['enrich']]])(
    'explains itself: %j --help',
    async (args) => {
      const { code, out, error } = await run(...args, '--help');
      expect([code, error]).toEqual([0, '']);
      expect(out).toMatch(new RegExp(`^Usage: tool-search ${args[0] ?? 'COMMAND'}`));
    },
  );
});
