import { DataSource } from 'typeorm';
import { dataSourceOptions, type ToolSearchTypeOrmOptions } from './data-source-options.js';
import { sqliteDriver } from './sqlite-driver.js';
import { ToolSearchTypeOrmModule } from '../tool-search-typeorm.module.js';

const sqlite = () => new DataSource({ type: 'better-sqlite3', driver: sqliteDriver(), database: ':memory:' });

it('refuses options that are none, with those there are', () => {
  const wrong: unknown = { file: 'a.sqlite' };
  const options = wrong as ToolSearchTypeOrmOptions;
  for (const take of [() => dataSourceOptions(options), () => ToolSearchTypeOrmModule.forRoot(options)]) {
    expect(take).toThrow('ToolSearchTypeOrmModule.forRoot() has no option "file".');
  }
});

describe('dataSourceOptions', () => {
  it('uses a SQLite file in .tool-search by default', () => {
    expect(dataSourceOptions()).toMatchObject({
      type: 'better-sqlite3',
      database: '.tool-search/tool-search.sqlite',
      synchronize: false,
    });
  });

  it('names its migrations in the order in which they run, and none after today', () => {
    const { migrations } = new DataSource(dataSourceOptions({ database: ':memory:' })).options;
    const times = (migrations as (new () => { name: string })[]).map((each) => Number(new each().name.slice(-13)));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times).size).toBe(times.length);
    expect(Math.max(...times)).toBeLessThan(Date.now());
  });

  it.each(['postgres://db/app', 'postgresql://user:secret@db:5432/app?sslmode=require'])('takes %s', (url) => {
    expect(dataSourceOptions({ url })).toMatchObject({ type: 'postgres', url, synchronize: false });
  });

  it('reads and writes the master of a replicated DataSource', () => {
    const dataSource = new DataSource({
      type: 'postgres',
      replication: { master: { host: 'main' }, slaves: [{ host: 'copy' }] },
    });
    expect(dataSourceOptions({ dataSource })).toMatchObject({ type: 'postgres', host: 'main', replication: undefined });
  });

  it('waits no longer for the DataSource of an application than for an address, unless that says so itself', () => {
    const patience = (options: object) => {
      const made = dataSourceOptions({ dataSource: new DataSource({ type: 'postgres', ...options }) });
      return made.type === 'postgres' && [made.connectTimeoutMS, made.extra];
    };
    expect(patience({})).toEqual([5_000, { query_timeout: 10_000 }]);
    expect(patience({ extra: { keepAlive: true } })).toEqual([5_000, { query_timeout: 10_000, keepAlive: true }]);
    expect(patience({ connectTimeoutMS: 7, extra: { query_timeout: 8 } })).toEqual([7, { query_timeout: 8 }]);
  });

  it.each([
    ['two places', { url: 'postgres://db/app', database: 'a.sqlite' }],
    ['an address of another database', { url: 'mysql://user:secret@db/app' }],
    ['an empty address', { url: '' }],
    ['an empty path', { database: ' ' }],
    ['a SQLite DataSource, which nothing gates', { dataSource: sqlite() }],
    ['an address from a variable that is not set', { url: undefined }],
    ['a path from a variable that is not set', { database: undefined }],
    ['a DataSource that is not there', { dataSource: undefined }],
  ])('refuses %s', (_, options) => {
    let error: unknown;
    try {
      dataSourceOptions(options);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ name: 'ToolSearchError', code: 'INVALID_CONFIGURATION', hint: expect.any(String) });
    expect(String(error)).not.toMatch(/activations/i); // this option configures more than activations
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(String(error)).not.toContain('secret');
  });
});
