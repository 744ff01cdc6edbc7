import { inTransaction, openSqlite, type SqliteDatabase } from './sqlite-database.js';

describe('inTransaction', () => {
  let db: SqliteDatabase;
  beforeEach(() => {
    db = openSqlite(':memory:');
    db.exec('CREATE TABLE t (n INTEGER UNIQUE)');
  });
  afterEach(() => void db.close());
  const rows = () => db.prepare('SELECT n FROM t ORDER BY n').all();

  it('keeps what was written, and gives what the work gave', () => {
    expect(inTransaction(db, 'IMMEDIATE', () => (db.exec('INSERT INTO t VALUES (1)'), 'done'))).toBe('done');
    expect(rows()).toEqual([{ n: 1 }]);
  });

  it('takes everything back when the work throws, and goes on working', () => {
    const work = () => {
      db.exec('INSERT INTO t VALUES (1)');
      db.exec('INSERT INTO t VALUES (1)');
    };
    expect(() => inTransaction(db, 'IMMEDIATE', work)).toThrow(/UNIQUE/);
    expect(rows()).toEqual([]);
    inTransaction(db, 'DEFERRED', () => db.exec('INSERT INTO t VALUES (2)'));
    expect(rows()).toEqual([{ n: 2 }]);
  });

  it('tells the fault of the work where SQLite has taken everything back already', () => {
    const work = () => {
      db.exec('ROLLBACK');
      throw new Error('disk full');
    };
    expect(() => inTransaction(db, 'IMMEDIATE', work)).toThrow('disk full');
  });
});
