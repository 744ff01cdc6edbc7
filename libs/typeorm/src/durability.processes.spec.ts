import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { NO_AUDIT } from '@tool-search/core/stores';
import { brokenLink } from '@tool-search/core/internal';
import { TypeOrmControlStore } from './control/typeorm-control.store.js';
import { createDataSource } from './database/create-data-source.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { TypeOrmActivationStore } from './activation/typeorm-activation.store.js';

const TEST = join(__dirname, '../test');

function startWriting(...args: string[]): ChildProcessByStdio<null, Readable, null> {
  const child = [
    '-r',
    join(TEST, '../../../test/support/require-typescript.cjs'),
    join(TEST, 'writing-child.ts'),
    ...args,
  ];
  return spawn(process.execPath, child, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/**
 * Starts a writing process, kills it at a random moment after its first acknowledgement, and returns all
 * acknowledgements.
 */
async function acknowledgedBeforeKill(database: string, prefix: string): Promise<string[]> {
  const child = startWriting(database, prefix);
  const exit = once(child, 'exit');
  const acknowledged: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    if (acknowledged.push(line) === 1) setTimeout(() => child.kill('SIGKILL'), Math.random() * 150);
  }
  expect(await exit).toEqual([null, 'SIGKILL']);
  return acknowledged;
}

async function expectWritten(database: string, acknowledged: readonly string[]): Promise<void> {
  const dataSource = await createDataSource(dataSourceOptions({ database }));
  const control = new TypeOrmControlStore(dataSource);
  const scope = { tenantId: 't', userId: 'u', scope: 'session', scopeId: 's' } as const;
  const tools = await new TypeOrmActivationStore(dataSource).list(scope, 0);
  const state = await control.read();
  const written = [...tools.map(({ tool }) => tool), ...(state?.records ?? []).map(({ key }) => key)];
  expect(written).toEqual(expect.arrayContaining([...acknowledged]));
  const trail = await control.audit({}, { limit: 100_000 });
  expect(brokenLink(NO_AUDIT, trail)).toBeUndefined();
  // each change is stored completely or not at all
  expect(trail.map(({ idempotencyKey }) => idempotencyKey).toSorted()).toEqual(
    (state?.records ?? []).map(({ key }) => key).toSorted(),
  );
  expect(trail.length).toBe(state?.revision);
  expect(await dataSource.query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  await dataSource.destroy();
}

describe('activations and kill switches in a SQLite file', () => {
  let directory: string;
  let database: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tool-search-'));
    database = join(directory, 'new', 'tool-search.sqlite');
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('are all there after a process that had acknowledged them was killed, again and again', async () => {
    const acknowledged: string[] = [];
    // ten in total; the first two start concurrently on the empty directory
    for (let pair = 0; pair < 5; pair++) {
      const prefixes = [`a${pair}`, `b${pair}`];
      const round = await Promise.all(prefixes.map((prefix) => acknowledgedBeforeKill(database, prefix)));
      acknowledged.push(...round.flat());
      await expectWritten(database, acknowledged);
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(10);
  });

  it('are written by four processes at once, none of which is turned away', async () => {
    const acknowledged = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (prefix) => {
        const child = startWriting(database, prefix, '150');
        const exit = once(child, 'exit');
        const lines: string[] = [];
        for await (const line of createInterface(child.stdout)) lines.push(line);
        expect(await exit).toEqual([0, null]);
        return lines;
      }),
    );
    expect(acknowledged.flat()).toHaveLength(600);
    await expectWritten(database, acknowledged.flat());
  });
});
