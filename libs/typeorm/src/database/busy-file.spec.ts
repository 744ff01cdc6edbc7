import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { BusyFile } from './busy-file.js';
import { createDataSource } from './create-data-source.js';
import { dataSourceOptions } from './data-source-options.js';
import { SearchCacheEntryEntity } from '../search-cache/search-cache-entry.entity.js';
import { sqliteDriver } from './sqlite-driver.js';

const writes = () => true;
const busy = () => Promise.reject(Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' }));

describe('BusyFile', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('tries again until the lock is released', async () => {
    let tried = 0;
    const done = new BusyFile().patiently(() => (++tried < 5 ? busy() : Promise.resolve('done')), writes);
    await jest.advanceTimersByTimeAsync(100);
    expect(await done).toBe('done');
  });

  it('waits for a lock that stays once for all statements, and then tries each once', async () => {
    const file = new BusyFile();
    let tried = 0;
    const work = () => ((tried += 1), busy());
    const outcome = () => expect(file.patiently(work, writes)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
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

  it('waits anew after a statement that has held the lock, and not after one that reads', async () => {
    const file = new BusyFile();
    let tried = 0;
    const refused = async (withinMs: number) => {
      tried = 0;
      const work = () => ((tried += 1), busy());
      const outcome = file.patiently(work, writes).catch((error: unknown) => error);
      await jest.advanceTimersByTimeAsync(withinMs);
      expect(await outcome).toMatchObject({ code: 'STORE_UNAVAILABLE' });
      return tried;
    };
    const done = () => Promise.resolve('done');
    expect(await refused(5_100)).toBeGreaterThan(5);
    await file.patiently(done, () => false);
    expect(await refused(0)).toBe(1);
    await file.patiently(done, writes);
    expect(await refused(5_100)).toBeGreaterThan(5);
  });

  it('passes on other faults at once', async () => {
    const work = () => Promise.reject(new Error('no such table'));
    await expect(new BusyFile().patiently(work, writes)).rejects.toThrow('no such');
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

  it('is waited for once by writes, although reads between them succeed', async () => {
    const database = join(directory, 'a.sqlite');
    const ours = await createDataSource(dataSourceOptions({ database }));
    const other = await new DataSource({ type: 'better-sqlite3', driver: sqliteDriver(), database }).initialize();
    const runner = other.createQueryRunner();
    await runner.query('BEGIN IMMEDIATE');
    const entries = ours.getRepository(SearchCacheEntryEntity);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      const wait = jest.spyOn(globalThis, 'setTimeout');
      const waitsOf = async (write: () => Promise<unknown>) => {
        wait.mockClear();
        const outcome = write().catch((error: unknown) => error);
        await jest.advanceTimersByTimeAsync(5_100);
        expect(await outcome).toMatchObject({ code: 'STORE_UNAVAILABLE' });
        return wait.mock.calls.length;
      };
      const entry = { kind: 'k', id: 'i', complete: true, parts: 0, length: 0, checksum: '', writtenAt: 1 };
      const insert = () => entries.insert({ ...entry, generation: 'g' });
      expect(await waitsOf(insert)).toBeGreaterThan(5);
      expect(await entries.count()).toBe(0);
      expect(await waitsOf(insert)).toBe(0);
    } finally {
      jest.useRealTimers();
    }
    await runner.query('COMMIT');
    await other.destroy();
    await ours.destroy();
  });
});
