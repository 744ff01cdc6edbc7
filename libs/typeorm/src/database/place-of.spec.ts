import { DataSource, type DataSourceOptions } from 'typeorm';
import fc from 'fast-check';
import { dataSourceOptions } from './data-source-options.js';
import { placeOf } from './place-of.js';

const ofUrl = (url: string) => placeOf(dataSourceOptions({ url }));

describe('placeOf', () => {
  it('names the file of SQLite by its whole path', () => {
    expect(placeOf(dataSourceOptions())).toBe(
      `SQLite file ${process.cwd()}/.tool-search/tool-search.sqlite, one process`,
    );
    expect(placeOf(dataSourceOptions({ database: ':memory:' }))).toBe('SQLite in memory, lost with this process');
  });

  it('names database, host and schema of PostgreSQL', () => {
    expect(ofUrl('postgres://user:secret@db.internal:5433/tools?sslmode=require')).toBe(
      'PostgreSQL tools@db.internal:5433',
    );
    const dataSource = (options: Partial<DataSourceOptions>) => ({
      dataSource: new DataSource({ type: 'postgres', ...options } as DataSourceOptions),
    });
    const parts = { host: 'db', port: 5433, database: 'tools', username: 'user', password: 'secret', schema: 'own' };
    expect(placeOf(dataSourceOptions(dataSource(parts)))).toBe('PostgreSQL tools@db:5433 (schema own)');
  });

  it('never names a password, however it is written', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', '1', '/', '?', '#', '@', ':', '%', ' '), maxLength: 4 });
    fc.assert(
      fc.property(piece, piece, (before, after) => {
        expect(ofUrl(`postgres://user:${before}SECRET${after}@db/tools`)).not.toMatch(/secret/i);
      }),
    );
  });
});
