import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpSource } from '@tool-search/mcp';
import { type ChildMischief, misbehavingChild } from './support/misbehaving-mcp-child.js';
import { ECHO, MisbehavingMcpServer } from './support/misbehaving-mcp-server.js';
import { startTrustingApp, type TrustingApp } from './support/trusting-app.js';

jest.setTimeout(120_000);

const CALL_TIMEOUT_MS = 2_500;

/** What a child does, what a call gets meanwhile, and whether the process has to be started again afterwards. */
const MISCHIEF: [ChildMischief, string | undefined][] = [
  ['garbage', undefined],
  ['stderr-flood', undefined],
  ['ignores-sigterm', undefined],
  ['requests-flood', undefined],
  ['dies-in-a-call', 'SOURCE_UNAVAILABLE'],
  ['endless-line', 'SOURCE_UNAVAILABLE'],
  ['answers-nothing', 'TOOL_TIMEOUT'],
  ['answers-a-batch', 'TOOL_TIMEOUT'],
  ['dies-at-start', 'SOURCE_UNAVAILABLE'],
];

describe.each(MISCHIEF)('a child process with the vice "%s"', (mischief, code) => {
  const sound = new MisbehavingMcpServer('2025-11-25');
  let folder: string;
  let app: TrustingApp;
  const pids = async () => (await readFile(join(folder, 'pids'), 'utf8')).split('\n').filter(Boolean).map(Number);
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  beforeAll(async () => {
    sound.tools = [{ ...ECHO, listed: { ...ECHO.listed, description: 'Healthy: says the words back.' } }];
    folder = await mkdtemp(join(tmpdir(), 'tool-search-odd-'));
    const flag = join(folder, 'bad');
    // One that cannot even start is first known in good days, and then started again.
    if (mischief !== 'dies-at-start') await writeFile(flag, '');
    app = await startTrustingApp([
      new McpSource({
        name: 'odd',
        command: process.execPath,
        args: ['-e', misbehavingChild(mischief, flag, join(folder, 'pids'))],
        // On a busy machine it must not come before what else ends a call.
        callTimeoutMs: code === 'TOOL_TIMEOUT' ? CALL_TIMEOUT_MS : 60_000,
        changes: 'trust',
      }),
      new McpSource({ name: 'healthy', url: await sound.start() }),
    ]);
    await app.until('odd', 'ready');
    if (mischief !== 'dies-at-start') return;
    await writeFile(flag, '');
    for (const pid of (await pids()).filter(isAlive)) process.kill(pid, 'SIGKILL');
    await app.until('odd', 'degraded');
  });

  it('harms nothing but its own call, comes back by itself and leaves no process', async () => {
    const before = process.memoryUsage().rss;
    const result = await app.meanwhile(() => app.call('odd.echo', { words: 'hi' }));
    expect(result).toMatchObject(code === undefined ? { ok: true, content: [{ text: 'hi' }] } : { ok: false, code });
    expect(JSON.stringify([result, app.status('odd'), app.events])).not.toContain('hunter2');
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
    await rm(join(folder, 'bad'), { force: true });
    await app.until('odd', 'ready');
    expect(app.status('odd')).toMatchObject({ state: 'ready', tools: 1 });
    const call = () => app.call('odd.echo', { words: 'back' });
    let back = await call();
    // The time of a call that is to run out may also be too short for a new process on a busy machine.
    while (code === 'TOOL_TIMEOUT' && !back.ok && back.code === code) back = await call();
    expect(back).toMatchObject({ ok: true, content: [{ text: 'back' }] });
    await app.close();
    await sound.stop();
    expect((await pids()).filter(isAlive)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
