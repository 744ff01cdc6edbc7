import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { build } from '../../test/support/built-server.js';

const BENCH = join(__dirname, '../../dist/bench');

/** Runs a built command. */
function run(file: string, ...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--expose-gc', join(BENCH, file), ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, stdout, stderr });
    });
  });
}

beforeAll(build, 300_000);

it.each<readonly [file: string, args: readonly string[], members: readonly string[]]>([
  ['search.js', ['--tools', '200', '--visible', '1'], ['tools', 'engines']],
  ['retrieval.js', [], ['set', 'tools', 'queries', 'engines']],
  ['published.js', ['--data', join(__dirname, '../datasets/invented')], ['sets']],
  ['redaction.js', [], ['half', 'families']],
  ['off.js', ['--tools', '20'], ['tools', 'identical', 'plain', 'off', 'deferred']],
  ['crash.js', ['--rounds', '1'], ['rounds', 'acknowledged', 'lost', 'chainBroken']],
  ['catalogs.js', [], ['files', 'tools', 'accepted', 'refused', 'quarantined', 'reported', 'msPerTool']],
  ['tokens.js', ['--compare'], ['tokenizer', 'catalogs']],
  ['limits.js', ['--rounds', '1'], ['store', 'ratio', 'perCallUs', 'instances', 'allowed', 'limit', 'overshootPct']],
  ['limits.js', ['--rounds', '1', '--rules', '11'], ['store', 'rules', 'ratio', 'perCallUs', 'withoutUs']],
  ['isolation/check.js', ['--tenants', '2', '--operations', '50', '--parallel', '2'], ['leaks', 'calls']],
])('%s --json prints one JSON object and nothing else', async (file, args, members) => {
  const { code, stdout } = await run(file, ...args, '--json');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\{.*\}\n$/);
  expect(Object.keys(JSON.parse(stdout) as object)).toEqual(expect.arrayContaining([...members]));
});

it.each(['attacks/check.js', 'gateway/speed.js', 'gateway/check.js', 'console.js', 'killswitch.js', 'record.js'])(
  '%s refuses an unknown argument in one line on standard error',
  async (file) => {
    const { code, stdout, stderr } = await run(file, '--jsn');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Unknown option '--jsn'[^\n]*\n$/);
  },
);
