import { BM25 } from '../file/search-schema.js';
import { anyOf, type CountedRows } from './match-terms.js';
import type { SqliteDatabase, SqliteStatement } from '../file/sqlite-database.js';

// A view takes about 30 bytes per tool and a few milliseconds to build.
const MAX_VIEWS = 64;
const MAX_ROWS = 1_000_000;
const MAX_TERMS = 2_000;

/** The rows that one caller may find, in the order in which equal ranks are listed: tools by dense id, and their rows. */
export interface ViewRows {
  readonly tools: readonly number[];
  readonly rows: readonly number[];
}

/**
 * The rows one caller may find, as a temporary table, so that other rows are excluded before ranking and cutting. The
 * join starts from the full-text table: the other way round, SQLite would run the query once per row.
 */
export class ViewTable {
  readonly #known = new Map<string, boolean>();
  readonly #seen: SqliteStatement;
  readonly #best: SqliteStatement;

  readonly #tools: Uint32Array;

  constructor(
    private readonly db: SqliteDatabase,
    private readonly name: string,
    { tools, rows }: ViewRows,
  ) {
    this.#tools = Uint32Array.from(tools);
    db.exec(`CREATE TABLE temp.${name} (id INTEGER PRIMARY KEY, place INTEGER NOT NULL)`);
    const insert = db.prepare(`INSERT OR IGNORE INTO temp.${name} SELECT value, key FROM json_each(?)`);
    insert.run(JSON.stringify(rows));
    const { first, last } = db
      .prepare(`SELECT coalesce(min(id), 0) AS first, coalesce(max(id), 0) AS last FROM temp.${name}`)
      .get() as { first: number; last: number };
    // Not bound parameters: they would not be integers, and SQLite would scan from the first row of the file.
    const matching = `tools_fts MATCH ? AND tools_fts.rowid BETWEEN ${first} AND ${last}`;
    this.#seen = db.prepare(
      `SELECT 1 FROM (SELECT rowid AS id FROM tools_fts WHERE ${matching} LIMIT ?) AS hits
       CROSS JOIN temp.${name} AS view ON view.id = hits.id LIMIT 1`,
    );
    this.#best = db.prepare(
      `SELECT place, ${BM25} AS rank FROM tools_fts CROSS JOIN temp.${name} AS view ON view.id = tools_fts.rowid
       WHERE ${matching} ORDER BY rank, place LIMIT ?`,
    );
  }

  /**
   * Whether a term is in one of the rows. Rows never change, so a result is cached, unless the limit was reached first.
   *
   * @param atMost maximum of rows with the term to visit, from the view's first row on
   */
  has(term: string, atMost = Number.MAX_SAFE_INTEGER): boolean {
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    const isSeen = this.#seen.get(anyOf([term]), atMost) !== undefined;
    if (!isSeen && atMost < Number.MAX_SAFE_INTEGER) return false;
    if (this.#known.size >= MAX_TERMS) this.#known.clear();
    this.#known.set(term, isSeen);
    return isSeen;
  }

  /** The best tools with any of the terms. `rank` is SQLite's bm25(): negative, smaller is better. */
  best(terms: readonly string[], limit: number): readonly { readonly tool: number; readonly rank: number }[] {
    if (terms.length === 0) return [];
    const found = this.#best.all(anyOf(terms), limit) as { place: number; rank: number }[];
    return found.map(({ place, rank }) => ({ tool: this.#tools[place] ?? 0, rank }));
  }

  get size(): number {
    return this.#tools.length;
  }

  drop(): void {
    this.db.exec(`DROP TABLE IF EXISTS temp.${this.name}`);
  }
}

/** The most recently used views of one file. */
export class ViewTables {
  readonly #count: SqliteStatement;
  readonly #state: SqliteStatement;
  readonly #counts = new Map<string, CountedRows>();
  #counted = '';
  // Least recently used first.
  readonly #views = new Map<string, ViewTable>();
  #rows = 0;
  #made = 0;

  constructor(private readonly db: SqliteDatabase) {
    this.#count = db.prepare(
      `SELECT count(*) AS rows, coalesce(max(id), 0) AS last
       FROM (SELECT rowid AS id FROM tools_fts WHERE tools_fts MATCH ? LIMIT ?)`,
    );
    // Ids are never reused, so one of these two numbers changes with every added or removed row.
    this.#state = db.prepare('SELECT total AS removed, (SELECT max(id) FROM tools) AS newest FROM removals');
  }

  /** Counts the rows of the file with a term, visible or hidden, up to `atMost`. */
  count(term: string, atMost: number): CountedRows {
    const state = JSON.stringify(this.#state.get());
    if (state !== this.#counted || this.#counts.size >= MAX_TERMS) this.#counts.clear();
    this.#counted = state;
    const key = `${atMost} ${term}`;
    const counted = this.#counts.get(key) ?? (this.#count.get(anyOf([term]), atMost) as CountedRows);
    this.#counts.set(key, counted);
    return counted;
  }

  /** @param rows returns the rows of a view that does not exist yet */
  get(key: string, rows: () => ViewRows): ViewTable {
    const view = this.#views.get(key) ?? this.#make(rows());
    this.#views.delete(key);
    this.#views.set(key, view);
    for (const [oldest, old] of this.#views) {
      if (this.#views.size === 1 || (this.#views.size <= MAX_VIEWS && this.#rows <= MAX_ROWS)) break;
      this.#views.delete(oldest);
      this.#rows -= old.size;
      old.drop();
    }
    return view;
  }

  clear(): void {
    for (const view of this.#views.values()) view.drop();
    this.#views.clear();
    this.#rows = 0;
  }

  #make(rows: ViewRows): ViewTable {
    this.#made += 1;
    this.#rows += rows.rows.length;
    return new ViewTable(this.db, `view_${this.#made}`, rows);
  }
}
