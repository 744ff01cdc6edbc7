import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describeSearchCache } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptied, emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import { createDataSource } from '../database/create-data-source.js';
import { dataSourceOptions, type ToolSearchTypeOrmOptions } from '../database/data-source-options.js';
import { TypeOrmActivationStore } from '../activation/typeorm-activation.store.js';
import { TypeOrmSearchCache } from './typeorm-search-cache.js';

const open = (options: ToolSearchTypeOrmOptions) => createDataSource(dataSourceOptions(options));
/** Bytes of which no two parts are equal. */
const bytesOf = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i += 64) bytes.fill((i >> 6) * 7 + (i >> 16), i, i + 64);
  return bytes;
};
/** Compares a million bytes; Jest's own comparison takes seconds. */
const areSame = (bytes: Uint8Array | undefined, others: Uint8Array): boolean =>
  bytes !== undefined && Buffer.compare(bytes, others) === 0;
const PATIENCE = 60_000;

/** Tests of the stored rows, for any database. */
function describeRows(of: () => Promise<DataSource>): void {
  let dataSource: DataSource;
  let cache: TypeOrmSearchCache;
  const count = async (table: string) =>
    Number((await dataSource.query(`SELECT count(*) AS n FROM tool_search_cache_${table}`))[0].n);

  beforeEach(async () => {
    dataSource = await emptied(await of());
    cache = new TypeOrmSearchCache(dataSource);
    await cache.write('index', 'a', bytesOf(1_000_000));
  });

  it.each([
    ['a part is missing', 'DELETE FROM tool_search_cache_parts WHERE part = 2'],
    ['the last part is missing', 'DELETE FROM tool_search_cache_parts WHERE part = 3'],
    [
      'a part has other bytes',
      'UPDATE tool_search_cache_parts SET bytes = (SELECT bytes FROM tool_search_cache_parts WHERE part = 0) WHERE part = 1',
    ],
    [
      'a part is longer',
      'UPDATE tool_search_cache_parts SET bytes = (SELECT bytes FROM tool_search_cache_parts WHERE part = 0) WHERE part = 3',
    ],
    ['there are parts more', 'UPDATE tool_search_cache_entries SET parts = parts + 1'],
    ['there are parts less', 'UPDATE tool_search_cache_entries SET parts = parts - 1'],
    ['the length is another', 'UPDATE tool_search_cache_entries SET length = length + 1'],
    ['the length is beyond all bounds', 'UPDATE tool_search_cache_entries SET length = 2147483647'],
    ['the checksum is another', `UPDATE tool_search_cache_entries SET checksum = 'x'`],
    ['it was never completed', 'UPDATE tool_search_cache_entries SET complete = FALSE'],
  ])('returns no entry when %s', async (_, damage) => {
    expect(await cache.read('index', 'a')).toBeDefined();
    await dataSource.query(damage);
    expect(await cache.read('index', 'a')).toBeUndefined();
    await cache.write('index', 'a', bytesOf(5));
    expect(areSame(await cache.read('index', 'a'), bytesOf(5))).toBe(true);
  });

  it('leaves no rows behind of what was replaced, pushed out or abandoned', async () => {
    await dataSource.query(
      `INSERT INTO tool_search_cache_entries VALUES ('dead', 'index', 'a', FALSE, 0, 0, '', ${Date.now() - 4_000_000})`,
    );
    await dataSource.query(
      `INSERT INTO tool_search_cache_parts SELECT 'dead', part, bytes FROM tool_search_cache_parts`,
    );
    for (let round = 0; round < 3; round++) {
      for (const id of ['a', 'b', 'c', 'd', 'e']) await cache.write('index', id, bytesOf(300_000));
    }
    expect([await count('entries'), await count('parts')]).toEqual([4, 8]);
  });

  it('leaves no rows behind of a writing that failed', async () => {
    const unfinished = 'generation IN (SELECT generation FROM tool_search_cache_entries WHERE NOT complete)';
    const isPostgres = dataSource.options.type === 'postgres';
    const writing = cache.write('index', 'b', bytesOf(5_000_000)).catch((error: unknown) => error);
    while ((await count('parts')) < 6) await setImmediate();
    // The entry is removed during the write: the next part violates its foreign key.
    await dataSource.transaction(async (manager) => {
      if (isPostgres) await manager.query('SELECT * FROM tool_search_cache_entries FOR UPDATE');
      await manager.query(`DELETE FROM tool_search_cache_parts WHERE ${unfinished}`);
      await manager.query('DELETE FROM tool_search_cache_entries WHERE NOT complete');
    });
    expect(String(await writing)).toMatch(/foreign key/i);
    expect([await count('entries'), await count('parts')]).toEqual([1, 4]);
    expect(areSame(await cache.read('index', 'b'), bytesOf(1_000_000))).toBe(true);
  });

  it('refuses what is too large before it writes any of it', async () => {
    const huge = { length: 512 * 1024 * 1024 + 1 } as Uint8Array;
    await expect(cache.write('index', 'huge', huge)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await count('entries')).toBe(1);
  });

  it(
    'lets others have the database and the event loop between two parts',
    async () => {
      const store = new TypeOrmActivationStore(dataSource);
      const scope = { tenantId: 't', userId: 'u', scope: 'session', scopeId: String(Math.random()) } as const;
      const order: string[] = [];
      const writing = cache.write('index', 'b', bytesOf(10_000_000)).then(() => order.push('written'));
      const turns = (async () => {
        for (let turn = 0; turn < 20; turn++) await setImmediate();
        order.push('20 turns');
      })();
      await store.activate(scope, [{ tool: 'a.b', reason: 'load', tokens: 1 }], { tools: 0, tokens: 0 }, 5, 0);
      order.push('activated');
      await Promise.all([writing, turns]);
      expect(order.at(-1)).toBe('written');
      const reading = cache.read('index', 'b').then((bytes) => order.push(`read ${bytes?.length}`));
      await store.activate(scope, [{ tool: 'a.c', reason: 'load', tokens: 1 }], { tools: 0, tokens: 0 }, 5, 0);
      order.push('activated again');
      await reading;
      expect(order.slice(-2)).toEqual(['activated again', 'read 10000000']);
    },
    PATIENCE,
  );
}

const inMemory = emptySqlite();
const inFile = emptySqlite('file');
const twoOn = async (dataSource: DataSource) => ({
  cache: new TypeOrmSearchCache(dataSource),
  sibling: new TypeOrmSearchCache(dataSource),
  close: async () => {},
});

describeSearchCache('TypeOrmSearchCache on SQLite in memory', async () => twoOn(await inMemory()));

describe('TypeOrmSearchCache on a SQLite file', () => {
  describeSearchCache('it', async () => twoOn(await inFile()));
  describe('with rows', () => {
    describeRows(inFile);
  });

  it('gives a later start what an earlier one has written', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tool-search-'));
    const start = () => open({ database: join(directory, 'cache.sqlite') });
    const before = await start();
    await new TypeOrmSearchCache(before).write('index', 'a', bytesOf(700_000));
    await before.destroy();
    const after = await start();
    expect(areSame(await new TypeOrmSearchCache(after).read('index', 'z'), bytesOf(700_000))).toBe(true);
    await after.destroy();
    await rm(directory, { recursive: true });
  });
});

describeOnPostgres('TypeOrmSearchCache', (url) => {
  let [here, there]: DataSource[] = [];
  beforeAll(async () => {
    [here, there] = await Promise.all([openPatiently(url()), openPatiently(url())]);
  });
  afterAll(() => Promise.all([here!.destroy(), there!.destroy()]));

  describeSearchCache('it', async () => {
    await emptied(here!);
    return { cache: new TypeOrmSearchCache(here!), sibling: new TypeOrmSearchCache(there!), close: async () => {} };
  });
  describe('with rows', () => {
    describeRows(async () => here!);
  });
});
