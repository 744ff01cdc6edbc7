import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createDataSource } from './create-data-source.js';
import { dataSourceOptions } from './data-source-options.js';
import { TypeOrmActivationStore } from './typeorm-activation.store.js';

const TEST = join(__dirname, '../test');

/** Starts a process that activates, kills it after so many acknowledgements, and returns all that arrived. */
async function acknowledgedBeforeKill(database: string, prefix: string, after: number): Promise<string[]> {
  const child = spawn(
    process.execPath,
    ['-r', join(TEST, 'require-typescript.cjs'), join(TEST, 'activating-child.ts'), database, prefix],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exit = once(child, 'exit');
  const acknowledged: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    acknowledged.push(line);
    if (acknowledged.length === after) child.kill('SIGKILL');
  }
  expect(await exit).toEqual([null, 'SIGKILL']);
  return acknowledged;
}

describe('activations in a SQLite file', () => {
  it('are all there after a process that had acknowledged them was killed, again and again', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tool-search-'));
    const database = join(directory, 'new', 'activations.sqlite');
    const acknowledged: string[] = [];
    // the first two start on the empty directory at the same time
    const rounds = [['a', 'b'], ['c']];
    for (const round of rounds) {
      const tools = await Promise.all(round.map((prefix, i) => acknowledgedBeforeKill(database, prefix, 40 + 37 * i)));
      acknowledged.push(...tools.flat());
    }

    const dataSource = await createDataSource(dataSourceOptions({ database }));
    const scope = { tenantId: 't', userId: 'u', scope: 'session', scopeId: 's' } as const;
    const listed = await new TypeOrmActivationStore(dataSource).list(scope, 0);
    expect(acknowledged.length).toBeGreaterThanOrEqual(40 + 77 + 40);
    expect(listed.map(({ tool }) => tool)).toEqual(expect.arrayContaining(acknowledged));
    expect(await dataSource.query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    await dataSource.destroy();
    await rm(directory, { recursive: true });
  }, 60_000);
});
