import { sqliteDriver, sqliteDriverName } from './sqlite-driver.js';

describe('sqliteDriver', () => {
  it('opens a database on the Node.js that runs this test', () => {
    const db = new (sqliteDriver() as unknown as typeof import('better-sqlite3'))(':memory:');
    expect(db.prepare('SELECT 1 AS one').get()).toEqual({ one: 1 });
    db.close();
  });

  it.each([
    [20, '@tool-search/sqlite-node20'],
    [22, 'better-sqlite3-13'],
    [24, 'better-sqlite3-13'],
    [26, 'better-sqlite3-13'],
  ])('on Node %i takes %s', (nodeMajor, name) => {
    class Driver {}
    const load = (path: string) => (path === name ? Driver : undefined);
    expect(sqliteDriverName({ nodeMajor })).toBe(name);
    expect(sqliteDriver({ nodeMajor, load })).toBe(Driver);
  });

  it.each([20, 24])('says on Node %i what to do where the driver is not installed', (nodeMajor) => {
    const load = (path: string) => {
      throw Object.assign(new Error(`Cannot find module '${path}'`), { code: 'MODULE_NOT_FOUND' });
    };
    expect(() => sqliteDriver({ nodeMajor, load })).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIGURATION',
        message: `SQLite cannot be loaded on Node.js ${nodeMajor}.`,
        hint: expect.stringContaining('optional dependencies'),
      }),
    );
  });
});
