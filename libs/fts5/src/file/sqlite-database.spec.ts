import { inTransaction, openSqlite, retryWhileBusy, SQLITE_DRIVER, type SqliteDatabase } from './sqlite-database.js';

describe('openSqlite', () => {
  it('names the package to install if its driver cannot be loaded', () => {
    jest.isolateModules(() => {
      jest.doMock(SQLITE_DRIVER, () => {
        throw new Error('Cannot find module');
      });
      const { openSqlite: open } = require('./sqlite-database.js') as typeof import('./sqlite-database.js');
      const hint = expect.stringContaining(`${SQLITE_DRIVER} is missing`) as string;
      expect(() => open(':memory:')).toThrow(expect.objectContaining({ code: 'INVALID_CONFIGURATION', hint }));
      jest.dontMock(SQLITE_DRIVER);
    });
  });
});

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

  it('throws the error of the work if SQLite has already rolled back', () => {
    const work = () => {
      db.exec('ROLLBACK');
      throw new Error('disk full');
    };
    expect(() => inTransaction(db, 'IMMEDIATE', work)).toThrow('disk full');
  });
});

const busy = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY_SNAPSHOT' });

describe('retryWhileBusy', () => {
  it('tries again while another process has the database', async () => {
    let tries = 0;
    const work = () => {
      tries += 1;
      if (tries < 3) throw busy();
      return 'done';
    };
    expect([await retryWhileBusy(work), tries]).toEqual(['done', 3]);
  });

  it('passes any other fault on at once', async () => {
    let tries = 0;
    const work = () => {
      tries += 1;
      return Promise.reject(new Error('no such table'));
    };
    await expect(retryWhileBusy(work)).rejects.toThrow('no such table');
    expect(tries).toBe(1);
  });

  it('stops when it is no longer wanted', async () => {
    const controller = new AbortController();
    const work = () => {
      controller.abort(new Error('gone'));
      throw busy();
    };
    await expect(retryWhileBusy(work, controller.signal)).rejects.toThrow('gone');
  });
});
