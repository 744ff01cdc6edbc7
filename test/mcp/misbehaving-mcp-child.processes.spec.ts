import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ToolResult } from '@tool-search/core';
import { McpSource } from '@tool-search/mcp';
import { type ChildMischief, misbehavingChild } from '../support/misbehaving-mcp-child.js';
import { ECHO, MisbehavingMcpServer } from '../support/misbehaving-mcp-server.js';
import { startTrustingApp, type TrustingApp } from '../support/trusting-app.js';

const CALL_TIMEOUT_MS = 2_500;
const LOOK_MS = 250;

/** Behaviours of a child process, and the error code of a call meanwhile (undefined: the call succeeds). */
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

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of buffers, in which a child's output is, that something still refers to. */
function bufferedBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe('child processes with vices, in one application', () => {
  const sound = new MisbehavingMcpServer('2025-11-25');
  let folder: string;
  let app: TrustingApp;
  const results = new Map<ChildMischief, ToolResult>();
  /** What was held at each look, the last one after the calls. */
  const heldBytes: number[] = [];
  const flagOf = (mischief: ChildMischief) => join(folder, `${mischief}.bad`);
  const pidsOf = async (mischief: ChildMischief) =>
    (await readFile(join(folder, `${mischief}.pids`), 'utf8')).split('\n').filter(Boolean).map(Number);
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
    // A server that cannot start is first loaded while it works, then restarted.
    for (const [mischief] of MISCHIEF) if (mischief !== 'dies-at-start') await writeFile(flagOf(mischief), '');
    app = await startTrustingApp([
      ...MISCHIEF.map(
        ([mischief, code]) =>
          new McpSource({
            name: mischief,
            command: process.execPath,
            args: ['-e', misbehavingChild(mischief, flagOf(mischief), join(folder, `${mischief}.pids`))],
            loadTimeoutMs: 60_000,
            // On a busy machine, this timeout must not end the call before the tested cause does.
            callTimeoutMs: code === 'TOOL_TIMEOUT' ? CALL_TIMEOUT_MS : 600_000,
            changes: 'trust',
          }),
      ),
      new McpSource({ name: 'healthy', url: await sound.start(), callTimeoutMs: 600_000 }),
    ]);
    await writeFile(flagOf('dies-at-start'), '');
    for (const pid of (await pidsOf('dies-at-start')).filter(isAlive)) process.kill(pid, 'SIGKILL');
    await app.until('dies-at-start', 'degraded');
    const before = bufferedBytes();
    let looking: NodeJS.Timeout;
    // Not at an interval: on a busy machine, collections would follow one another without a pause.
    const look = () => {
      heldBytes.push(bufferedBytes() - before);
      looking = setTimeout(look, LOOK_MS);
    };
    look();
    const calling = async ([mischief]: (typeof MISCHIEF)[number]) =>
      results.set(mischief, await app.call(`${mischief}.echo`, { words: 'hi' }));
    try {
      await app.meanwhile(() => Promise.all(MISCHIEF.map(calling)));
    } finally {
      clearTimeout(looking!);
    }
    heldBytes.push(bufferedBytes() - before);
  });
  afterAll(async () => {
    await sound.stop();
    await rm(folder, { recursive: true });
  });

  it('fail only their own calls, all at once', () => {
    // `meanwhile` checks during the calls that the other server keeps answering.
    for (const [mischief, code] of MISCHIEF) {
      const result = results.get(mischief);
      const expected = code === undefined ? { ok: true, content: [{ text: 'hi' }] } : { ok: false, code };
      expect([mischief, result]).toMatchObject([mischief, expected]);
      expect(JSON.stringify([result, app.status(mischief), app.events])).not.toContain('hunter2');
    }
    expect(Math.max(...heldBytes)).toBeLessThan(100 * 1024 * 1024);
  });

  it.each(MISCHIEF)('come back by themselves: "%s"', async (mischief, code) => {
    await rm(flagOf(mischief), { force: true });
    await app.until(mischief, 'ready');
    expect(app.status(mischief)).toMatchObject({ state: 'ready', tools: 1 });
    const call = () => app.call(`${mischief}.echo`, { words: 'back' });
    let back = await call();
    // The short call timeout may also be too short for a new process on a busy machine.
    while (code === 'TOOL_TIMEOUT' && !back.ok && back.code === code) back = await call();
    expect(back).toMatchObject({ ok: true, content: [{ text: 'back' }] });
  });

  it('leave no process behind', async () => {
    await app.close();
    for (const [mischief] of MISCHIEF) {
      const pids = await pidsOf(mischief);
      expect([mischief, pids.length > 0, pids.filter(isAlive)]).toEqual([mischief, true, []]);
    }
  });
});
