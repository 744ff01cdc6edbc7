import type Database from 'better-sqlite3';
import { dataSourceOptions } from '@tool-search/typeorm';
import type { ToolDefinition } from '@tool-search/core';
import type { EngineAnswer, SearchEngine } from '../engines/search-engine.js';
import { isVisible } from '../engines/visible-share.js';
import { matchedByPattern } from './penguiflow-pattern.js';

const MAX_TAGS = 24;
// SQLite's maximum number of variables per statement.
const MAX_VARIABLES = 32_766;

interface Row {
  readonly name: string;
  readonly rank: number;
}

/**
 * PenguiFlow's tool search (`penguiflow/planner/tool_search_cache.py` of hurtener/penguiflow@26ec6ba) with one defect
 * fixed: the original cuts SQLite's negative `bm25()` to 0, so that all hits have the same score and the length of the
 * name decides.
 */
export class PenguiflowEngine implements SearchEngine {
  readonly name = 'penguiflow';
  readonly config =
    'the sign of bm25() mended; one connection in memory (the original opens a file for every call); ' +
    'beyond 32,766 visible tools no name list, which SQLite cannot bind';
  readonly #views = new Map<number, { readonly names: readonly string[]; readonly query: Database.Statement }>();
  #database = newDatabase();
  #tools: readonly ToolDefinition[] = [];

  async build(tools: readonly ToolDefinition[]): Promise<void> {
    this.#tools = tools;
    this.#views.clear();
    this.#database.close();
    this.#database = newDatabase();
    const insert = this.#database.prepare('INSERT INTO tools (name, description, tags) VALUES (?, ?, ?)');
    this.#database.transaction(() => {
      for (const tool of tools) insert.run(tool.name, tool.description, JSON.stringify(enrichedTags(tool)));
    })();
  }

  see(share: number): void {
    this.#view(share);
  }

  async search(text: string, limit: number, share = 1): Promise<EngineAnswer> {
    const query = text.trim();
    const { names: visible } = this.#view(share);
    const names = this.#ranked(query, share) ?? matchedByPattern(query, this.#tools, new Set(visible), enrichedTags);
    return { names: names.slice(0, limit) };
  }

  /** @returns undefined if FTS5 cannot parse the query */
  #ranked(query: string, share: number): readonly string[] | undefined {
    const words = wordsOf(query);
    if (words.length === 0) return undefined;
    try {
      // The words are not quoted, so AND, OR, NOT and NEAR act as operators.
      const strict = this.#rows(words.join(' '), share);
      const rows = strict.length > 0 ? strict : this.#rows(words.map((word) => `"${word}"`).join(' OR '), share);
      return rows.sort((a, b) => a.rank - b.rank || byName(a.name, b.name)).map(({ name }) => name);
    } catch (error) {
      // Checks the code, not the class: a driver that is loaded twice has two error classes.
      if ((error as { code?: string }).code === 'SQLITE_ERROR') return undefined;
      throw error;
    }
  }

  #rows(match: string, share: number): Row[] {
    const { names, query } = this.#view(share);
    return query.all(match, ...(names.length > MAX_VARIABLES - 1 ? [] : names)) as Row[];
  }

  #view(share: number): { readonly names: readonly string[]; readonly query: Database.Statement } {
    const known = this.#views.get(share);
    if (known) return known;
    const names = this.#tools.filter((_, id) => isVisible(id, share)).map(({ name }) => name);
    const allowed = names.length > MAX_VARIABLES - 1 ? '' : ` AND tools.name IN (${names.map(() => '?').join(', ')})`;
    const query = this.#database.prepare(
      `SELECT tools.name, tools.description, tools.tags, bm25(tools_fts) AS rank
       FROM tools_fts JOIN tools ON tools_fts.rowid = tools.rowid WHERE tools_fts MATCH ?${allowed}`,
    );
    const view = { names, query };
    this.#views.set(share, view);
    return view;
  }
}

/** Sequences of ASCII letters and digits. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/[A-Za-z0-9]+/g) ?? [];
}

/** The tool's tags and the words of its name, at most 24. */
export function enrichedTags({ name, tags }: ToolDefinition): readonly string[] {
  const enriched = new Set(tags);
  for (const word of wordsOf(name)) {
    enriched.add(word.toLowerCase());
    if (enriched.size >= MAX_TAGS) break;
  }
  return [...enriched];
}

function byName(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function newDatabase(): Database.Database {
  const { driver } = dataSourceOptions({ database: ':memory:' }) as { readonly driver?: unknown };
  const database = new (driver as typeof Database)(':memory:');
  database.exec(`
    CREATE TABLE tools (name TEXT PRIMARY KEY, description TEXT NOT NULL, tags TEXT NOT NULL);
    CREATE VIRTUAL TABLE tools_fts USING fts5(
      name, description, tags, content='tools', content_rowid='rowid', tokenize='porter unicode61'
    );
    CREATE TRIGGER tools_added AFTER INSERT ON tools BEGIN
      INSERT INTO tools_fts(rowid, name, description, tags)
      VALUES (new.rowid, new.name, new.description, new.tags);
    END;
  `);
  return database;
}
