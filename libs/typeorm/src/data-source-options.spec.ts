import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

const sqlite = () => new DataSource({ type: 'better-sqlite3', database: ':memory:' });

describe('dataSourceOptions', () => {
  it('takes a SQLite file in .tool-search when nothing is said', () => {
    expect(dataSourceOptions()).toMatchObject({
      type: 'better-sqlite3',
      database: '.tool-search/tool-search.sqlite',
      synchronize: false,
    });
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

  it.each([
    ['two places', { url: 'postgres://db/app', database: 'a.sqlite' }],
    ['an address of another database', { url: 'mysql://user:secret@db/app' }],
    ['an empty address', { url: '' }],
    ['an empty path', { database: ' ' }],
    ['a SQLite DataSource, which nothing gates', { dataSource: sqlite() }],
  ])('refuses %s', (_, options) => {
    let error: unknown;
    try {
      dataSourceOptions(options);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({ name: 'ToolSearchError', code: 'INVALID_CONFIGURATION', hint: expect.any(String) });
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(String(error)).not.toContain('secret');
  });
});
