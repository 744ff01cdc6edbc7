import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CatalogSnapshot, type SearchAnswer, ToolSet } from '@tool-search/core/engine';
import { fakeTools } from '@tool-search/core/testing';
import { Database } from '../../test/database.js';
import fc from 'fast-check';
import { Fts5ToolIndex } from '../fts5-tool-index.js';
import type { Fts5ToolIndexOptions } from '../fts5-tool-index.options.js';
import type { SqliteDatabase } from './sqlite-database.js';

const PATIENCE = 120_000;
const snapshot = new CatalogSnapshot(1, fakeTools(120));
const everything = ToolSet.of(120, () => true);
const TEXTS = ['refund an invoice', 'list pull requests', 'meeting room unicorn', 'identifier'];

let folder: string;
let file: string;
const open: Fts5ToolIndex[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fts5-'));
  file = join(folder, 'search.sqlite');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((index) => index.close()));
  rmSync(folder, { recursive: true });
});

function indexOf(options: Fts5ToolIndexOptions = {}): Fts5ToolIndex {
  const index = new Fts5ToolIndex({ database: file, ...options });
  open.push(index);
  return index;
}

async function answers(index: Fts5ToolIndex): Promise<SearchAnswer[]> {
  await index.apply({ next: snapshot });
  return Promise.all(TEXTS.map((text) => index.search({ text, type: 'fts', limit: 10 }, snapshot, everything)));
}

async function written(): Promise<SearchAnswer[]> {
  const index = indexOf();
  const found = await answers(index);
  await index.close();
  return found;
}

/** Runs statements on the closed file, as another program would. */
function sql(statements: string): unknown[] {
  const db = new Database(file);
  try {
    const select = /^(SELECT|PRAGMA [^=]*$)/.test(statements);
    return select ? db.prepare(statements).all() : (db.exec(statements), []);
  } finally {
    db.close();
  }
}

describe("the index's file", () => {
  it('is made with its directories, and is used again', async () => {
    file = join(folder, 'a', 'b', 'search.sqlite');
    const found = await written();
    const ids = sql('SELECT id, key FROM tools');
    expect(await answers(indexOf())).toEqual(found);
    expect(sql('SELECT id, key FROM tools')).toEqual(ids);
  });

  it('belongs to the user of the process alone; a warning names one that others may read', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    file = join(folder, 'a', 'search.sqlite');
    await written();
    const modes = [join(folder, 'a'), file].map((path) => (statSync(path).mode & 0o777).toString(8));
    expect([modes, warned.mock.calls]).toEqual([['700', '600'], []]);
    chmodSync(file, 0o644);
    await answers(indexOf());
    expect(String(warned.mock.calls[0]?.[0])).toContain(`${file} (0644): chmod 600 ${file}`);
    warned.mockRestore();
  });

  it(
    'is rebuilt from the catalog after any bytes were damaged',
    async () => {
      const found = await written();
      const good = readFileSync(file);
      const anyDamage = fc.record({
        at: fc.integer({ min: 0, max: good.length - 1 }),
        bytes: fc.uint8Array({ minLength: 1, maxLength: 64 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(anyDamage, { minLength: 1, maxLength: 8 }), async (damages) => {
          const bad = Buffer.from(good);
          for (const { at, bytes } of damages) bytes.forEach((byte, i) => at + i < bad.length && (bad[at + i] = byte));
          writeFileSync(file, bad);
          const index = indexOf();
          try {
            expect(await answers(index)).toEqual(found);
          } catch (error) {
            // One bit flip may make the file look like another application's, which must not be replaced.
            expect(error).toMatchObject({
              code: 'INVALID_CONFIGURATION',
              message: expect.stringContaining('something else'),
            });
          }
          await index.close();
        }),
        { numRuns: 40 },
      );
    },
    PATIENCE,
  );

  it.each([0, 100, 4096, 5000, 40_000])('is made anew when only %d bytes of it are left', async (length) => {
    const found = await written();
    truncateSync(file, length);
    expect(await answers(indexOf())).toEqual(found);
  });

  it.each([
    ['write version', 18],
    ['schema format', 47],
  ])('is made anew when its header names a %s that does not exist', async (_, at) => {
    const found = await written();
    const bad = readFileSync(file);
    bad[at] = 5;
    writeFileSync(file, bad);
    expect(await answers(indexOf())).toEqual(found);
    expect(existsSync(`${file}.damaged`)).toBe(true);
  });

  it.each([undefined, (path: string) => new Database(path)])(
    "is made anew when the search's own settings are gone (opener %#)",
    async (opener) => {
      const found = await written();
      const trees = sql("SELECT rootpage FROM sqlite_schema WHERE name = 'tools_fts_config'") as { rootpage: number }[];
      const bad = readFileSync(file);
      // The number of rows on the page (https://www.sqlite.org/fileformat.html §1.6).
      bad.writeUInt16BE(0, (trees[0]!.rootpage - 1) * bad.readUInt16BE(16) + 3);
      writeFileSync(file, bad);
      expect(await answers(indexOf({ open: opener }))).toEqual(found);
    },
  );

  it('is moved aside when it is no database', async () => {
    writeFileSync(file, 'These are my notes. '.repeat(1_000));
    await answers(indexOf());
    expect(readFileSync(`${file}.damaged`, 'utf8')).toMatch(/^These are my notes/);
  });

  it('is made anew when a row is not as it was written', async () => {
    const found = await written();
    sql("UPDATE tools SET description = 'unicorn' WHERE id = 7");
    expect(await answers(indexOf())).toEqual(found);
    expect(existsSync(`${file}.damaged`)).toBe(true);
  });

  it('is made anew when its words are not those of its rows', async () => {
    const found = await written();
    const [{ trigger }] = sql("SELECT sql AS trigger FROM sqlite_schema WHERE name = 'tools_changed'") as [
      { trigger: string },
    ];
    sql(`DROP TRIGGER tools_changed; UPDATE tools SET description = 'unicorn' WHERE id = 7; ${trigger}`);
    expect(await answers(indexOf())).toEqual(found);
  });

  it('is made anew when another version wrote it', async () => {
    const found = await written();
    sql("UPDATE tools SET description = 'unicorn'; PRAGMA user_version = 1");
    expect(await answers(indexOf())).toEqual(found);
  });

  it('is taken up again when it is damaged while it is in use', async () => {
    const index = indexOf();
    const found = await answers(index);
    truncateSync(file, 5_000);
    expect(await answers(index)).toEqual(found);
    await index.apply({ next: new CatalogSnapshot(2, fakeTools(150)) });
    expect(sql('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });

  it.each(['PRAGMA user_version = 7', 'DROP TRIGGER tools_removed', 'ALTER TABLE tools ADD COLUMN more TEXT'])(
    'of another version (%s) is replaced',
    async (change) => {
      const found = await written();
      const version = sql('PRAGMA user_version');
      sql(`${change};`);
      expect(await answers(indexOf())).toEqual(found);
      expect(sql('PRAGMA user_version')).toEqual(version);
      expect(existsSync(`${file}.damaged`)).toBe(false);
    },
  );

  it('is left unchanged if it is the file of another program', async () => {
    sql("CREATE TABLE mine (text TEXT); INSERT INTO mine VALUES ('precious')");
    await expect(indexOf().open()).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      hint: expect.stringContaining('a file of its own'),
    });
    expect(sql('SELECT text FROM mine')).toEqual([{ text: 'precious' }]);
  });

  it.each(['/proc/tool-search/search.sqlite', '/dev/null/search.sqlite'])(
    'that cannot be written (%s) is refused, with what to do',
    async (database) => {
      await expect(indexOf({ database }).open()).rejects.toMatchObject({
        code: 'INVALID_CONFIGURATION',
        message: expect.stringContaining(database),
        hint: expect.stringContaining('may create and write'),
      });
    },
  );

  it('that is read-only or a directory is refused', async () => {
    await written();
    const readOnly = (path: string) => new Database(path, { readonly: true });
    await expect(indexOf({ open: readOnly }).open()).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
    mkdirSync(join(folder, 'directory'));
    await expect(indexOf({ database: join(folder, 'directory') }).open()).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
    });
  });

  it('may come from an opener of the application', async () => {
    const found = await written();
    expect(await answers(indexOf({ open: (path) => new Database(path) }))).toEqual(found);
  });

  it('gives an answer of its own after closing', async () => {
    const index = indexOf();
    await answers(index);
    await index.close();
    await expect(answers(index)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(statSync(file).size).toBeGreaterThan(0);
  });
});

describe('a SQLite without FTS5', () => {
  // SQLite's message if the module was not compiled in.
  const withoutFts5 = (path: string): SqliteDatabase => {
    const db = new Database(path);
    const refuse = (statement: string) => {
      if (/\bfts5\b/i.test(statement)) throw Object.assign(new Error('no such module: fts5'), { code: 'SQLITE_ERROR' });
      return statement;
    };
    return {
      exec: (statement) => db.exec(refuse(statement)),
      prepare: (statement) => db.prepare(refuse(statement)),
      close: () => db.close(),
    };
  };
  const search = async (options: Fts5ToolIndexOptions, text: string, type: 'fts' | 'bm25' = 'fts') => {
    const index = indexOf({ open: withoutFts5, ...options });
    await index.apply({ next: snapshot });
    const { hits, ...rest } = await index.search({ text, type, limit: 3 }, snapshot, everything);
    return { ...rest, names: hits.map(({ id }) => snapshot.at(id).name), matches: hits.map(({ match }) => match) };
  };

  it('is searched by a pattern for any of the words, and says so', async () => {
    const found = await search({}, 'delete (or) a list*');
    expect(found.searchType).toEqual({ requested: 'fts', effective: 'regex' });
    expect(found.matches).toEqual(['regex', 'regex', 'regex']);
    expect(found.names.every((name) => /delete|list/.test(name))).toBe(true);
    expect(await search({}, '?!', 'bm25')).toMatchObject({
      searchType: { requested: 'bm25', effective: 'regex' },
      verdict: 'none',
    });
  });

  it('is searched by exact name where that was asked for', async () => {
    const { name } = snapshot.at(3);
    expect(await search({ fallback: 'exact' }, name)).toMatchObject({
      searchType: { requested: 'fts', effective: 'exact' },
      names: [name],
    });
  });

  it('writes no table that a SQLite with FTS5 would take for an index', async () => {
    const found = await written();
    rmSync(file);
    await search({}, 'refund');
    expect(await answers(indexOf())).toEqual(found);
  });

  it('leaves an index of another SQLite unchanged', async () => {
    const found = await written();
    await search({}, 'refund');
    expect(await answers(indexOf())).toEqual(found);
  });
});
