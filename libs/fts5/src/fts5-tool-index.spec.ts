import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isToolSearchError, type ToolDefinition } from '@tool-search/core';
import type { SearchType } from '@tool-search/core/internal';
import { CatalogSnapshot, ToolSet } from '@tool-search/core/engine';
import { describeToolIndex, fakeTool, FakeSource, fakeTools, openToolbox } from '@tool-search/core/testing';
import { Database } from '../test/database.js';
import fc from 'fast-check';
import { Fts5ToolIndex } from './fts5-tool-index.js';
import type { Fts5ToolIndexOptions } from './fts5-tool-index.options.js';
import { FIELDS, TERM_COLUMNS } from './file/search-schema.js';

const folder = mkdtempSync(join(tmpdir(), 'fts5-'));
const open: Fts5ToolIndex[] = [];
// A property test makes hundreds of indexes, and each one holds files open.
const made = (index: Fts5ToolIndex): Fts5ToolIndex => {
  open.push(index);
  if (open.length > 100) void open.shift()?.close();
  return index;
};
afterAll(async () => {
  await Promise.all(open.map((index) => index.close()));
  rmSync(folder, { recursive: true });
});

describeToolIndex('Fts5ToolIndex in memory', () => made(new Fts5ToolIndex({ database: ':memory:' })), {
  statistics: 'global',
});

describeToolIndex(
  'Fts5ToolIndex in a file',
  () => made(new Fts5ToolIndex({ database: join(folder, `${randomUUID()}.sqlite`), keepUnusedMs: 0 })),
  { statistics: 'global' },
);

const everyTool = (snapshot: CatalogSnapshot) => ToolSet.of(snapshot.tools.length, () => true);

/** A catalog that changes over time, with one index. */
class Catalog {
  #snapshot = new CatalogSnapshot(0, []);

  constructor(readonly index: Fts5ToolIndex) {}

  async publish(tools: readonly ToolDefinition[]): Promise<CatalogSnapshot> {
    this.#snapshot = new CatalogSnapshot(this.#snapshot.revision + 1, tools);
    await this.index.apply({ next: this.#snapshot });
    return this.#snapshot;
  }

  async find(text: string, snapshot = this.#snapshot): Promise<string[]> {
    const { hits } = await this.index.search({ text, type: 'fts', limit: 20 }, snapshot, everyTool(snapshot));
    return hits.map(({ id }) => snapshot.at(id).name);
  }
}

describe('a file of Fts5ToolIndex', () => {
  const newFile = () => join(folder, `${randomUUID()}.sqlite`);
  const catalogOn = (database: string, options: Fts5ToolIndexOptions = {}) =>
    new Catalog(made(new Fts5ToolIndex({ database, ...options })));
  /** Row ids by key, and the time at which each row was written or last marked as used. */
  const rowsOf = (database: string) => {
    const db = new Database(database, { readonly: true });
    const rows = db.prepare('SELECT id, key, used_at AS usedAt FROM tools ORDER BY id').all();
    db.close();
    return rows as { id: number; key: string; usedAt: number }[];
  };
  const tools = fakeTools(80);
  const unicorn = fakeTool({ name: 'zoo.feed_unicorn', description: 'Feed the unicorn.' });

  it('gets only what is new or changed', async () => {
    const file = newFile();
    await catalogOn(file).publish(tools);
    const before = rowsOf(file);
    const changed = fakeTool({ ...tools[3], description: 'Now it is about unicorns.' });
    const later = catalogOn(file);
    await later.publish([...tools.slice(0, 3), changed, ...tools.slice(4), unicorn]);
    const after = rowsOf(file);
    expect(after.slice(0, 80)).toEqual(before);
    expect(after.slice(80)).toHaveLength(2);
    expect((await later.find('unicorn')).toSorted()).toEqual([changed.name, unicorn.name].toSorted());
  });

  it.each([
    ['incremental is off', { incremental: false }],
    ['it shall be rebuilt at the start', { rebuildOnStart: true }],
  ])('gets everything where %s', async (_, options) => {
    const file = newFile();
    await catalogOn(file).publish(tools);
    const before = rowsOf(file);
    const later = catalogOn(file, options);
    await later.publish(tools);
    const after = rowsOf(file);
    expect(after.map(({ id, key }) => [id, key])).toEqual(before.map(({ id, key }) => [id, key]));
    expect(after.every(({ usedAt }, i) => usedAt > (before[i]?.usedAt ?? 0))).toBe(true);
    await later.publish([...tools, unicorn]);
    const wasRewritten = rowsOf(file)
      .slice(0, 80)
      .every(({ usedAt }, i) => usedAt > (after[i]?.usedAt ?? 0));
    expect(wasRewritten).toBe('incremental' in options);
  });

  it('is shared by instances with different catalogs', async () => {
    const file = newFile();
    const [one, two] = [catalogOn(file), catalogOn(file)];
    await Promise.all([one.publish(tools.slice(0, 50)), two.publish([...tools.slice(30), unicorn])]);
    expect(rowsOf(file)).toHaveLength(81);
    expect(await two.find('unicorn')).toEqual([unicorn.name]);
    expect(await one.find('unicorn')).toEqual([]);
    await two.publish([]);
    const { name } = tools[40]!;
    expect(await one.find(name)).toContain(name);
  });

  it('deletes tools that no process uses any more', async () => {
    const file = newFile();
    const [mine, alone] = [catalogOn(file), catalogOn(file, { keepUnusedMs: 0 })];
    await mine.publish([...tools, unicorn]);
    await alone.publish(tools);
    expect(rowsOf(file)).toHaveLength(80);
    // A process that still needs the tool writes it again.
    expect(await mine.find('unicorn')).toEqual([unicorn.name]);
    expect(rowsOf(file)).toHaveLength(81);
  });

  it('deletes a bounded number of tools at a time, the oldest first', async () => {
    const file = newFile();
    await catalogOn(file).publish(tools);
    const columns = FIELDS.map(() => "'word'").join(', ');
    const db = new Database(file);
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1300)
      INSERT INTO tools(key, used_at, checksum, ${TERM_COLUMNS}) SELECT 'unused' || i, i / 600, '', ${columns} FROM n`);
    db.close();
    const catalog = catalogOn(file);
    const left: number[][] = [];
    for (let change = 0; change < 3; change++) {
      await catalog.publish(tools);
      const unused = rowsOf(file).slice(80);
      left.push([unused.length, unused[0]?.usedAt ?? 0]);
    }
    expect(left).toEqual([
      [800, 0],
      [300, 1],
      [0, 0],
    ]);
    expect(rowsOf(file)).toHaveLength(80);
  });

  it('looks at so many rows of the file, however few of them the caller may find', async () => {
    const file = newFile();
    await catalogOn(file).publish(tools);
    const words = Array.from({ length: 60 }, (_, i) => `${String.fromCharCode(97 + (i >> 3), 97 + (i & 7))}qz`).join(
      ' ',
    );
    const columns = FIELDS.map((_, i) => (i === 0 ? `'${words}'` : "''")).join(', ');
    const db = new Database(file);
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO tools(key, used_at, checksum, ${TERM_COLUMNS}) SELECT 'other' || i, ${Date.now()}, '', ${columns} FROM n`);
    db.close();
    const ranked: string[] = [];
    const catalog = catalogOn(file, {
      open: (database) => {
        const opened = new Database(database);
        const prepare = opened.prepare.bind(opened);
        opened.prepare = (sql: string) => {
          const statement = prepare(sql);
          const all = statement.all.bind(statement);
          if (sql.includes('bm25(')) statement.all = (...values) => (ranked.push(String(values[0])), all(...values));
          return statement as never;
        };
        return opened;
      },
    });
    const many = fakeTool({ name: 'zoo.everything', description: words });
    await catalog.publish([...tools, many]);
    expect(await catalog.find(words)).toEqual([many.name]);
    expect(ranked.map((terms) => terms.split(' OR ').length)).toEqual([19]);
  });

  it('counts again what another process has changed', async () => {
    const file = newFile();
    const [one, two] = [catalogOn(file), catalogOn(file)];
    await one.publish(tools);
    expect(await one.find('unicorn')).toEqual([]);
    await two.publish([...tools, unicorn]);
    await one.publish([...tools, unicorn]);
    expect(await one.find('unicorn')).toEqual([unicorn.name]);
  });

  it('remembers what was in use lately', async () => {
    const file = newFile();
    const catalog = catalogOn(file);
    await catalog.publish([...tools, unicorn]);
    await catalog.publish(tools);
    expect(rowsOf(file)).toHaveLength(81);
    const db = new Database(file);
    db.exec('UPDATE tools SET used_at = used_at - 100000000');
    db.close();
    await catalog.publish(tools.slice(1));
    expect(rowsOf(file)).toHaveLength(79);
  });

  it('answers an older catalog whose tools are gone from the file', async () => {
    const catalog = catalogOn(':memory:');
    const before = await catalog.publish([...tools, unicorn]);
    await catalog.publish(tools);
    expect(await catalog.find('unicorn')).toEqual([]);
    expect(await catalog.find('unicorn', before)).toEqual([unicorn.name]);
  });
});

describe('a search in Fts5ToolIndex', () => {
  const tools = [
    fakeTool({ name: 'logic.and_or', description: 'Words like NOT, NEAR and OR.' }),
    fakeTool({ name: 'tickets.create', description: '创建工单。チケットを作る' }),
    fakeTool({ name: 'docs.search', description: 'Найти документ. सूचना भेजें' }),
    ...fakeTools(60),
  ];
  const snapshot = new CatalogSnapshot(1, tools);
  const index = new Fts5ToolIndex({ database: ':memory:' });
  beforeAll(() => index.apply({ next: snapshot }));
  afterAll(() => index.close());
  const search = (text: string, type: SearchType = 'fts', visible = everyTool(snapshot)) =>
    index.search({ text, type, limit: 10 }, snapshot, visible);

  it.each([
    ['NEAR', 'logic.and_or'],
    ['工单', 'tickets.create'],
    ['チケット', 'tickets.create'],
    ['документ', 'docs.search'],
    ['सूचना', 'docs.search'],
  ])('finds by %s', async (text, name) => {
    const { hits } = await search(text);
    expect(hits.map(({ id }) => snapshot.at(id).name)).toEqual([name]);
  });

  it.each([
    ['find a user', 'app.find_user'],
    ['please show the user', 'app.show_user'],
    ['turn the light off', 'app.turn_off_light'],
    ['turn on the light', 'app.turn_on_light'],
  ])('ranks the sibling first whose verb is asked for: %s', async (text, name) => {
    const names = ['ban_user', 'delete_user', 'find_user', 'show_user', 'turn_off_light', 'turn_on_light'];
    const siblings = new CatalogSnapshot(
      1,
      names.map((own) => fakeTool({ name: `app.${own}`, description: 'Does it.' })),
    );
    const own = made(new Fts5ToolIndex({ database: ':memory:' }));
    await own.apply({ next: siblings });
    const { hits } = await own.search({ text, type: 'fts', limit: 3 }, siblings, everyTool(siblings));
    expect(siblings.at(hits[0]!.id).name).toBe(name);
  });

  it('has words where other engines have operators', async () => {
    const { hits } = await search('logic NOT near');
    expect(hits.map(({ id }) => snapshot.at(id).name)).toEqual(['logic.and_or']);
  });

  it('fails only with a code, for any query', async () => {
    const pieces = fc.constantFrom(
      'refund',
      'AND',
      'NOT',
      'NEAR(',
      '"',
      '*',
      '^',
      ':',
      '(',
      ')',
      '-',
      '+',
      '{',
      '}',
      '\0',
      '\ud800',
      "'",
      ';',
      '工单',
      'name:',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(pieces, { maxLength: 40 }).map((all) => all.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.constantFrom<SearchType>('fts', 'bm25', 'regex', 'exact'),
        fc.integer(),
        async (text, type, seed) => {
          const visible = ToolSet.of(tools.length, (id) => ((seed >>> (id % 31)) & 1) === 1);
          try {
            const { hits } = await search(text, type, visible);
            expect(hits.every(({ id, score }) => visible.has(id) && score > 0 && score <= 1)).toBe(true);
          } catch (error) {
            expect(isToolSearchError(error) && type === 'regex').toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('an application with Fts5ToolIndex', () => {
  it('searches in full text, and finds its tools again after a restart', async () => {
    const database = join(folder, 'application', 'search.sqlite');
    const start = () =>
      openToolbox({
        sources: [new FakeSource('crm', [{ name: 'merge_contacts' }, { name: 'list_deals' }])],
        options: { exposure: 'deferred', index: new Fts5ToolIndex({ database }) },
      });
    for (let run = 0; run < 2; run++) {
      const { toolbox, close } = await start();
      const { tools, searchType } = await toolbox.search({ query: 'merge two contacts', type: 'fts' });
      expect(tools.map(({ name }) => name)).toEqual(['crm.merge_contacts']);
      expect(searchType).toEqual({ requested: 'fts', effective: 'fts' });
      await close();
    }
  });
});

describe('options of Fts5ToolIndex', () => {
  it.each([
    [{ databse: 'x' }, /no option "databse"/],
    [{ database: ' ' }, /database must be a path/],
    [{ fallback: 'bm25' }, /fallback must be/],
    [{ keepUnusedMs: -1 }, /keepUnusedMs/],
    [{ incremental: 'yes' }, /incremental must be true or false/],
  ])('are checked: %j', (options, said) => {
    const make = () => new Fts5ToolIndex(options as Fts5ToolIndexOptions);
    expect(make).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION', message: expect.stringMatching(said) }),
    );
  });
});
