import { sqliteDriver } from './sqlite-driver.js';

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

  it.each([
    [20, 'better-sqlite3-13'],
    [24, '@tool-search/sqlite-node20'],
  ])('refuses to boot on Node %i with %s alone, which cannot run there, and never loads it', (nodeMajor, installed) => {
    const loaded: string[] = [];
    const load = (path: string) => {
      loaded.push(path);
      if (path !== installed)
        throw Object.assign(new Error(`Cannot find module '${path}'`), { code: 'MODULE_NOT_FOUND' });
    };
    expect(() => sqliteDriver({ nodeMajor, load })).toThrow(`SQLite cannot be loaded on Node.js ${nodeMajor}.`);
    expect(loaded).not.toContain(installed);
  });

  it('refuses a Node.js that is too old, and names those that are not', () => {
    const load = jest.fn();
    expect(() => sqliteDriver({ nodeMajor: 18, load })).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIGURATION',
        message: 'Node.js 18 is too old for SQLite.',
        hint: expect.stringContaining('20.19, 22.12 or 24'),
      }),
    );
    expect(load).not.toHaveBeenCalled();
  });
});
