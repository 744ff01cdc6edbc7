import { type Command, runCommand } from './command.js';
import { count, countOrNone, flag, oneOf, text, texts } from './options.js';

const options = {
  rounds: count(5, 10),
  quick: flag(),
  rules: countOrNone(100),
  store: oneOf(['memory', 'sqlite']),
  dir: text(),
  data: texts(),
};
const command: Command<typeof options, { readonly asked: unknown }> = {
  purpose: 'Measures nothing.',
  options,
  run: (asked) => ({ asked }),
  text: () => 'a table',
};

async function ran(args: readonly string[], changed: Partial<typeof command> = {}) {
  const streams = { out: '', error: '' };
  const code = await runCommand({ ...command, ...changed }, args, {
    out: (written) => void (streams.out += written),
    error: (written) => void (streams.error += written),
  });
  return { code, ...streams };
}

describe('a command', () => {
  it('prints its report as text, or with --json as one JSON object and nothing else', async () => {
    expect(await ran([])).toEqual({ code: 0, out: 'a table\n', error: '' });
    const given = ['--rounds', '7', '--data', 'a', '--data', 'b', '--store', 'sqlite', '--rules', '3'];
    const { out } = await ran(['--json', ...given]);
    const asked = { rounds: 7, quick: false, rules: 3, store: 'sqlite', data: ['a', 'b'] };
    expect(out).toBe(`${JSON.stringify({ asked })}\n`);
  });

  it.each([
    ['--rounds', '0', '--rounds takes a whole number from 1 to 10'],
    ['--rounds', '1.5', '--rounds takes a whole number from 1 to 10'],
    ['--rules', 'many', '--rules takes a whole number from 1 to 100'],
    ['--store', 'disk', '--store takes memory, sqlite'],
    ['--round', '3', "Unknown option '--round'"],
    ['left', 'over', "Unexpected argument 'left'"],
  ])('refuses %s %s in one line on standard error', async (name, value, reason) => {
    const { code, out, error } = await ran([name, value, '--json']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toMatch(/^[^\n]+\n$/);
    expect(error).toContain(reason);
  });

  it('ends with 1 and a line on standard error where it fails, and where something is not as promised', async () => {
    const run = () => Promise.reject(new Error('no server\n  at all'));
    expect(await ran(['--json'], { run })).toEqual({ code: 1, out: '', error: 'no server at all\n' });
    const fault = () => '2 leaks';
    expect(await ran([], { fault })).toEqual({ code: 1, out: 'a table\n', error: '2 leaks\n' });
  });

  it('explains its options', async () => {
    const { code, out } = await ran(['--help']);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^Measures nothing\.\n\n {2}--rounds NUMBER \(5\)\n {2}--quick\n/),
    ]);
  });
});
