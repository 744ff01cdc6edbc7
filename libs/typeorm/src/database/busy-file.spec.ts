import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { BusyFile } from './busy-file.js';
import { createDataSource } from './create-data-source.js';
import { dataSourceOptions } from './data-source-options.js';
import { SearchCacheEntryEntity } from '../search-cache/search-cache-entry.entity.js';
import { sqliteDriver } from './sqlite-driver.js';

const busy = () => Promise.reject(Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' }));

describe('BusyFile', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('tries again until the lock is released', async () => {
    let tried = 0;
    const done = new BusyFile().patiently(() => (++tried < 5 ? busy() : Promise.resolve('done')));
    await jest.advanceTimersByTimeAsync(100);
    expect(await done).toBe('done');
  });

  it('waits for a lock that stays once for all statements, and then tries each once', async () => {
    const file = new BusyFile();
    let tried = 0;
    const work = () => ((tried += 1), busy());
    const outcome = () => expect(file.patiently(work)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const first = Array.from({ length: 30 }, outcome);
    await jest.advanceTimersByTimeAsync(5_100);
    await Promise.all(first);
    tried = 0;
    await outcome();
    expect(tried).toBe(1);
    // Later it may be another lock.
    await jest.advanceTimersByTimeAsync(2_000);
    const later = outcome();
    await jest.advanceTimersByTimeAsync(5_100);
    await later;
    expect(tried).toBeGreaterThan(5);
  });

  it('passes on other faults at once', async () => {
    await expect(new BusyFile().patiently(() => Promise.reject(new Error('no such table')))).rejects.toThrow('no such');
  });
});

describe('a SQLite file that another connection of this process locks', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tool-search-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('is written as soon as the lock is released, and the event loop runs meanwhile', async () => {
    const database = join(directory, 'a.sqlite');
    const ours = await createDataSource(dataSourceOptions({ database }));
    const other = await new DataSource({ type: 'better-sqlite3', driver: sqliteDriver(), database }).initialize();
    const runner = other.createQueryRunner();
    await runner.query('BEGIN IMMEDIATE');
    const entry = { kind: 'k', id: 'i', complete: true, parts: 0, length: 0, checksum: '', writtenAt: 1 };
    const entries = ours.getRepository(SearchCacheEntryEntity);
    const alone = entries.insert({ ...entry, generation: 'alone' });
    const within = ours.transaction((manager) =>
      manager.insert(SearchCacheEntryEntity, { ...entry, generation: 'within' }),
    );
    // Only an event loop that runs gets here, and ends the transaction.
    await new Promise((resolve) => void setImmediate(resolve));
    await runner.query('COMMIT');
    await Promise.all([alone, within]);
    expect(await entries.count()).toBe(2);
    await other.destroy();
    await ours.destroy();
  });
});
