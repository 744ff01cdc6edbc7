import { type CatalogSnapshot, queryTerms, type SearchAnswer, type ToolQuery, type ToolSet } from '@tool-search/core';
import { matchTerms } from './match-terms.js';
import type { OpenFile } from './open-file.js';
import { inTransaction } from './sqlite-database.js';
import type { ViewTable } from './view-tables.js';

let made = 0;

/** The rows of one snapshot's tools in one open file, and how they are searched by words. */
export class IndexedSnapshot {
  // Names this state of the snapshot in keys of views.
  readonly #serial = ++made;
  readonly #byName: readonly number[];

  /**
   * @param ids rows by dense id
   * @param removals rows that had been removed from the file when all of these were known to be there
   * @param markedAt epoch milliseconds of the last time the rows were marked as in use
   */
  constructor(
    readonly file: OpenFile,
    snapshot: CatalogSnapshot,
    private readonly ids: readonly number[],
    private removals: number,
    readonly markedAt: number,
  ) {
    this.#byName = orderByName(snapshot);
  }

  /** Undefined when rows are missing. Runs to its end in one transaction. */
  search(query: ToolQuery, visible: ToolSet): SearchAnswer | undefined {
    const { db, views } = this.file;
    try {
      return inTransaction(db, 'DEFERRED', () => (this.#isComplete() ? this.#ranked(query, visible) : undefined));
    } catch (error) {
      // The views made in this transaction are gone with it.
      if (!this.file.isClosed) views.clear();
      throw error;
    }
  }

  #isComplete(): boolean {
    const removals = this.file.tools.removals();
    if (removals === this.removals) return true;
    if (!this.file.tools.has(this.ids)) return false;
    this.removals = removals;
    return true;
  }

  #ranked({ text, type, limit, among }: ToolQuery, visible: ToolSet): SearchAnswer {
    const scope = among ? visible.filter((id) => among.has(id)) : visible;
    const { terms, missing, truncated } = matchTerms(queryTerms(text), {
      count: (term, atMost) => this.file.views.count(term, atMost),
      isInScope: (term, atMost) => this.#view(scope).has(term, atMost),
      isVisible: (term, atMost) => scope.size < visible.size && this.#view(visible).has(term, atMost),
    });
    const found = this.#view(scope).best(terms, limit);
    return {
      hits: found.map(({ tool, rank }) => ({ id: tool, score: scoreOf(rank), match: type })),
      searchType: { requested: type, effective: type },
      unmatched: missing,
      verdict: found.length > 0 ? 'found' : 'none',
      ...(truncated && { truncated }),
    };
  }

  #view(tools: ToolSet): ViewTable {
    return this.file.views.get(`${this.#serial} ${tools.fingerprint}`, () => {
      const members = this.#byName.filter((tool) => tools.has(tool));
      return { tools: members, rows: members.map((tool) => this.ids[tool] ?? 0) };
    });
  }
}

/** From SQLite's bm25(), negative and the smaller the better, to above 0 up to 1. */
function scoreOf(rank: number): number {
  const weight = Math.max(-rank, Number.MIN_VALUE);
  return weight / (1 + weight);
}

function orderByName({ tools }: CatalogSnapshot): number[] {
  const nameOf = (id: number): string => tools[id]?.name ?? '';
  const order = tools.map((_, id) => id);
  return order.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : a - b));
}
