import { describeHeldResultStore } from '@tool-search/core/testing';
import type { DataSource } from 'typeorm';
import { describeOnPostgres } from '../../test/describe-on-postgres.js';
import { emptySqlite } from '../../test/empty-database.js';
import { openPatiently } from '../../test/open-patiently.js';
import {
  type HeldResultPartEntity,
  PostgresHeldResultPartEntity,
  SqliteHeldResultPartEntity,
} from './held-result-part.entity.js';
import { TypeOrmHeldResultStore } from './typeorm-held-result.store.js';

const ADA = { tenantId: 'acme', userId: 'ada', agent: '' };
const LIMITS = { forMs: 60_000, ofHolder: 1, bytesOfTenant: 1_000_000 };
const RESULT = { tool: 'a.b', body: new Uint8Array(9) };

/** Stores a result, and a newer one before the bytes of the first are written. Returns the handles that can be read. */
async function overtaken(dataSource: DataSource, part: new () => HeldResultPartEntity): Promise<readonly string[]> {
  const store = new TypeOrmHeldResultStore(dataSource);
  const parts = dataSource.getRepository(part);
  const insert = parts.insert.bind(parts);
  const spy = jest.spyOn(parts, 'insert').mockImplementationOnce(async (row) => {
    await store.hold('r_newer', ADA, RESULT, LIMITS);
    return insert(row);
  });
  await store.hold('r_older', ADA, RESULT, LIMITS);
  spy.mockRestore();
  const found = await Promise.all(['r_older', 'r_newer'].map((handle) => store.find(handle, ADA)));
  return ['r_older', 'r_newer'].filter((_, at) => found[at] !== undefined);
}

const inMemory = emptySqlite();

describeHeldResultStore('TypeOrmHeldResultStore on SQLite', async () => {
  const dataSource = await inMemory();
  return {
    store: new TypeOrmHeldResultStore(dataSource),
    sibling: new TypeOrmHeldResultStore(dataSource),
    close: async () => {},
  };
});

it('a result that a newer one removes while it is written does not fail, on SQLite', async () => {
  expect(await overtaken(await inMemory(), SqliteHeldResultPartEntity)).toEqual(['r_newer']);
});

describeOnPostgres('TypeOrmHeldResultStore', (url) => {
  let dataSource: DataSource;
  let other: DataSource;
  beforeAll(async () => {
    [dataSource, other] = [await openPatiently(url()), await openPatiently(url())];
  });
  afterAll(() => Promise.all([dataSource.destroy(), other.destroy()]));

  describeHeldResultStore('TypeOrmHeldResultStore', async () => {
    await dataSource.query('TRUNCATE tool_search_held_results, tool_search_held_result_parts');
    return {
      store: new TypeOrmHeldResultStore(dataSource),
      sibling: new TypeOrmHeldResultStore(other),
      close: async () => {},
    };
  });

  it('a result that a newer one removes while it is written does not fail', async () => {
    await dataSource.query('TRUNCATE tool_search_held_results, tool_search_held_result_parts');
    expect(await overtaken(dataSource, PostgresHeldResultPartEntity)).toEqual(['r_newer']);
  });

  it('removes what a process left that died while it wrote, once it has expired', async () => {
    await dataSource.query('TRUNCATE tool_search_held_results, tool_search_held_result_parts');
    const store = new TypeOrmHeldResultStore(dataSource);
    await dataSource.query(
      "INSERT INTO tool_search_held_results VALUES ('r_dead', 'acme', 'ada', '', 'a.b', 9, false, 1, 2)",
    );
    await dataSource.query("INSERT INTO tool_search_held_result_parts VALUES ('r_dead', 0, 'x')");
    expect(await store.find('r_dead', ADA)).toBeUndefined();
    expect(await store.sweep(10)).toBe(1);
    expect(await dataSource.query('SELECT * FROM tool_search_held_result_parts')).toEqual([]);
  });
});
