import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CallEntity, CallRepository, createDataSource, dataSourceOptions } from '@tool-search/typeorm';

const KILLS = 3;
const WINDOWS = 3;
const SUPPORT = join(__dirname, '..', 'support');

/** What one process said before it was killed, in order: runs that were answered, and flush windows that passed. */
async function saidBeforeKill(database: string, prefix: string): Promise<readonly string[]> {
  const child = spawn(
    process.execPath,
    ['-r', join(SUPPORT, 'require-typescript.cjs'), join(__dirname, 'recording-child.ts'), database, prefix],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exit = once(child, 'exit');
  const said: string[] = [];
  let killAfter = Infinity;
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    const windows = said.filter((each) => each === 'window').length;
    // In the middle of a window and of its traffic, at another moment each time.
    if (windows === WINDOWS && killAfter === Infinity) killAfter = said.length + 1 + Math.floor(Math.random() * 40);
    if (said.length >= killAfter) child.kill('SIGKILL');
  }
  expect(await exit).toEqual([null, 'SIGKILL']);
  return said;
}

describe('the record in a SQLite file of a process that is killed in mid-traffic', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tool-search-killed-window-'));
  const database = join(folder, 'record.sqlite');
  const processes: (readonly string[])[] = [];
  let stored: readonly string[];

  beforeAll(async () => {
    for (let kill = 0; kill < KILLS; kill++) processes.push(await saidBeforeKill(database, `process${kill}`));
    const dataSource = await createDataSource(dataSourceOptions({ database }));
    try {
      const calls = new CallRepository(CallEntity, dataSource.manager);
      const records = await calls.listMatching({ kind: 'call' }, { limit: 1_000_000, oldestFirst: true });
      stored = records.map(({ runId }) => runId);
    } finally {
      await dataSource.destroy();
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has every call that was answered a flush window before the kill, by the clock of that process', () => {
    const known = new Set(stored);
    for (const said of processes) {
      expect(said.filter((line) => line.startsWith('failed'))).toEqual([]);
      const before = said.slice(0, said.lastIndexOf('window')).lastIndexOf('window');
      const due = said.slice(0, before).filter((line) => line.startsWith('answered '));
      expect(due.length).toBeGreaterThan(10);
      expect(due.filter((line) => !known.has(line.slice('answered '.length)))).toEqual([]);
    }
  });

  it('has none twice, and none that the process did not make', () => {
    expect(new Set(stored).size).toBe(stored.length);
    expect(stored.filter((runId) => !/^process\d-[abc]-\d+$/.test(runId))).toEqual([]);
  });
});
